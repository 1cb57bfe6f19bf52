"""Rebuilds the tables of the findings from the committed CSVs, without playing.

    python tools/findings_page.py docs/results
    python tools/findings_plots.py docs/results

write what stands between the marks of docs/results/findings.md, and the plots beside it; the rest
of the page is written by hand. The CSVs come from `keep.py`, `dose.py` and `replicator.py` in
benchmarks/findings.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kept_results import read_rows

from mpsearch.experiments import Z, holm, normal_p

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
from findings import replicator

Row = dict[str, str]
MARK = re.compile(r"<!-- begin (?P<name>[\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
#: Points of a score on the scale of the evaluator `paper` of Hearts.
PER_POINT = 0.8
#: Redraws of the payoffs of a game of stances, for the error of what is stable.
REDRAWS = 100


def points(row: Row, mean: str = "difference") -> str:
    """A difference of shares with its interval, in points."""
    values = (100 * float(row[key]) for key in (mean, "low", "high"))
    return "{:+.1f} [{:+.1f}, {:+.1f}]".format(*values)


def percent(text: str) -> str:
    return f"{100 * float(text):.1f}" if text else "-"


def chance(p: float) -> str:
    return f"{p:.2g}" if p < 0.0995 else f"{p:.2f}"


def figures(row: Row, corrected: float | None = None) -> tuple[str, str, str]:
    """The corrected p-value and the number of games."""
    p_holm = float(row["p_holm"]) if corrected is None else corrected
    return chance(float(row["p"])), chance(p_holm), row["games"]


def table(head: str, rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {head} |", "|---" * len(head.split(" | ")) + "|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


# Thresholds


def threshold(row: Row, scale: float) -> str:
    """`td=2.4` as the number of points of the score that it is."""
    return f"{float(row['threshold'].partition('=')[2]) / scale:g}"


def run_rows(folder: Path, name: str) -> list[Row]:
    """The comparisons of a design, over both runs if there is a second one, NAME-2.csv."""
    first, second = (read_rows(folder / f"{run}.csv") for run in (name, f"{name}-2"))
    if not second:
        return first
    both = [pooled(*runs) for runs in zip(first, second, strict=True)]
    corrected = holm([float(row["p"]) for row in both])
    return [{**row, "p_holm": str(p)} for row, p in zip(both, corrected, strict=True)]


def pooled(*runs: Row) -> Row:
    """One comparison in runs with different seeds, weighted by games; normal approximation."""
    games = [int(row["games"]) for row in runs]
    weighted = list(zip(games, runs, strict=True))

    def mean(key: str) -> float:
        return sum(n * float(row[key]) for n, row in weighted) / sum(games)

    reaches = [n * (float(row["high"]) - float(row["low"])) / 2 for n, row in weighted]
    middle, reach = mean("difference"), math.hypot(*reaches) / sum(games)
    figures = {
        "difference": middle,
        "low": middle - reach,
        "high": middle + reach,
        "p": normal_p(Z * middle / reach),
    }
    if runs[0]["threshold"]:
        figures |= {key: mean(key) for key in ("reached", "room")}
    return {**runs[0], **{k: str(v) for k, v in figures.items()}, "games": str(sum(games))}


def thresholds(name: str, scale: float = 1.0) -> Callable[[Path], str]:
    def made(folder: Path) -> str:
        rows = [
            (
                row["first"].partition(" ")[0],
                threshold(row, scale) if row["threshold"] else "-",
                percent(row["reached"]),
                percent(row["room"]),
                points(row),
                *figures(row),
            )
            for row in run_rows(folder, name)
        ]
        return table(
            "arm | threshold | reached % | room | gain, points [95 %] | p | Holm | games", rows
        )

    return made


def rooms(folder: Path) -> str:
    rows = []
    for row in read_rows(folder / "hearts-thresholds-rooms.csv"):
        name, _, value = row["threshold"].partition("=")
        told = [percent(row[key]) for key in ("reached", "lost", "room")]
        rows.append((name.title(), f"{float(value) / PER_POINT:g}", *told, row["games"]))
    return table("threshold | points | reached % | then lost % | room | games", rows)


# Forced leads

LEADS = ("hearts-lead-leader", "hearts-lead-rival", "risk-lead-leader", "risk-lead-rival")


def lead_rows(folder: Path) -> list[tuple[str, Row, float]]:
    """All comparisons of the four designs, corrected together."""
    found = [(name, row) for name in LEADS for row in read_rows(folder / f"{name}.csv")]
    corrected = holm([float(row["p"]) for _, row in found])
    return [(name, row, p) for (name, row), p in zip(found, corrected, strict=True)]


def _share(folder: Path, name: str, arm: str) -> str:
    rows = read_rows(folder / f"{name}-standings.csv")
    return percent(next(row["wins"] for row in rows if row["arm"] == arm))


def leads(folder: Path) -> str:
    rows = []
    for name, row, p in lead_rows(folder):
        shares = [_share(folder, name, arm) for arm in (row["first"], "maxn")]
        rows.append((f"`{name}`", row["first"], *shares, points(row), *figures(row, p)))
    head = "design | stance of seat 0 | wins % | MaxN % | points [95 %] | p | Holm | games"
    return table(head, rows)


# Dose and response

DOSES = {
    "quoridor-walls": "Quoridor, walls each",
    "scramble-back": "Scramble, squares thrown back",
    "risk-bonus": "Risk-lite, bonus multiplier",
    "go-fish-asking": "Go Fish, one may ask for",
}


#: What is asked of the doses together: of which arm, and by what.
TRENDS = (
    ("MP-Mix, by OI (planned)", "mix reached=50", "oi_variation"),
    ("attacking part, by the option's value (exploratory)", "attacks reached=50", "value"),
)


def dose_rows(
    folder: Path, kind: str = "dose", arm: str = "mix reached=50"
) -> list[tuple[str, Row, float]]:
    """One comparison for each value of each option, corrected together; the planned one."""
    found = [
        (name, row)
        for name in DOSES
        for row in read_rows(folder / f"{kind}-{name}.csv")
        if row["arm"] == arm
    ]
    corrected = holm([float(row["p"]) for _, row in found])
    return [(name, row, p) for (name, row), p in zip(found, corrected, strict=True)]


def trend(rows: Sequence[Row], key: str = "oi_variation") -> tuple[float, float]:
    """The slope of gain over impact, by weighted least squares, and its standard error.

    In points of wins for a unit of the key; doses are independent games.
    """
    x = [float(row[key]) for row in rows]
    y = [100 * float(row["gain"]) for row in rows]
    weights = [(2 * Z / (100 * (float(r["high"]) - float(r["low"])))) ** 2 for r in rows]
    middle = sum(w * a for w, a in zip(weights, x, strict=True)) / sum(weights)
    spread = sum(w * (a - middle) ** 2 for w, a in zip(weights, x, strict=True))
    if spread == 0:
        return math.nan, math.nan
    slope = sum(w * (a - middle) * b for w, a, b in zip(weights, x, y, strict=True)) / spread
    return slope, 1 / math.sqrt(spread)


def doses(folder: Path) -> str:
    found = dose_rows(folder)
    rows = [
        (
            DOSES[name],
            row["value"],
            f"{float(row['oi_variation']):.2f}",
            f"{float(row['oi_spread']):.2f}",
            row["baseline"],
            percent(row["room"]),
            points(row, "gain"),
            *figures(row, p),
        )
        for name, row, p in found
    ]
    slopes = [
        (words, what, *slope)
        for name, words in DOSES.items()
        for what, arm, key in TRENDS
        for slope in _slopes([r for n, r, _ in dose_rows(folder, arm=arm) if n == name], key)
    ]
    head = "game, option | value | OI | spread | baseline | room | gain, points [95 %]"
    first = table(f"{head} | p | Holm | games", rows)
    return f"{first}\n\n{table('game, option | trend | points for one [95 %] | p', slopes)}"


def _slopes(rows: Sequence[Row], key: str) -> Iterator[tuple[str, str]]:
    """A slope with its interval, and its p; none where there are too few doses."""
    slope, error = trend(rows, key) if len(rows) > 2 else (math.nan, math.nan)
    if not math.isnan(slope):
        low, high = slope - Z * error, slope + Z * error
        yield f"{slope:+.1f} [{low:+.1f}, {high:+.1f}]", chance(normal_p(slope / error))


def dose_parts(folder: Path) -> str:
    """The two parts of MP-Mix apart, and the same with ties broken by the attacker's own value."""
    columns = [
        {(name, row["value"]): points(row, "gain") for name, row, _ in dose_rows(folder, *which)}
        for which in (
            ("dose", "defends reached=50"),
            ("dose", "attacks reached=50"),
            ("dose-own", "attacks reached=50"),
            ("dose-own", "mix reached=50"),
        )
    ]
    rows = [
        (DOSES[name], row["value"], *(found.get((name, row["value"]), "-") for found in columns))
        for name, row, _ in dose_rows(folder)
    ]
    head = "game, option | value | defends only | attacks only"
    return table(f"{head} | attacks only, `own=0.01` | both, `own=0.01`", rows)


# The game of stances

STANCES = {"scramble": "Scramble", "quoridor": "Quoridor 5x5", "risk": "Risk-lite, straits"}


def stance_payoffs(folder: Path, name: str) -> tuple[dict[Any, float], dict[Any, int]]:
    found: dict[Any, float] = {}
    games: dict[Any, int] = {}
    for row in read_rows(folder / f"stances-{name}.csv"):
        others = tuple(row["others"].split())
        found[row["role"], others] = float(row["share"])
        games[tuple(sorted((row["role"], *others)))] = int(row["games"])
    return found, games


def stances(folder: Path) -> str:
    parts = []
    for name, words in STANCES.items():
        found, games = stance_payoffs(folder, name)
        if not found:
            continue
        roles = sorted({role for role, _ in found})
        n = min(games.values())
        rows = [
            (role, *(f"{100 * found[role, (other, other)]:.1f}" for other in roles))
            for role in roles
        ]
        parts.append(
            f"**{words}**, {n} games of each of {len(games)} mixtures; wins of one of the row "
            "among two of the column, %:"
        )
        parts.append(table(" | ".join(("one among two of", *roles)), rows))
        parts.append(_resting(found, games, roles))
    return "\n\n".join(parts)


def _resting(found: Any, games: Any, roles: Sequence[str]) -> str:
    """Where the dynamics end, with the payoffs as measured and resampled."""
    ends = replicator.stable(found, roles, 3, starts=20, seed=0)
    told = "; ".join(
        f"{count} of 20 starts end at {_mixture(roles, end)}" for end, count in ends.most_common()
    )
    drawn = replicator.redrawn_ends(found, games, roles, draws=REDRAWS, seed=0)
    kept = ", ".join(
        f"{role} {100 * share.mean():.0f} [{low:.0f}, {high:.0f}]"
        for role, share in zip(roles, drawn.T, strict=True)
        for low, high in [_middle(100 * share)]
    )
    return (
        f"{told[0].upper()}{told[1:]}. In {REDRAWS} redraws of the games the population at rest "
        f"has, %, mean [5 to 95 %]: {kept}."
    )


def _middle(values: Any) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]


def _mixture(roles: Sequence[str], end: Sequence[float]) -> str:
    return ", ".join(f"{role} {100 * x:.0f} %" for role, x in zip(roles, end, strict=True) if x > 0)


# Horizons


def horizons(name: str) -> Callable[[Path], str]:
    def made(folder: Path) -> str:
        rows = []
        for row in first_agents(folder, name):
            values = [f"{100 * float(row[key]):.1f}" for key in ("wins", "wins_low", "wins_high")]
            nodes = f"{float(row['nodes']):,.0f}"
            rows.append((row["arm"], "{} [{}, {}]".format(*values), nodes, row["games"]))
        compared = [
            (row["first"], row["second"], points(row), *figures(row))
            for row in read_rows(folder / f"{name}.csv")
        ]
        first = table("arm | wins % [95 %] | nodes a move | games", rows)
        return f"{first}\n\n{table('who | minus | points [95 %] | p | Holm | games', compared)}"

    return made


def first_agents(folder: Path, name: str) -> list[Row]:
    """The standings of the agent that is exchanged: the first of every arm."""
    found: dict[str, Row] = {}
    for row in read_rows(folder / f"{name}-standings.csv"):
        found.setdefault(row["arm"], row)
    return list(found.values())


#: How many of an opponent's choices had been seen: the numbers in learned-horizons.csv.
CHOICES = {"1": "1 to 3", "4": "4 to 7", "8": "8 to 15", "16": "16 and more"}


def learned_horizons(folder: Path) -> str:
    rows = [
        (
            row["looks"],
            CHOICES[row["choices"]],
            *(percent(row[f"taken_{plies}"]) for plies in (1, 2, 3)),
            f"{percent(row['low'])} to {percent(row['high'])}",
            row["moves"],
        )
        for row in read_rows(folder / "learned-horizons.csv")
    ]
    head = "looks, plies | choices seen | taken for one, % | for two | for farther"
    return table(f"{head} | right, 95 % | moves", rows)


TABLES: dict[str, Callable[[Path], str]] = {
    "hearts-rooms": rooms,
    "hearts-thresholds": thresholds("hearts-thresholds", PER_POINT),
    "hearts-thresholds-chance": thresholds("hearts-thresholds-chance"),
    "hearts-own": thresholds("hearts-own", PER_POINT),
    "risk-thresholds": thresholds("risk-thresholds"),
    "leads": leads,
    "doses": doses,
    "dose-parts": dose_parts,
    "stances": stances,
    "horizon-selfish": horizons("horizon-selfish"),
    "horizon-oriented": horizons("horizon-oriented"),
    "horizon-oriented-deep": horizons("horizon-oriented-deep"),
    "learned-horizons": learned_horizons,
    "horizon-learned": horizons("horizon-learned"),
    "horizon-mixed": horizons("horizon-mixed"),
    "horizon-learned-oriented": horizons("horizon-learned-oriented"),
}


def rebuilt(page: str, folder: Path) -> str:
    """The page with everything between its marks replaced."""

    def part(found: re.Match[str]) -> str:
        name = found["name"]
        return f"<!-- begin {name} -->\n\n{TABLES[name](folder)}\n\n<!-- end -->"

    return MARK.sub(part, page)


if __name__ == "__main__":
    results = Path(sys.argv[1])
    target = results / "findings.md"
    target.write_text(rebuilt(target.read_text(encoding="utf-8"), results), encoding="utf-8")
