"""Claims of a paper in numbers, and the one rule that compares our games with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import attrs

from mpsearch.experiments import ALPHA, Z, holm, normal_p, two_proportions

AGREES, DISAGREES, UNDECIDED = "agrees", "disagrees", "not enough games"
#: Our interval excludes the printed figure, but not once the printed figure's own error counts.
LESS, MORE = "less than printed, but compatible", "more than printed, but compatible"
VERDICTS = (AGREES, LESS, MORE, DISAGREES, UNDECIDED)
#: The first word of a claim that no paper makes.
OURS = "Ours"
#: A share agrees with a printed one only if its half-width is at most this, in points.
ENOUGH = 5.0


def _names(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@attrs.frozen(kw_only=True)
class Claim:
    """One sentence of a paper, in numbers.

    It claims one of: an order (`first` wins more than `second`); that the two are `alike`; that a
    test at a `level` does not tell them apart; a `share` of games won; a length of games
    (`plies`). Players are written `ARM` (the arm's first agent), `ARM | AGENT` or
    `ARM | best other`; the shares of several are added.
    """

    text: str
    #: What is printed, in words.
    printed: str
    first: tuple[str, ...] = attrs.field(default=(), converter=_names)
    second: tuple[str, ...] = attrs.field(default=(), converter=_names)
    alike: bool = False
    #: Two are alike if they differ by less, in points.
    least: float = 0.0
    #: The paper's own test of two proportions has a p above this.
    level: float | None = None
    share: str | None = None
    #: The mean length of this arm's games is `between` two bounds, in units of `unit` plies.
    plies: str | None = None
    unit: int = 1
    between: Sequence[float] | None = None
    #: The printed shares in points; for an order, of `first` and `second`. Where a paper prints
    #: only p < .01, the least that gives it.
    shares: Sequence[float] = ()
    #: The games behind each; None if the printed figures are taken as exact.
    games: int | None = None
    #: Which printed share is known without games, because all seats are alike.
    symmetric: int | None = None
    #: The printed size and its standard error, in points, where shares are not printed.
    points: float | None = None
    error: float | None = None
    #: `game`: games won by all seats of an agent; `seat`: wins / (wins + losses) of a seat.
    per: str = attrs.field(default="game", validator=attrs.validators.in_(("game", "seat")))

    @property
    def size(self) -> float | None:
        """The printed share or difference in points; None if there is none."""
        if self.alike or self.level is not None:
            return 0.0
        if self.points is not None or not self.shares:
            return self.points
        # Of an order, the difference of the two.
        return self.shares[0] - (self.shares[1] if self.first else 0.0)

    @property
    def size_error(self) -> float:
        """The standard error of the printed estimate; 0 if its number of games is not printed."""
        if self.error is not None:
            return self.error
        if self.games is None or not self.shares:
            return 0.0
        drawn = [share / 100 for k, share in enumerate(self.shares) if k != self.symmetric]
        variance = sum(share * (1 - share) for share in drawn)
        if len(drawn) == 2 and len(self.arms) == 1 and self.per == "game":
            # At one table only one of them can win.
            variance = sum(drawn) - (drawn[0] - drawn[1]) ** 2
        return 100 * math.sqrt(variance / self.games)

    @property
    def arms(self) -> set[str]:
        """The arms it compares."""
        return {name.partition("|")[0].strip() for name in self.first + self.second}


@attrs.frozen(kw_only=True)
class Verdict:
    """What our games say about a claim, in percentage points or units of length."""

    claim: Claim
    ours: float
    low: float
    high: float
    #: p-value of the difference from zero or from the printed share, and the same corrected for
    #: all claims of the experiment (Holm).
    p: float
    corrected: float = 1.0
    games: int
    #: The two shares behind a difference of two shares.
    shares: tuple[float, ...] = ()
    verdict: str = UNDECIDED

    @property
    def error(self) -> float:
        """The standard error of ours and the printed estimate together."""
        return math.hypot((self.high - self.low) / (2 * Z), self.claim.size_error)

    @property
    def miss(self) -> float:
        """How far ours is below the printed size, in standard errors; nan if unknown."""
        size, error = self.claim.size, self.error
        return math.nan if size is None or not error > 0 else (size - self.ours) / error


def measured(
    claim: Claim,
    mean: float,
    low: float,
    high: float,
    p: float,
    games: int,
    *,
    shares: Sequence[float] = (),
) -> Verdict:
    """A measurement of a claim, given as shares; `decided` gives the verdict."""
    return Verdict(
        claim=claim,
        ours=100 * mean,
        low=100 * low,
        high=100 * high,
        p=p,
        games=games,
        shares=tuple(100 * share for share in shares) if len(shares) == 2 else (),
    )


def nothing(claim: Claim) -> Verdict:
    """The measurement of a claim without any game."""
    return measured(claim, math.nan, math.nan, math.nan, 1.0, 0)


def decided(found: Sequence[Verdict]) -> list[Verdict]:
    """The measurements with p corrected for all of them together, and their verdicts."""
    # A claim without games asked no question.
    corrected = iter(holm([verdict.p for verdict in found if verdict.games]))
    judged = []
    for verdict in found:
        known = attrs.evolve(verdict, corrected=next(corrected)) if verdict.games else verdict
        judged.append(attrs.evolve(known, verdict=_decide(known)))
    return judged


def _decide(found: Verdict) -> str:
    """The rule for every claim, stated in docs/results/reproductions.md.

    A claim agrees if our games show it. It disagrees if they show the opposite, or if ours and the
    printed figure differ by more than both errors allow. In between, ours is less (more) than
    printed if the printed figure, taken as exact, lies outside our interval.
    """
    claim = found.claim
    if found.games < 2:
        return UNDECIDED
    if claim.between is not None:
        least, most = claim.between
        if least <= found.low and found.high <= most:
            return AGREES
        return DISAGREES if found.high < least or found.low > most else UNDECIDED
    shown = found.corrected < ALPHA
    if claim.share is not None:
        # The test counted both errors.
        if shown:
            return DISAGREES
        return AGREES if found.high - found.low <= 2 * ENOUGH else UNDECIDED
    if claim.level is not None:
        return _untold(found, claim.level)
    if claim.alike:
        if -claim.least < found.low and found.high < claim.least:
            return AGREES
        if not shown:
            return UNDECIDED
        return DISAGREES if claim.games is None or abs(found.miss) > Z else MORE
    if shown:
        return AGREES if found.ours > 0 else DISAGREES
    if not claim.size or found.high >= claim.size:
        return UNDECIDED
    return DISAGREES if found.miss > Z else LESS


def _untold(found: Verdict, level: float) -> str:
    """Whether the paper's own test fails to tell ours apart too, with no fewer games."""
    claim = found.claim
    if claim.games is None or found.games < claim.games or len(found.shares) != 2:
        return UNDECIDED
    one, two = (share * found.games / 100 for share in found.shares)
    if two_proportions(one, found.games, two, found.games) >= level:
        return AGREES
    # The least difference that the printed games would have told apart.
    bound = claim.size_error * NormalDist().inv_cdf(1 - level / 2)
    return DISAGREES if abs(found.ours) - bound > Z * found.error else MORE


def share_p(claim: Claim, wins: float, games: int) -> float:
    """p-value of our share against the printed one."""
    printed = claim.shares[0] / 100
    if claim.games is not None:
        return two_proportions(wins, games, printed * claim.games, claim.games)
    # Without its number of games, the printed share is taken as exact.
    error = max(printed * (1 - printed) / games, 1e-12) ** 0.5
    return normal_p((wins / games - printed) / error)


def verdict_entries(found: Verdict) -> dict[str, Any]:
    """A verdict as a table row, empty where unknown."""

    def rounded(value: float, digits: int = 2) -> float | str:
        return "" if math.isnan(value) else round(value, digits)

    first, second = found.shares if len(found.shares) == 2 else (math.nan, math.nan)
    return {
        "claim": found.claim.text,
        "printed": found.claim.printed,
        "ours": rounded(found.ours),
        "low": rounded(found.low),
        "high": rounded(found.high),
        "first": rounded(first),
        "second": rounded(second),
        "p": float(f"{found.p:.3g}"),
        "p_holm": float(f"{found.corrected:.3g}"),
        "miss": rounded(found.miss, 1),
        "verdict": found.verdict,
        "games": found.games,
    }
