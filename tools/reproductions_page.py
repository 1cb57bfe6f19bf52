"""Rebuilds the page of reproductions from the committed CSVs, without playing.

    python tools/reproductions_page.py docs/results docs/results/reproductions.md

writes the part between the two marks of the page; the rest is written by hand.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kept_results import by_shares, impact_verdicts, read_rows, rejudge

from mpsearch.experiments import Z, detectable_errors, read_toml
from mpsearch.experiments.seating import ROTATION
from mpsearch.plugins import installed
from mpsearch.studies.reproduce.claims import OURS, VERDICTS, Verdict
from mpsearch.studies.reproduce.impact import IMPACT, shipped_impact
from mpsearch.studies.reproduce.shipped_designs import KEYS, Shipped, shipped, shipped_names

BEGIN = "<!-- begin: written by python tools/reproductions_page.py -->"
END = "<!-- end -->"
#: Keys of a design that do not change its games.
_IDLE = ("name", "about", "games")


def results_text(folder: Path) -> str:
    """All experiments in the order of the checklist, with the results in the folder."""
    found = {name: _found(name) for name in (*shipped_names(), IMPACT)}
    judged = {name: kept_verdicts(shown, folder) for name, shown in found.items()}
    parts = [_summary(judged)]
    for name, shown in found.items():
        numbers = ", ".join(map(str, shown.rows))
        head = f"### `{name}`: {shown.paper} (checklist {numbers})"
        parts.append(f"{head}\n\n{shown.about.strip()}")
        if not (folder / f"{name}.csv").exists():
            parts.append(f"Not run yet: `mpsearch reproduce {name} --scale day`.")
            continue
        parts += [_table(shown, judged[name], folder), _again(shown, folder)]
        if (folder / f"{name}.svg").exists():
            parts.append(f"![{name}]({name}.svg)")
    return "\n\n".join(parts)


def kept_verdicts(shown: Shipped, folder: Path) -> list[Verdict]:
    """Verdicts on an experiment's claims by the CSVs in the folder."""
    if shown.name == IMPACT:
        return impact_verdicts(read_rows(folder / f"{IMPACT}-standings.csv"))
    return rejudge(shown.name, shown.claims, folder)


def _found(name: str) -> Shipped:
    return shipped_impact("day") if name == IMPACT else shipped(name, scale="day")


def _summary(judged: Mapping[str, Sequence[Verdict]]) -> str:
    """The number of claims by experiment and verdict, the papers' first."""
    lines = [f"| experiment | {' | '.join(VERDICTS)} | claims of ours |"]
    lines.append("|---" * (len(VERDICTS) + 2) + "|")
    total: Counter[str] = Counter()
    for name, verdicts in judged.items():
        found = Counter((v.verdict, v.claim.text.startswith(OURS)) for v in verdicts)
        total.update({v: found[v, False] for v in VERDICTS})
        theirs = " | ".join(str(found[verdict, False]) for verdict in VERDICTS)
        ours = ", ".join(f"{found[v, True]} {v}" for v in VERDICTS if found[v, True])
        lines.append(f"| `{name}` | {theirs} | {ours} |")
    lines.append(f"| all | {' | '.join(str(total[v]) for v in VERDICTS)} | |")
    return "\n".join(lines)


def _table(shown: Shipped, verdicts: Sequence[Verdict], folder: Path) -> str:
    head = ("claim", "printed", "ours, points [95 %]", "p (Holm)", "would find", "miss", "games")
    lines = [f"| {' | '.join(head)} | verdict |", "|---" * (len(head) + 1) + "|"]
    asked = sum(found.games > 0 for found in verdicts)
    derived = by_shares(shown.name, shown.claims, folder)
    for found in verdicts:
        mark = " *" if found.claim.text in derived and found.games else ""
        played = found.games > 0
        ours = f"{found.ours:.2f} [{found.low:.2f}, {found.high:.2f}]{mark}" if played else "-"
        p = f"{found.corrected:.3g}" if played and found.claim.plies is None else "-"
        miss = "-" if math.isnan(found.miss) else f"{found.miss:.1f}"
        lines.append(
            f"| {found.claim.text} | {found.claim.printed} | {ours} | {p} | "
            f"{_finds(found, asked)} | {miss} | {found.games} | **{found.verdict}** |"
        )
    if any(" * |" in line for line in lines):
        lines += ["", "\\* by the shares in the standings, arms taken as independent."]
    return "\n".join(lines)


def _finds(found: Verdict, asked: int) -> str:
    """The difference detected with a power of 80 %, by the observed spread."""
    if not found.games or found.claim.plies is not None:
        return "-"
    error = (found.high - found.low) / (2 * Z)
    if found.claim.share is not None:
        # What is printed was drawn too.
        error = math.hypot(error, found.claim.size_error)
    return f"{detectable_errors(asked) * error:.1f}"


def _again(shown: Shipped, folder: Path) -> str:
    """Seed, command, and how the stored games differ from the current experiment."""
    row = read_rows(folder / f"{shown.name}.csv")[0]
    games = _most_games(shown.name, folder)
    kept = folder / f"{shown.name}.toml"
    changes = _changes(read_toml(kept).values, shown) if kept.exists() else []
    if changes:
        command = f"mpsearch experiment run docs/{folder.name}/{kept.name} --games {games}"
        what = f" Played with {'; '.join(changes)}."
    else:
        command, what = f"{row['command']} --games {games}", ""
    return f"Seed {row['seed']}; again: `{command}`.{what}{_rooms(shown.name, folder)}"


def _rooms(name: str, folder: Path) -> str:
    """The room of each agent's thresholds, where measured."""
    told = []
    for row in read_rows(folder / f"{name}-standings.csv"):
        rooms = [
            f"{100 * float(value):.1f} by {key.removeprefix('room_').replace('_', ' or ')}"
            for key, value in row.items()
            if key.startswith("room_") and value
        ]
        if rooms:
            told.append(f"{row['role']} in `{row['arm']}` {', '.join(rooms)}")
    if not told:
        return ""
    what = "[Room](../explanation/statistics.md#room), the most that a threshold can gain over MaxN"
    return f" {what}, in points: {'; '.join(told)}."


def _changes(played: Mapping[str, Any], shown: Shipped) -> list[str]:
    """How the design that was played differs from the shipped one."""
    now, told = shown.file.values, []
    for key in dict.fromkeys((*played, *now)):
        if key not in (*KEYS, *_IDLE) and played.get(key) != now.get(key):
            if key == "seating" and played.get(key) == ROTATION and _one_order(shown):
                continue
            told.append(f"`{key}` {_shown(played.get(key))} (now {_shown(now.get(key))})")
    return told


def _one_order(shown: Shipped) -> bool:
    """Whether all seat orders are rotations of one, as those of one agent among equal ones."""
    found = shown.design(installed()).seatings()
    return found is not None and found.orders == 1


def _shown(value: Any) -> str:
    return "not set" if value is None else f"`{json.dumps(value)}`"


def _most_games(name: str, folder: Path) -> int:
    """How many games of an arm were played; a claim may count the seats of some of them."""
    counted = read_rows(folder / f"{name}-standings.csv") or read_rows(folder / f"{name}.csv")
    return max(int(row["games"]) for row in counted)


def rebuilt(page: str, folder: Path) -> str:
    """The page with the part between its marks replaced."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{results_text(folder)}\n\n{END}{tail}"


if __name__ == "__main__":
    results, target = Path(sys.argv[1]), Path(sys.argv[2])
    text = rebuilt(target.read_text(encoding="utf-8"), results)
    target.write_text(text, encoding="utf-8")
