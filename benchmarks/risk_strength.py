"""Who beats whom at Risk-lite: seeded matches with every different rotation of the seats.

    python benchmarks/risk_strength.py order [--games 120] [--option map=woodland]
    python benchmarks/risk_strength.py mix [--minutes 10]
    python benchmarks/risk_strength.py table maxn:depth=2 angry yakool random --games 48

`order` pairs neighbours in the order of strength, three seats each; `mix` is the paper's
table of two MIX(td=10), two MAXN and two PAR. Prints the share of games each agent won with
its 95 % Wilson interval, and the share that chance would give it. Rotations of one seed share
their deal and are not quite independent: the intervals treat them as if they were.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any

import numpy as np

from mpsearch.agent import make_agent
from mpsearch.catalog import Catalog, load_catalog
from mpsearch.contracts import Decision, Memory, Player, Turn, winners
from mpsearch.match import play_match

GAME = "risk_lite"
ORDER = [
    ("angry", "random"),
    ("yakool", "angry"),
    ("evil_pixie", "yakool"),
    ("maxn:depth=2", "angry"),
]
MIX = ["mpmix:td=10,depth={d}", "maxn:depth={d}", "paranoid:depth={d}"] * 2


def wilson(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    spread *= z / (1 + z * z / games)
    return max(middle - spread, 0.0), min(middle + spread, 1.0)


class Uniform(Player):
    """The core's `random`, which finds by search that all moves tie: the same law, faster."""

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        return Decision(move=turn.moves[int(rng.integers(len(turn.moves)))])


def seat_player(catalog: Catalog, game: Any, text: str) -> Player:
    return Uniform() if text == "random" else make_agent(catalog, GAME, game, text)


def arrangements(agents: list[str]) -> list[list[str]]:
    """The different rotations of the seats. Equal ones would be the same game again."""
    turned = [tuple(agents[k:] + agents[:k]) for k in range(len(agents))]
    return [list(seats) for seats in dict.fromkeys(turned)]


def play_one(agents: list[str], options: dict[str, str], number: int) -> dict[str, Any]:
    """Game `number`: each seed is played once in every different rotation of the seats."""
    catalog = load_catalog()
    game: Any = catalog.game_offer(GAME).new_game(players=len(agents), options=options)
    every = arrangements(agents)
    seed, shift = divmod(number, len(every))
    seats = every[shift]
    made = {text: seat_player(catalog, game, text) for text in set(agents)}
    stances: Counter[tuple[str, str]] = Counter()
    state = game.new()
    for ply in play_match(game, [made[text] for text in seats], seed=seed):
        state = ply.state
        if ply.decision is not None and ply.decision.stance is not None:
            stances[seats[ply.seat], ply.decision.stance.label] += 1
    s = game.record(state)
    (winner,) = winners(game.payoff(state))
    limit = bool(max(s.land) < s.territories)
    return {"winner": seats[winner], "limit": limit, "rounds": s.rounds_played, "stances": stances}


def results(
    agents: list[str], options: dict[str, str], games: int, minutes: float, workers: int
) -> Iterator[dict[str, Any]]:
    """Games as they end; all rotations of a seed or none, so that every seat counts alike."""
    end = time.monotonic() + 60 * minutes
    several = len(arrangements(agents))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for first in range(0, games, several):
            if time.monotonic() > end:
                return
            running = {pool.submit(play_one, agents, options, first + k) for k in range(several)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)


def show(agents: list[str], given: argparse.Namespace) -> None:
    options = dict(option.split("=", 1) for option in given.option)
    begun = time.monotonic()
    played = list(results(agents, options, given.games, given.minutes, given.workers))
    games = len(played)
    wins = Counter(result["winner"] for result in played)
    limits = sum(result["limit"] for result in played)
    rounds = sum(result["rounds"] for result in played) / games
    print(
        f"{games} games of {len(agents)} seats, options {options or 'default'}: "
        f"{rounds:.0f} rounds on average, {limits} ended by the round limit, "
        f"{time.monotonic() - begun:.0f} s"
    )
    for text in dict.fromkeys(agents):
        low, high = wilson(wins[text], games)
        fair = agents.count(text) / len(agents)
        print(
            f"  {text:28} {wins[text]:4} wins  {wins[text] / games:6.1%} "
            f"[{low:.1%}, {high:.1%}]  chance {fair:.1%}"
        )
        labels: Counter[str] = Counter()
        for result in played:
            for (agent, label), count in result["stances"].items():
                labels[label] += count if agent == text else 0
        if sum(n > 0 for n in labels.values()) > 1:
            total = labels.total()
            shares = ", ".join(f"{label} {n / total:.0%}" for label, n in labels.items() if n)
            print(f"  {'':28} turns: {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["order", "mix", "table"])
    parser.add_argument("agents", nargs="*")
    parser.add_argument("--games", type=int)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    given = parser.parse_args()
    if given.games is None:
        given.games = 120 if given.what == "order" else 100_000
    if given.what == "table":
        show(given.agents, given)
    elif given.what == "mix":
        show([text.format(d=given.depth) for text in MIX], given)
    else:
        for pair in ORDER:
            show(list(pair) * 3, given)


if __name__ == "__main__":
    main()
