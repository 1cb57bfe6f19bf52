"""Overhead around the search: decisions, whole games and rule calls, beside another checkout.

    python benchmarks/decisions.py --beside ../older-checkout

Two processes, one for each tree, do the same work in turn. They must give the same results to the
last bit; then the median of the ratios counts. Work of one thread is measured in processor time.
Threads are measured by the clock: a busy machine shows less of them than there is.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness import arguments, print_result

from mpsearch.agents import make_agent
from mpsearch.api.game_table import table
from mpsearch.contracts import OVER, Game, Turn
from mpsearch.experiments import play_job, tournament_design
from mpsearch.plugins.catalog import installed
from mpsearch.studies.impact.sample import make_surveys, survey_game

HERE = Path(__file__).resolve().parents[1]


def positions(game: Game, count: int, *, every: int) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """States of random play in which there is a choice, and the moves."""
    rng, state, plies = np.random.default_rng(7), game.new(), 0
    while count:
        seat = game.mover(state)
        if seat < 0:
            state = game.new() if seat == OVER else game.play(state, game.draw(state, rng))
            continue
        moves = tuple(game.moves(state))
        plies += 1
        if len(moves) > 1 and plies % every == 0:
            yield state, moves
            count -= 1
        state = game.play(state, moves[int(rng.integers(len(moves)))])


def decisions(name: str, agent: str, count: int, *, every: int) -> Callable[[], list[Any]]:
    """Decisions of an agent, in positions from random games."""
    game = installed().game(name)
    player = make_agent(installed(), name, game, agent)
    turns = []
    for state, moves in positions(game, count, every=every):
        seat = game.mover(state)
        turns.append(Turn(seat=seat, view=game.view(state, seat), moves=moves))

    def decide() -> list[Any]:
        found = []
        for number, turn in enumerate(turns):
            rng = np.random.default_rng(number)
            made = player.choose(turn, player.start(turn.seat, rng), rng)
            value = None if made.value is None else made.value.tolist()
            found.append((made.move, made.nodes, made.depth, made.exact, value))
        return found

    return decide


def steps(name: str, count: int) -> Callable[[], list[Any]]:
    """The way to the rules: mover, moves and play."""
    game = installed().game(name)
    found = [(state, moves[0]) for state, moves in positions(game, count, every=3)]

    def step() -> list[Any]:
        return [
            (game.mover(state), list(game.moves(state)), game.play(state, move))
            for state, move in found
        ]

    return step


def games(name: str, agent: str, count: int) -> Callable[[], list[Any]]:
    """Whole games of one agent at all seats."""
    jobs = list(tournament_design(table(name), [agent], games=count, seed=1).jobs())
    return lambda: [(r.identity, r.payoff.tolist()) for r, _ in map(play_job, jobs)]


def surveys(name: str, agent: str, evaluator: str, count: int) -> Callable[[], list[Any]]:
    """Opponent Impact at depths 1 and 2; which evaluator is the usual one may differ."""
    work = make_surveys(
        table(name), [agent], games=count, depths=(1, 2), evaluator=evaluator, seed=1
    )
    return lambda: [(s.identity, s.touched.tobytes()) for s in map(survey_game, work)]


TASKS: dict[str, Callable[[], Callable[[], list[Any]]]] = {
    "rules of hearts": lambda: steps("hearts", 300),
    "rules of quoridor": lambda: steps("quoridor", 300),
    "rules of risk_lite": lambda: steps("risk_lite", 300),
    "rules of scramble": lambda: steps("scramble", 300),
    "hearts, maxn, depth 6, 30 worlds": lambda: decisions(
        "hearts", "maxn:depth=6,worlds=30", 12, every=5
    ),
    "hearts, paranoid, depth 6, 30 worlds": lambda: decisions(
        "hearts", "paranoid:depth=6,worlds=30", 12, every=5
    ),
    "hearts, maxn, depth 6, 30 worlds, 2 threads": lambda: decisions(
        "hearts", "maxn:depth=6,worlds=30,threads=2", 12, every=5
    ),
    "risk_lite, maxn, depth 2": lambda: decisions("risk_lite", "maxn:depth=2", 60, every=3),
    "scramble, maxn, depth 1": lambda: decisions("scramble", "maxn:depth=1", 12, every=1),
    "plunder, maxn, depth 4": lambda: decisions("plunder", "maxn:depth=4,worlds=4", 6, every=3),
    "plunder, maxn, depth 4, no pruning": lambda: decisions(
        "plunder", "maxn:depth=4,worlds=4,prune=no", 6, every=3
    ),
    "risk_lite, greedy": lambda: decisions("risk_lite", "greedy", 60, every=3),
    "quoridor, greedy": lambda: decisions("quoridor", "greedy:evaluator=distance", 60, every=2),
    "games of scramble, greedy": lambda: games("scramble", "greedy", 8),
    "games of quoridor, greedy": lambda: games("quoridor", "greedy:evaluator=distance", 8),
    "games of risk_lite, greedy": lambda: games("risk_lite", "greedy:evaluator=paper", 1),
    "games of hearts, wrt": lambda: games("hearts", "wrt", 4),
    "games of risk_lite, angry": lambda: games("risk_lite", "angry", 1),
    "oi of risk_lite, greedy": lambda: surveys("risk_lite", "greedy", "paper", 1),
}


def work() -> None:
    """The work of one tree: for every task that is asked for, its times and a digest."""
    made: dict[str, Callable[[], list[Any]]] = {}
    for line in sys.stdin:
        name = line.rstrip("\n")
        if name not in made:
            made[name] = TASKS[name]()
            made[name]()  # compiles
        wall, processor = time.perf_counter(), time.process_time()
        found = made[name]()
        times = (time.perf_counter() - wall, time.process_time() - processor)
        digest = hashlib.sha256(repr(found).encode()).hexdigest()
        print(*times, digest, flush=True)


class Side:
    """A process that works with one tree."""

    def __init__(self, tree: Path) -> None:
        sources = [tree, *sorted(tree.glob("plugins/*/src"))]
        path = os.pathsep.join(map(str, sources))
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, task: str) -> tuple[float, float, str]:
        """Seconds by the clock and of the processor, and a digest of what was found."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(task, file=self.process.stdin, flush=True)
        wall, processor, digest = self.process.stdout.readline().split()
        return float(wall), float(processor), digest

    def end(self) -> None:
        """Let the process end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(task: str, ours: Side, theirs: Side, pairs: int) -> dict[str, Any]:
    """One task on both sides, in turn."""
    by_clock = "threads" in task
    rows: list[tuple[float, float]] = []
    for number in range(pairs):
        order = (ours, theirs) if number % 2 else (theirs, ours)
        found = {side: side.run(task) for side in order}
        if found[ours][2] != found[theirs][2]:
            sys.exit(f"{task}: the two trees give different results")
        at = 0 if by_clock else 1
        rows.append((float(found[ours][at]), float(found[theirs][at])))
    ratios = [theirs_took / ours_took for ours_took, theirs_took in rows]
    return {
        "what": task,
        "seconds": statistics.median(row[0] for row in rows),
        "beside": statistics.median(row[1] for row in rows),
        "ratio": statistics.median(ratios),
        "least": min(ratios),
        "greatest": max(ratios),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--beside", type=Path, help="the root of another checkout")
    parser.add_argument("--pairs", type=int, default=5, help="how often each task is done")
    parser.add_argument("--only", default="", help="tasks whose name has this in it")
    parser.add_argument("--work", action="store_true", help="used by itself")
    given = parser.parse_args()
    if given.work:
        return work()
    ours, theirs = Side(HERE), Side((given.beside or HERE).resolve())
    tasks = [task for task in TASKS if given.only in task]
    rows = [compare(task, ours, theirs, given.pairs) for task in tasks]
    ours.end()
    theirs.end()
    print_result(rows, as_json=given.json)
    return None


if __name__ == "__main__":
    main()
