"""Writes docs/results/atlas.md's tables and docs/images/atlas.svg from docs/results.

    python tools/atlas_page.py                      # again from what is there
    python tools/atlas_page.py more.csv other.csv   # with games that were measured since

`mpsearch atlas` over all games writes the same file. It takes long; with this, games that are new
or have changed can be measured by themselves, with `--game` and the same settings.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mpsearch.experiments.output import csv_bytes, figure_bytes
from mpsearch.studies.impact.atlas import ATLAS_COLUMNS, PLAYOUTS, SEARCH
from mpsearch.studies.impact.atlas_chart import atlas_figure, greatest_depth, number, ordered_games

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results" / "atlas.csv"
PAGE = ROOT / "docs/results/atlas.md"
PICTURE = ROOT / "docs" / "images" / "atlas.svg"
HEAD = (
    "| game | evaluator, depth | `variation` | `spread` | states "
    "| play-outs: `variation` | `spread` | states |"
)

GAINS = ROOT / "docs" / "results" / "hypothesis.csv"
GAINS_HEAD = (
    "| game, depth | OI, `variation` | gain, points | MP-Mix | MaxN | Paranoid | games of an arm |"
)

Lines = Sequence[Mapping[str, Any]]


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def merged(known: Lines, new: Lines) -> list[Mapping[str, Any]]:
    """All games by name, with those measured again from the new files."""
    again = {line["game"] for line in new}
    lines = [line for line in known if line["game"] not in again] + list(new)
    return sorted(lines, key=lambda line: str(line["game"]))


def table(lines: Lines) -> str:
    """The page's row for each game."""
    rows = [HEAD, "|---" * HEAD.count(" | ") + "|---|"]
    for name in ordered_games(lines):
        cells = [name]
        for way in (SEARCH, PLAYOUTS):
            first, second = (greatest_depth(lines, name, way, r) for r in ("variation", "spread"))
            if way == SEARCH:
                cells.append("" if first is None else f"`{first['evaluator']}`, {first['depth']}")
            states = "" if first is None else first["states"]
            cells += [_share(first), _share(second), states]
        rows.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    return "\n".join(rows)


def _share(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return ""
    shown = [number(line[name]) for name in ("oi", "low", "high")]
    share, low, high = ("-" if figure != figure else f"{figure:.2f}" for figure in shown)
    return f"{share} ({low} to {high})"


def gains(rows: Lines, lines: Lines) -> str:
    """What MP-Mix gained in each game, from the least Opponent Impact to the greatest."""
    found = []
    for row in rows:
        line = greatest_depth(lines, row["game"], SEARCH, "variation")
        impact = 0.0 if line is None else number(line["oi"])
        gain, low, high = (100 * number(row[name]) + 0.0 for name in ("gain", "low", "high"))
        arms = " | ".join(f"{100 * number(row[arm]):.1f}" for arm in ("mpmix", "maxn", "paranoid"))
        cells = (
            f"{row['game']}, {row['depth']} | {impact:.2f} | {gain:.1f} ({low:.1f} to {high:.1f})"
        )
        found.append((impact, row["game"], f"| {cells} | {arms} | {int(row['games']):,} |"))
    ruled = "|---" * GAINS_HEAD.count(" | ") + "|---|"
    return "\n".join([GAINS_HEAD, ruled, *(row for *_, row in sorted(found))])


def with_table(page: str, rows: str) -> str:
    """The page with these rows replaced."""
    head = rows.partition("\n")[0]
    before, there, rest = page.partition(head)
    if not there:
        raise SystemExit(f"{PAGE}: there is no table that begins with {head}")
    _, blank, after = rest.partition("\n\n")
    return before + rows + blank + after


def main() -> None:
    lines = merged(read(RESULTS), [line for name in sys.argv[1:] for line in read(Path(name))])
    RESULTS.write_bytes(csv_bytes(lines, ATLAS_COLUMNS))
    PICTURE.write_bytes(figure_bytes(atlas_figure(lines), PICTURE))
    page = PAGE.read_text(encoding="utf-8")
    for rows in (table(lines), gains(read(GAINS), lines)):
        page = with_table(page, rows)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
