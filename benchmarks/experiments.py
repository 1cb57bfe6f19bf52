"""The overhead of an experiment over its games, and the speed-up of a second process.

    python benchmarks/experiments.py --games 200 --runs 5

Every game is played twice in turn, in changing order: bare, every ply asked for and thrown away,
and as a game of an experiment, with record, identity and store. What counts is the median
difference in processor time. Processes are measured by the clock: a busy machine shows less of them
than there is.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from harness import arguments, print_result, seconds

from mpsearch.api.game_table import table, table_of
from mpsearch.experiments.design import Design
from mpsearch.experiments.engines import Local
from mpsearch.experiments.games import Job, play_job
from mpsearch.experiments.resume import run_jobs
from mpsearch.experiments.run import kept_game, run_design
from mpsearch.experiments.store import Store
from mpsearch.experiments.tournaments import tournament_design

#: Games of some 50 milliseconds: which, how, and who plays.
TASKS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "hearts, single deals": (
        "hearts",
        {"single": True},
        ["maxn:depth=4,worlds=4", "wrt"],
    ),
    "quoridor, 4 players": (
        "quoridor",
        {"players": 4},
        ["maxn:depth=3,evaluator=margin,branching=near", "greedy"],
    ),
    "risk_lite, 10 rounds": (
        "risk_lite",
        {"rounds": 10},
        ["maxn:depth=2", "angry"],
    ),
}


def bare(job: Job) -> None:
    """A game, and nothing else."""
    for _ in table_of(job.setting).plies(job.setting):
        pass


def in_turn(design: Design) -> tuple[list[float], list[float]]:
    """Processor seconds of every game of a design, bare and as part of an experiment."""
    alone: list[float] = []
    together: list[float] = []

    def jobs() -> Iterator[Job]:
        """Whoever asks for the next job has finished the one before, and stored it."""
        for job in design.jobs():
            if job.number % 2:
                alone.append(seconds(partial(bare, job)))
            started = time.process_time()
            yield job
            together.append(time.process_time() - started)
            if job.number % 2 == 0:
                alone.append(seconds(partial(bare, job)))

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        run_jobs(play_job, jobs(), store=store, engine=Local(), keep=kept_game)
    return alone, together


def kept(design: Design, processes: int = 1) -> None:
    """All games of a design as an experiment in a store."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        store.bind(design.document())
        run_design(design, store=store, engine=Local(processes))


def clock(design: Design, processes: int) -> float:
    """Seconds by the clock for an experiment on so many processes."""
    started = time.perf_counter()
    kept(design, processes)
    return time.perf_counter() - started


def measure(name: str, *, games: int, runs: int) -> dict[str, object]:
    """The row of one kind of game."""
    game, options, agents = TASKS[name]
    place = table(game, **options)
    design = tournament_design(place, agents, games=games, seed=1, opening=2)
    kept(tournament_design(place, agents, games=2, seed=2, opening=2))  # compiles
    alone, together = in_turn(design)
    beside = [1000 * (ours - theirs) for ours, theirs in zip(together, alone, strict=True)]
    low, middle, high = statistics.quantiles(beside, n=4)
    row: dict[str, object] = {
        "games": name,
        "ms a game, bare": 1000 * statistics.median(alone),
        "beside it": middle,
        "a quarter below": low,
        "a quarter above": high,
    }
    if runs:
        one, two = ([clock(design, processes) for _ in range(runs)] for processes in (1, 2))
        row |= {
            "games/s, 1 process": games / statistics.median(one),
            "games/s, 2 processes": games / statistics.median(two),
            "scaling": statistics.median(one) / statistics.median(two),
        }
    return row


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=200, help="games of each run")
    parser.add_argument("--runs", type=int, default=5, help="how often processes are timed; 0: not")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    rows = [measure(name, games=given.games, runs=given.runs) for name in TASKS]
    print_result([{**row, "load before": load} for row in rows], as_json=given.json)


if __name__ == "__main__":
    main()
