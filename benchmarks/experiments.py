"""What an experiment costs beside its games, and what a second process is worth.

    python benchmarks/experiments.py --games 200 --pairs 5

The same games are played twice in turn: bare, every ply asked for and thrown away, and as an
experiment, with record, identity and store. The overhead is the difference in processor time.
Processes are measured by the clock: a busy machine shows less of them than there is.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from harness import arguments, duel, print_result

from mpsearch.experiments.design import Design
from mpsearch.experiments.engines import Local
from mpsearch.experiments.run import run_design
from mpsearch.experiments.store import Store
from mpsearch.experiments.tournament import tournament_design
from mpsearch.table import table, table_of

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


def bare(design: Design) -> None:
    """All games of a design, and nothing else."""
    for job in design.jobs():
        for _ in table_of(job.setting).plies(job.setting):
            pass


def kept(design: Design, processes: int = 1) -> None:
    """The same games as an experiment in a store."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        store.bind(design.document())
        run_design(design, store=store, engine=Local(processes))


def clock(design: Design, processes: int) -> float:
    """Seconds by the clock for an experiment on so many processes."""
    started = time.perf_counter()
    kept(design, processes)
    return time.perf_counter() - started


def measure(name: str, *, games: int, pairs: int) -> dict[str, object]:
    """The row of one kind of game."""
    game, options, agents = TASKS[name]
    place = table(game, **options)
    design = tournament_design(place, agents, games=games, seed=1, opening=2)
    bare(tournament_design(place, agents, games=2, seed=2, opening=2))  # compiles
    found = duel(lambda: kept(design), lambda: bare(design), pairs=pairs)
    beside = statistics.median(
        ours - theirs for ours, theirs in zip(found.ours, found.theirs, strict=True)
    )
    one, two = ([clock(design, processes) for _ in range(pairs)] for processes in (1, 2))
    return {
        "games": name,
        "ms a game, bare": 1000 * statistics.median(found.theirs) / games,
        "ms a game, beside it": 1000 * beside / games,
        "overhead, %": 100 * (1 / found.ratio - 1),
        "least, %": 100 * (1 / max(found.ratios) - 1),
        "greatest, %": 100 * (1 / min(found.ratios) - 1),
        "games/s, 1 process": games / statistics.median(one),
        "games/s, 2 processes": games / statistics.median(two),
        "scaling": statistics.median(one) / statistics.median(two),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=200, help="games of each run")
    parser.add_argument("--pairs", type=int, default=5, help="how often both sides run")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    rows = [measure(name, games=given.games, pairs=given.pairs) for name in TASKS]
    print_result([{**row, "load before": load} for row in rows], as_json=given.json)


if __name__ == "__main__":
    main()
