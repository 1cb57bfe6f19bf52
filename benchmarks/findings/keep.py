"""Exports stores as CSVs, from which tools/findings_page.py writes the page.

    python benchmarks/findings/keep.py benchmarks/findings/*.db --to docs/results

For a store of a design NAME: NAME.csv with its comparisons and the room of each threshold, and
NAME-standings.csv with who won how much. With `--room td=4.8` also NAME-rooms.csv: the room of any
threshold, by all MaxN players of the baseline's games, whether or not it was played.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from mpsearch.experiments import (
    Analysis,
    Design,
    GameResult,
    Store,
    analyse_store,
    csv_bytes,
    csv_rows,
    played_games,
    stored_design,
)
from mpsearch.experiments.room import reaches
from mpsearch.plugins import installed


def complete(design: Design, store: Store) -> Design:
    """The design up to the first game that some arm lacks.

    A run that was stopped has other games of one arm than of another. Where games were copied
    (`thresholds.py`) these are not a sample: those that cannot differ are there first.
    """
    done = store.done()
    numbers = itertools.count()
    return attrs.evolve(
        design, games=next(n for n in numbers if any((a.label, n) not in done for a in design.arms))
    )


def comparison_rows(found: Analysis) -> list[dict[str, Any]]:
    """A row per comparison, with the room of all thresholds of its agent together."""
    # The last room of an arm is that of all its thresholds.
    rooms = {room.arm: room for room in found.rooms}
    rows = []
    for row in found.comparisons:
        room = rooms.get(row.first)
        told = {"threshold": "", "reached": "", "room": ""}
        if room is not None:
            told = {
                "threshold": room.threshold,
                "reached": f"{room.reached:.4f}",
                "room": f"{room.room.mean:.4f}",
            }
        rows.append({**row.flat(), **told, "seed": found.design.seed})
    return rows


def room_rows(design: Design, games: Sequence[GameResult], asked: list[str]) -> Iterator[Any]:
    """P(reached), P(lost after) and their product for each threshold, over all seats."""
    for text in asked:
        key, _, value = text.partition("=")
        reached = lost = 0.0
        for game in games:
            for log, share in zip(game.logs, game.shares(), strict=True):
                if reaches(log, {key: float(value)}):
                    reached += 1
                    lost += 1 - share
        seats = len(games) * design.players
        yield {
            "threshold": text,
            "reached": f"{reached / seats:.4f}",
            "lost": f"{lost / max(reached, 1):.4f}",
            "room": f"{lost / seats:.4f}",
            "games": len(games),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--room", action="append", default=[], help="such as td=4.8")
    asked = parser.parse_args()
    for path in asked.stores:
        with Store(path, read_only=True) as store:
            design = stored_design(store, installed())
            found = analyse_store(complete(design, store), store)
            games = [game for game in played_games(store, design) if game.arm == design.baseline]
        if asked.room:
            rows = list(room_rows(design, games, asked.room))
            (asked.to / f"{path.stem}-rooms.csv").write_bytes(csv_bytes(rows))
        (asked.to / f"{path.stem}-standings.csv").write_bytes(csv_bytes(csv_rows(found)))
        if found.comparisons:
            (asked.to / f"{path.stem}.csv").write_bytes(csv_bytes(comparison_rows(found)))
        print(f"{path.stem}: {found.games} games")


if __name__ == "__main__":
    main()
