"""The page of reproductions, rebuilt from the results that were kept, without playing.

    python tools/reproductions_page.py docs/results docs/reproductions.md

writes what stands between the two marks of the page; the rest is written by hand.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mpsearch.experiments import Z, detectable_errors
from mpsearch.studies.reproduce.claims import AGREES, DISAGREES, OURS, UNDECIDED, Claim
from mpsearch.studies.reproduce.impact import IMPACT, shipped_impact
from mpsearch.studies.reproduce.shipped_designs import Shipped, shipped, shipped_names

BEGIN = "<!-- begin: written by python tools/reproductions_page.py -->"
END = "<!-- end -->"


def results_text(folder: Path) -> str:
    """All experiments in the order of the checklist, with the results that are in the folder."""
    names = [*shipped_names(), IMPACT]
    parts = [_summary(folder, names)]
    for name in names:
        found = _found(name)
        numbers = ", ".join(map(str, found.rows))
        head = f"### `{name}`: {found.paper} (checklist {numbers})"
        parts.append(f"{head}\n\n{found.about.strip()}")
        path = folder / f"{name}.csv"
        if not path.exists():
            parts.append(f"Not run yet: `mpsearch reproduce {name} --scale day`.")
            continue
        parts.append(_table(path, found.claims))
        if (folder / f"{name}.svg").exists():
            parts.append(f"![{name}]({folder.name}/{name}.svg)")
    return "\n\n".join(parts)


def _summary(folder: Path, names: Sequence[str]) -> str:
    """How many claims of each experiment agree, disagree, or need more games; the papers' first."""
    verdicts = (AGREES, DISAGREES, UNDECIDED)
    lines = [f"| experiment | {' | '.join(verdicts)} | claims of ours |", "|---|---|---|---|---|"]
    for name in names:
        path = folder / f"{name}.csv"
        rows = _judged(path, _found(name).claims) if path.exists() else []
        found = Counter((row["verdict"], row["claim"].startswith(OURS)) for row in rows)
        theirs = " | ".join(str(found[verdict, False]) for verdict in verdicts)
        ours = ", ".join(f"{found[v, True]} {v}" for v in verdicts if found[v, True])
        lines.append(f"| `{name}` | {theirs} | {ours} |")
    return "\n".join(lines)


def _found(name: str) -> Shipped:
    return shipped_impact("day") if name == IMPACT else shipped(name, scale="day")


def _judged(path: Path, claims: Sequence[Claim]) -> list[dict[str, str]]:
    """The claims that were judged, and those of the experiment that the results lack."""
    rows = _rows(path)
    known = {row["claim"] for row in rows}
    return rows + [
        {
            **dict.fromkeys(rows[0], ""),
            "claim": claim.text,
            "printed": claim.printed,
            "p": "-",
            "games": "0",
            "verdict": UNDECIDED,
        }
        for claim in claims
        if claim.text not in known
    ]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _table(path: Path, claims: Sequence[Claim]) -> str:
    rows = _judged(path, claims)
    by_text = {claim.text: claim for claim in claims}
    lines = [
        "| claim | printed | ours, points [95 %] | p (Holm) | would find | games | verdict |",
        "|---|---|---|---|---|---|---|",
    ]
    asked = sum(int(row["games"]) > 0 for row in rows)
    for row in rows:
        ours = f"{row['ours']} [{row['low']}, {row['high']}]" if row["ours"] else "-"
        finds = _finds(row, by_text.get(row["claim"]), asked)
        lines.append(
            f"| {row['claim']} | {row['printed']} | {ours} | {row['p']} | {finds} | "
            f"{row['games']} | **{row['verdict']}** |"
        )
    first = rows[0]
    most = _most_games(path, rows)
    command = f"{first['command']} --games {most}" if most else first["command"]
    return "\n".join(lines) + f"\n\nSeed {first['seed']}; again: `{command}`."


def _finds(row: dict[str, str], claim: Claim | None, asked: int) -> str:
    """The difference that 80 of 100 such runs would find, by the spread that was met."""
    if not row["ours"]:
        return "-"
    variance = ((float(row["high"]) - float(row["low"])) / (2 * Z)) ** 2
    if claim is not None and claim.points is not None and claim.games is not None:
        # What is printed was drawn too.
        variance += claim.points * (100 - claim.points) / claim.games
    return f"{detectable_errors(asked) * variance**0.5:.1f}"


def _most_games(path: Path, rows: Sequence[dict[str, str]]) -> int:
    """How many games of an arm were played; a claim may count the seats of some of them."""
    standings = path.with_name(f"{path.stem}-standings.csv")
    counted = _rows(standings) if standings.exists() else rows
    return max(int(row["games"]) for row in counted)


def rebuilt(page: str, folder: Path) -> str:
    """The page with the part between its marks written anew."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{results_text(folder)}\n\n{END}{tail}"


if __name__ == "__main__":
    results, target = Path(sys.argv[1]), Path(sys.argv[2])
    text = rebuilt(target.read_text(encoding="utf-8"), results)
    target.write_text(text, encoding="utf-8")
