"""Opponent Impact as printed: figure 5 of the MP-Mix paper, and the order of its games."""

from __future__ import annotations

import itertools
from typing import Any

from mpsearch.contracts import pick
from mpsearch.experiments.inference import normal_p
from mpsearch.experiments.statistics import Z
from mpsearch.experiments.toml_file import TomlFile
from mpsearch.impact.estimate import Share
from mpsearch.impact.measure import opponent_impact
from mpsearch.impact.printed import figures, printed_impact
from mpsearch.reproduce.claims import UNDECIDED, Claim, Verdict, decided
from mpsearch.reproduce.run import Reproduction
from mpsearch.reproduce.shipped import Shipped

#: Its name among the reproductions, and the seed of its games.
IMPACT = "impact"
SEED = 28
#: From the least to the greatest, as printed.
ORDER = ("bingo", "hearts", "risk_lite", "go_fish")


def reproduce_impact(scale: str, *, games: int | None = None, processes: int = 1) -> Reproduction:
    """Measure the printed games, and judge what is printed of them."""
    values = figures()
    chosen: dict[str, Any] = pick(values["scale"], scale, kind="scale")
    count = chosen["games"] if games is None else games
    found: dict[str, dict[int, Share]] = {}
    for game in ORDER:
        settings = values["games"][game]
        table = opponent_impact(
            game,
            depths=chosen["depths"],
            games=count,
            agents=settings["agent"],
            evaluator=settings.get("evaluator"),
            seed=SEED,
            processes=processes,
        )
        found[game] = {
            row.depth: row.total for row in table.findings[0].rows if row.reading == "variation"
        }
    shipped = Shipped(
        name=IMPACT,
        rows=tuple(values["rows"]),
        paper=values["paper"],
        about=values["about"],
        scale=scale,
        claims=(),
        file=TomlFile("game = 'several'", name="impact.toml"),
    )
    return Reproduction(shipped=shipped, seed=SEED, verdicts=tuple(judge_impact(found, count)))


def judge_impact(found: dict[str, dict[int, Share]], games: int) -> list[Verdict]:
    """A verdict for every printed figure whose depth was measured, and for the printed order."""
    made = [
        _figure(game, depth, printed, shares, games)
        for game, shares in found.items()
        for depth, printed in printed_impact(game).items()
        if (depth or max(shares)) in shares
    ]
    deepest = min(max(shares) for shares in found.values())
    made += [
        _order(low, high, found[low][deepest], found[high][deepest], deepest, games)
        for low, high in itertools.pairwise(ORDER)
    ]
    return decided(made)


def _figure(game: str, depth: int, printed: float, shares: dict[int, Share], games: int) -> Verdict:
    share = shares[depth or max(shares)]
    where = f"at depth {depth}" if depth else f"as a whole (ours: depth {max(shares)})"
    claim = Claim(
        text=f"Opponent Impact of {game} {where}",
        printed=f"{100 * printed:g} %",
        share=game,
        points=100 * printed,
    )
    return _verdict(
        claim, share.oi, share.low, share.high, share.oi - printed, _error(share), games
    )


def _order(low: str, high: str, less: Share, more: Share, depth: int, games: int) -> Verdict:
    claim = Claim(
        text=f"Opponent Impact of {high} is above that of {low} (depth {depth})",
        printed="Bingo 0 < Hearts .35 < Risk .85 < Go Fish 1",
        first=high,
        second=low,
    )
    gap = more.oi - less.oi
    error = (_error(less) ** 2 + _error(more) ** 2) ** 0.5
    return _verdict(claim, gap, gap - Z * error, gap + Z * error, gap, error, games)


def _error(share: Share) -> float:
    return (share.high - share.low) / (2 * Z)


def _verdict(
    claim: Claim, ours: float, low: float, high: float, miss: float, error: float, games: int
) -> Verdict:
    return Verdict(
        claim=claim,
        verdict=UNDECIDED,
        ours=100 * ours,
        low=100 * low,
        high=100 * high,
        p=normal_p(miss / error),
        games=games,
    )
