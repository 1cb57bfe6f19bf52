"""Verdicts from the CSVs that an experiment wrote, without playing again.

An experiment writes a CSV of its claims and one of its standings. A claim added later has no
figures there; it is judged by the shares in the standings, with arms taken as independent.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from mpsearch.experiments import Z, normal_p
from mpsearch.studies.impact import Share
from mpsearch.studies.reproduce.claims import Claim, Verdict, decided, measured, nothing, share_p
from mpsearch.studies.reproduce.impact import ORDER, MeasuredImpact, judge_impact
from mpsearch.studies.reproduce.measures import BEST_OTHER, signed
from mpsearch.studies.reproduce.shipped_designs import shipped

Row = Mapping[str, str]


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV; none if there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rejudge(name: str, claims: Sequence[Claim], folder: Path) -> list[Verdict]:
    """Verdicts on all claims of an experiment from its CSVs."""
    rows = {row["claim"]: row for row in read_rows(folder / f"{name}.csv")}
    return decided(
        [
            _read(claim, rows[claim.text])
            if claim.text in rows
            else _from_standings(claim, name, folder)
            for claim in claims
        ]
    )


def impact_verdicts(rows: Iterable[Row]) -> list[Verdict]:
    """Verdicts on the printed Opponent Impact from the rows of its CSV."""
    found: dict[str, MeasuredImpact] = {}
    for row in rows:
        if (row["reading"], row["scope"]) == ("variation", "all"):
            seen = found.setdefault(row["game"], MeasuredImpact({}, int(row["games"])))
            figures = {key: float(row[key]) for key in ("oi", "low", "high")}
            seen.shares[int(row["depth"])] = Share(**figures, states=int(row["states"]))
    return judge_impact({game: found[game] for game in ORDER if game in found})


def by_shares(name: str, claims: Sequence[Claim], folder: Path) -> set[str]:
    """The texts of the claims without figures of their own."""
    kept = {row["claim"] for row in read_rows(folder / f"{name}.csv")}
    return {claim.text for claim in claims} - kept


def _read(claim: Claim, row: Row) -> Verdict:
    def number(key: str) -> float:
        return float(row[key]) if row[key] else math.nan

    shares = tuple(number(key) for key in ("first", "second"))
    return Verdict(
        claim=claim,
        ours=number("ours"),
        low=number("low"),
        high=number("high"),
        p=number("p"),
        games=int(row["games"]),
        shares=() if any(map(math.isnan, shares)) else shares,
    )


def _from_standings(claim: Claim, name: str, folder: Path) -> Verdict:
    names = signed(claim) if claim.share is None else [(1, claim.share)]
    terms = [(sign, _find(who, name, folder)) for sign, who in names]
    known = [(sign, found) for sign, found in terms if found is not None]
    if not known or len(known) < len(terms):
        return nothing(claim)
    seats = claim.per == "seat"
    games = min(found.seats if seats else found.games for _, found in known)
    shares = [found.per_seat if seats else found.share for _, found in known]
    ours = sum(sign * share for (sign, _), share in zip(known, shares, strict=True))
    if seats:
        variance = sum(found.per_seat * (1 - found.per_seat) / found.seats for _, found in known)
    else:
        variance = _table_variance(known)
    error = math.sqrt(variance)
    p = normal_p(ours / error) if claim.share is None else share_p(claim, ours * games, games)
    reach = Z * error
    return measured(claim, ours, ours - reach, ours + reach, p, games, shares=shares)


@attrs.frozen(kw_only=True)
class _Standing:
    """The standing of an agent in an arm."""

    #: Experiment and arm: one winner per game.
    table: tuple[str, str]
    #: Share of games won by all its seats together, and by one of them on average.
    share: float
    per_seat: float
    games: int
    #: All its seats in all games.
    seats: int
    #: `share` divided by the share of all its seats.
    part: float = 1.0


def _find(who: str, name: str, folder: Path) -> _Standing | None:
    """The standing of `ARM | AGENT`, or of `EXPERIMENT: ARM | AGENT` in another experiment."""
    place, _, role = (part.strip() for part in who.partition("|"))
    experiment, arm = place.split(": ") if ": " in place else (name, place)
    rows = [r for r in read_rows(folder / f"{experiment}-standings.csv") if r["arm"] == arm]
    if role == BEST_OTHER:
        # The arm's first agent is in the first row.
        row = max(rows[1:], key=lambda r: float(r["won_of_decided"]), default=None)
    else:
        row = next((r for r in rows if role in ("", r["role"])), None)
    if row is None:
        return None
    share, per_seat, games = float(row["wins"]), float(row["won_of_decided"]), int(row["games"])
    players = int(shipped(experiment, scale="day").file.values["players"])
    part = per_seat / share if role == BEST_OTHER and share else 1.0
    return _Standing(
        table=(experiment, arm),
        share=part * share,
        per_seat=per_seat,
        games=games,
        seats=round(float(row["equal"]) * players * games),
        part=part,
    )


def _table_variance(terms: Sequence[tuple[int, _Standing]]) -> float:
    """The variance of a sum of shares; one winner per game of a table, tables independent."""
    variance = 0.0
    for table in {found.table for _, found in terms}:
        own = [(sign * found.part, found) for sign, found in terms if found.table == table]
        squares = sum(weight**2 * found.share / found.part for weight, found in own)
        mean = sum(weight * found.share / found.part for weight, found in own)
        variance += (squares - mean**2) / own[0][1].games
    return variance
