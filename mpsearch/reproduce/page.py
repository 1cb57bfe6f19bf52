"""The page of reproductions, rebuilt from the results that were kept, without playing.

    python -m mpsearch.reproduce.page docs/results docs/reproductions.md

writes what stands between the two marks of the page; the rest is written by hand.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mpsearch.reproduce.claims import AGREES, DISAGREES, UNDECIDED
from mpsearch.reproduce.impact import IMPACT, shipped_impact
from mpsearch.reproduce.shipped import shipped, shipped_names

BEGIN = "<!-- begin: written by python -m mpsearch.reproduce.page -->"
END = "<!-- end -->"


def results_text(folder: Path) -> str:
    """All experiments in the order of the checklist, with the results that are in the folder."""
    names = [*shipped_names(), IMPACT]
    parts = [_summary(folder, names)]
    for name in names:
        found = shipped_impact("day") if name == IMPACT else shipped(name, scale="day")
        numbers = ", ".join(map(str, found.rows))
        head = f"### `{name}`: {found.paper} (checklist {numbers})"
        parts.append(f"{head}\n\n{found.about.strip()}")
        path = folder / f"{name}.csv"
        if not path.exists():
            parts.append(f"Not run yet: `mpsearch reproduce {name} --scale day`.")
            continue
        parts.append(_table(path))
        if (folder / f"{name}.svg").exists():
            parts.append(f"![{name}]({folder.name}/{name}.svg)")
    return "\n\n".join(parts)


def _summary(folder: Path, names: Sequence[str]) -> str:
    """How many claims of each experiment agree, disagree, or need more games."""
    lines = [f"| experiment | {AGREES} | {DISAGREES} | {UNDECIDED} |", "|---|---|---|---|"]
    for name in names:
        path = folder / f"{name}.csv"
        found = Counter(row["verdict"] for row in _rows(path)) if path.exists() else Counter()
        counts = " | ".join(str(found[verdict]) for verdict in (AGREES, DISAGREES, UNDECIDED))
        lines.append(f"| `{name}` | {counts} |")
    return "\n".join(lines)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _table(path: Path) -> str:
    rows = _rows(path)
    lines = [
        "| claim | printed | ours, points [95 %] | p (Holm) | games | verdict |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        ours = f"{row['ours']} [{row['low']}, {row['high']}]" if row["ours"] else "-"
        lines.append(
            f"| {row['claim']} | {row['printed']} | {ours} | {row['p']} | {row['games']} | "
            f"**{row['verdict']}** |"
        )
    first = rows[0]
    most = max(int(row["games"]) for row in rows)
    command = f"{first['command']} --games {most}" if most else first["command"]
    return "\n".join(lines) + f"\n\nSeed {first['seed']}; again: `{command}`."


def rebuilt(page: str, folder: Path) -> str:
    """The page with the part between its marks written anew."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{results_text(folder)}\n\n{END}{tail}"


if __name__ == "__main__":
    results, target = Path(sys.argv[1]), Path(sys.argv[2])
    text = rebuilt(target.read_text(encoding="utf-8"), results)
    target.write_text(text, encoding="utf-8")
