"""Verdicts on the printed Opponent Impact: Figure 5 of the MP-Mix paper and its order of games."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from mpsearch import api
from mpsearch.contracts import pick
from mpsearch.experiments import TomlFile, Z, normal_p
from mpsearch.studies.impact import (
    ImpactTable,
    Share,
    Survey,
    make_surveys,
    printed_figures,
    printed_impact,
    read_depths,
)
from mpsearch.studies.reproduce.claims import Claim, Verdict, decided, measured
from mpsearch.studies.reproduce.run import Evidence, Reproduction
from mpsearch.studies.reproduce.shipped_designs import Shipped

#: Its name among the reproductions, and the seed of its games.
IMPACT = "impact"
SEED = 28
#: As printed, from least to greatest.
ORDER = ("bingo", "hearts", "risk_lite", "go_fish")


def impact_surveys(scale: str, *, games: int | None = None, seed: int = SEED) -> list[list[Survey]]:
    """The surveys of each game."""
    values = printed_figures()
    chosen: dict[str, Any] = pick(values["scale"], scale, kind="scale")
    return [
        make_surveys(
            api.table(game),
            [values["games"][game]["agent"]],
            games=chosen["games"] if games is None else games,
            depths=read_depths(chosen["depths"]),
            evaluator=values["games"][game].get("evaluator"),
            seed=seed,
        )
        for game in ORDER
    ]


def shipped_impact(scale: str) -> Shipped:
    """Its entry in the list of reproductions; the claims follow from the printed figures."""
    file = TomlFile("game = 'several'", name="impact.toml")
    values = printed_figures()
    return Shipped.of(values, name=IMPACT, scale=scale, seed=SEED, claims=(), file=file)


def judged_impact(scale: str, table: ImpactTable, *, seed: int = SEED) -> Reproduction:
    """Verdicts on the printed figures by the games so far."""
    found = {
        finding.game: MeasuredImpact(
            {row.depth: row.total for row in finding.rows if row.reading == "variation"},
            len(finding.samples),
        )
        for finding in table.findings
    }
    return Reproduction(
        shipped=shipped_impact(scale),
        seed=seed,
        verdicts=tuple(judge_impact(found)),
        evidence=Evidence(
            text=table.__str__,
            parts=lambda: [table._repr_html_()],
            rows=table.rows_of_csv,
            figure=table.figure,
        ),
    )


class MeasuredImpact(NamedTuple):
    """Shares of influential states in one game by depth, and the number of games."""

    shares: dict[int, Share]
    games: int


def judge_impact(found: Mapping[str, MeasuredImpact]) -> list[Verdict]:
    """Verdicts on every printed figure whose depth was measured, and on the printed order.

    Figures printed for a game as a whole have no depth to compare with.
    """
    made = [
        _figure(game, depth, printed, seen)
        for game, seen in found.items()
        for depth, printed in printed_impact(game).items()
        if depth in seen.shares
    ]
    there = [game for game in ORDER if game in found]
    deepest = min((max(seen.shares) for seen in found.values()), default=0)
    made += [
        _order(low, high, found[low], found[high], deepest)
        for low, high in itertools.pairwise(there)
    ]
    return decided(made)


def _figure(game: str, depth: int, printed: float, seen: MeasuredImpact) -> Verdict:
    share = seen.shares[depth]
    # How alike the states of one tournament are is not printed: assumed as in ours.
    theirs = _error(share) * math.sqrt(seen.games / printed_figures()["tournaments"])
    claim = Claim(
        text=f"Opponent Impact of {game} at depth {depth}",
        printed=f"{100 * printed:g} %",
        share=game,
        points=100 * printed,
        error=100 * theirs,
    )
    p = normal_p((share.oi - printed) / math.hypot(_error(share), theirs))
    return measured(claim, share.oi, share.low, share.high, p, seen.games)


def _order(
    low: str, high: str, below: MeasuredImpact, above: MeasuredImpact, depth: int
) -> Verdict:
    less, more = below.shares[depth], above.shares[depth]
    claim = Claim(
        text=f"Opponent Impact of {high} is above that of {low} (depth {depth})",
        printed="Bingo 0 < Hearts .35 < Risk .85 < Go Fish 1",
        first=high,
        second=low,
    )
    gap = more.oi - less.oi
    error = (_error(less) ** 2 + _error(more) ** 2) ** 0.5
    games = min(below.games, above.games)
    return measured(claim, gap, gap - Z * error, gap + Z * error, normal_p(gap / error), games)


def _error(share: Share) -> float:
    return (share.high - share.low) / (2 * Z)
