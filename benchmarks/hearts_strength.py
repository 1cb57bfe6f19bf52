"""Hearts: who beats whom, in seeded tournaments with rotated seats.

    python benchmarks/hearts_strength.py [--games 60] [--workers 1] [--seed 1000]
        [--option limit=100 ...] [--field NAME AGENT AGENT AGENT AGENT] ...

Game k of a field has seed SEED + k and its seats rotated k times, so that every game is
independent of the others and every agent sits everywhere equally often. A tie shares the win.
Printed for each agent of a field: its share of the wins with Wilson's 95 % interval, what equal
players would have, and its mean score.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from mpsearch import load_catalog
from mpsearch.agent import make_agent
from mpsearch.contracts import winners
from mpsearch.match import play_match

#: What is asked in issue 3, at settings that a shared core can play in minutes.
FIELDS: dict[str, list[str]] = {
    "mixed": ["maxn:depth=4,worlds=10", "paranoid:depth=4,worlds=10", "wrt", "random"],
    "search against wrt": ["maxn:depth=4,worlds=10", "wrt", "maxn:depth=4,worlds=10", "wrt"],
    "wrt against random": ["wrt", "random", "wrt", "random"],
    "depth": [f"maxn:depth={d},worlds=10" for d in (6, 2, 6, 2)],
    "worlds": [f"maxn:depth=4,worlds={n}" for n in (30, 4, 30, 4)],
    "evaluator": [f"maxn:depth=4,worlds=10,evaluator={e}" for e in ("paper", "points") * 2],
}


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z = 1.959964
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    half = z / (1 + z * z / games) * spread
    return middle - half, middle + half


def play_one(task: tuple[list[str], int, dict[str, str]]) -> tuple[list[str], list[float]]:
    """One tournament: who sat where, and the payoff."""
    agents, seed, options = task
    catalog = load_catalog()
    game = catalog.game("hearts", **options)
    made = {text: make_agent(catalog, "hearts", game, text) for text in set(agents)}
    *_, last = play_match(game, [made[text] for text in agents], seed=seed)
    return agents, game.payoff(last.state).tolist()


def run_field(
    name: str, field: list[str], *, games: int, seed: int, workers: int, options: dict[str, str]
) -> None:
    tasks = [([*field[-k % 4 :], *field[: -k % 4]], seed + k, options) for k in range(games)]
    started = time.monotonic()
    if workers == 1:
        results = [play_one(task) for task in tasks]
    else:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
            results = list(pool.map(play_one, tasks))
    wins: dict[str, float] = defaultdict(float)
    scores: dict[str, list[float]] = defaultdict(list)
    for agents, payoff in results:
        won = winners(np.array(payoff))
        for seat, text in enumerate(agents):
            scores[text].append(-payoff[seat])
            wins[text] += seat in won and 1 / len(won)
    print(
        f"{name}: {games} tournaments, seeds {seed} to {seed + games - 1}, {options or 'papers'},"
    )
    print(f"  {time.monotonic() - started:.0f} s with {workers} worker(s)")
    for text in dict.fromkeys(field):
        low, high = wilson(wins[text], games)
        equal = field.count(text) / 4
        print(
            f"  {text:36} wins {wins[text] / games:6.1%}  [{low:.1%}, {high:.1%}]"
            f"  equal would be {equal:.0%}  mean score {np.mean(scores[text]):.1f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--field", action="append", nargs=5, default=[])
    parser.add_argument("--only", action="append", choices=FIELDS, help="a field of this file")
    given = parser.parse_args()
    options = dict(pair.split("=", 1) for pair in given.option)
    fields = {name: agents for name, *agents in given.field}
    if not fields:
        fields = {name: FIELDS[name] for name in given.only or FIELDS}
    for name, field in fields.items():
        run_field(
            name,
            field,
            games=given.games,
            seed=given.seed,
            workers=given.workers,
            options=options,
        )


if __name__ == "__main__":
    main()
