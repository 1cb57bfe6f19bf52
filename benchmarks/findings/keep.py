"""Keeps what stores say as CSVs, from which tools/findings_page.py writes the page.

    python benchmarks/findings/keep.py benchmarks/findings/*.db --to docs/results

For a store of a design NAME: NAME.csv with its comparisons and the room of each threshold, and
NAME-standings.csv with who won how much.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mpsearch.experiments import (
    Analysis,
    Store,
    analyse_store,
    csv_bytes,
    csv_rows,
    stored_design,
)
from mpsearch.plugins import installed


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, required=True)
    asked = parser.parse_args()
    for path in asked.stores:
        with Store(path, read_only=True) as store:
            found = analyse_store(stored_design(store, installed()), store)
        (asked.to / f"{path.stem}-standings.csv").write_bytes(csv_bytes(csv_rows(found)))
        if found.comparisons:
            (asked.to / f"{path.stem}.csv").write_bytes(csv_bytes(comparison_rows(found)))
        print(f"{path.stem}: {found.games} games")


if __name__ == "__main__":
    main()
