"""How the cost of a search grows with depth, seats, worlds and threads.

    python benchmarks/growth.py [--json] [--plots FOLDER]

`--plots` draws the rows as SVG (needs matplotlib). Depth and seats: processor time of searches
without pruning and with all of it. Worlds and threads: decisions of `maxn:depth=6` in Hearts by the
clock, the median of several in the middle of a deal, with the threads taking turns.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from cases import positions
from depths import (
    ALL,
    NO_PRUNING,
    Subject,
    make_subject,
    measure_depths,
)
from harness import arguments, print_result, seconds

from mpsearch import load_catalog
from mpsearch.api.game_table import Table, set_table
from mpsearch.contracts import Limits, Turn
from mpsearch.search import search

SEED = 11
#: Game, players, evaluator, branching and seconds for the series over depths.
DEPTHS = [
    ("hearts", 4, "points", None),
    ("quoridor", 4, "distance", "near"),
    ("risk_lite", 4, "army_land", "bids"),
]
#: Game, evaluator, branching and depth for the series over seats.
SEATS = [
    ("scramble", "progress", None, 12),
    ("quoridor", "distance", "near", 4),
    ("risk_lite", "army_land", "bids", 4),
]
KINDS = ("maxn", "paranoid", "sos mild")
WORLDS = (1, 3, 10, 30, 100)
THREADS = (1, 2)


def prepare(name: str, players: int, evaluator: str, branching: str | None) -> Subject:
    table = set_table(load_catalog(), name, players=players, options={})
    return make_subject(table, evaluator, branching, seed=SEED)


def over_depths(each: float) -> list[dict[str, Any]]:
    rows = []
    for case in DEPTHS:
        subject = prepare(*case)
        ways = [way for way in (NO_PRUNING, "no boxes", ALL) if way in subject.techniques()]
        for kind in KINDS:
            for way in ways:
                rows += [
                    {
                        "series": "depth",
                        "game": row.game,
                        "propagator": kind,
                        "technique": way,
                        "at": row.depth,
                        "nodes": row.nodes,
                        "seconds": row.seconds,
                    }
                    for row in measure_depths(subject, kind, way, seconds=each)
                ]
    return rows


def over_seats() -> list[dict[str, Any]]:
    rows = []
    for name, evaluator, branching, depth in SEATS:
        low, high = load_catalog().game_offer(name).players
        for players in range(low, high + 1):
            subject = prepare(name, players, evaluator, branching)
            found: list[int] = []

            def work(subject: Subject = subject, found: list[int] = found) -> None:
                report = search(
                    subject.space,
                    [subject.position.state],
                    subject.stance("maxn"),
                    Limits(depth=depth),  # noqa: B023  # used before the loop goes on
                    prune=False,
                    engine=subject.engine,
                )
                found.append(report.nodes)

            spent = min(seconds(work) for _ in range(3))
            rows.append(
                {
                    "series": "seats",
                    "game": name,
                    "propagator": "maxn",
                    "technique": NO_PRUNING,
                    "at": players,
                    "nodes": found[0],
                    "seconds": spent,
                }
            )
    return rows


def middle(table: Table) -> Turn:
    """A turn in the middle of a deal."""
    state = positions(table.space(), seed=SEED)[3].state
    game = table.game
    seat = game.mover(state)
    return Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))


def over_worlds(repeats: int) -> list[dict[str, Any]]:
    table = set_table(load_catalog(), "hearts", players=4, options={})
    turn = middle(table)
    rows = []
    for worlds in WORLDS:
        agents = {
            threads: table.agent(f"maxn:depth=6,worlds={worlds},threads={threads}")
            for threads in THREADS
        }
        times: dict[int, list[float]] = {threads: [] for threads in THREADS}
        for number in range(repeats + 1):
            for threads, agent in agents.items():
                memory = agent.start(turn.seat, np.random.default_rng(0))
                began = time.perf_counter()
                decision = agent.choose(turn, memory, np.random.default_rng(number))
                if number:  # what is made once was made before
                    times[threads].append(time.perf_counter() - began)
        rows += [
            {
                "series": "worlds",
                "game": "hearts",
                "propagator": "maxn",
                "technique": f"{threads} threads",
                "at": worlds,
                "nodes": decision.nodes,
                "seconds": statistics.median(spent),
            }
            for threads, spent in times.items()
        ]
    return rows


def draw(rows: list[dict[str, Any]], folder: Path) -> None:
    """One SVG for each series; the same rows give the same file."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    matplotlib.rcParams["svg.hashsalt"] = "mpsearch"
    dashes = {NO_PRUNING: ":", "no boxes": "--", ALL: "-", "1 threads": "-", "2 threads": "--"}
    units: dict[str, Callable[[dict[str, Any]], float]] = {
        "nodes": lambda row: float(row["nodes"]),
        "nanoseconds per node": lambda row: 1e9 * row["seconds"] / row["nodes"],
        "seconds": lambda row: float(row["seconds"]),
    }
    for series, unit in zip(("depth", "seats", "worlds"), units, strict=True):
        mine = [row for row in rows if row["series"] == series]
        games = list(dict.fromkeys(row["game"] for row in mine))
        figure = Figure(figsize=(4 * len(games), 3.2), layout="constrained")
        for axes, game in zip(np.atleast_1d(figure.subplots(1, len(games))), games, strict=True):
            lines: dict[tuple[str, str], list[tuple[float, float]]] = {}
            for row in mine:
                if row["game"] == game:
                    key = (row["propagator"], row["technique"])
                    lines.setdefault(key, []).append((row["at"], units[unit](row)))
            kinds = list(dict.fromkeys(kind for kind, _ in lines))
            for (kind, way), points in lines.items():
                axes.plot(
                    *zip(*points, strict=True),
                    dashes[way],
                    marker=".",
                    color=f"C{kinds.index(kind)}",
                    label=f"{kind}, {way}",
                )
            axes.set(
                xscale="log" if series == "worlds" else "linear",
                yscale="linear" if series == "seats" else "log",
                xlabel=series,
                ylabel=unit,
                title=game,
            )
            if series != "worlds":
                axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.legend(fontsize=5)
        figure.savefig(folder / f"performance-{series}.svg", metadata={"Date": None})


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--each", type=float, default=1.0, help="seconds for each line of depths")
    parser.add_argument("--repeats", type=int, default=9, help="decisions for each median")
    parser.add_argument("--plots", type=Path, help="a folder to draw in")
    given = parser.parse_args()
    rows = over_depths(given.each) + over_seats() + over_worlds(given.repeats)
    print_result(rows, as_json=given.json)
    if given.plots:
        draw(rows, given.plots)


if __name__ == "__main__":
    main()
