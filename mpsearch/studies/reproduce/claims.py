"""Claims of a paper in numbers, and the one rule by which games of ours are held against them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch.experiments import ALPHA, Z, holm, normal_p, two_proportions

AGREES, DISAGREES, UNDECIDED = "agrees", "disagrees", "not enough games"
#: Our games rule out what is printed, but not if the error of what is printed is counted too.
LESS, MORE = "less than printed, but compatible", "more than printed, but compatible"
VERDICTS = (AGREES, LESS, MORE, DISAGREES, UNDECIDED)
#: How a claim begins that no paper makes.
OURS = "Ours"
#: A share is known well enough to agree with a printed one from this half-width on, in points.
ENOUGH = 5.0


def _names(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _numbers(value: Sequence[float]) -> tuple[float, ...]:
    return tuple(value)


def _bounds(value: Sequence[float] | None) -> tuple[float, float] | None:
    return None if value is None else (value[0], value[1])


@attrs.frozen(kw_only=True)
class Claim:
    """One sentence of a paper, in numbers.

    One of: an order, `first` wins more than `second`; that these two are `alike`; that a test at
    a `level` does not tell them apart; a `share` of games won; a length of games, `plies`. Whose
    they are is written `ARM`, for the arm's first agent, or `ARM | AGENT`, or `ARM | best other`.
    With several names their shares are added.
    """

    text: str
    #: What is printed, in words.
    printed: str
    first: tuple[str, ...] = attrs.field(default=(), converter=_names)
    second: tuple[str, ...] = attrs.field(default=(), converter=_names)
    alike: bool = False
    #: Two are called alike if they differ by less, in points.
    least: float = 0.0
    #: Printed is that the paper's own test, two proportions, has a p above this.
    level: float | None = None
    share: str | None = None
    #: An arm whose games have a mean length `between` two bounds, in units of so many plies.
    plies: str | None = None
    unit: int = 1
    between: tuple[float, float] | None = attrs.field(default=None, converter=_bounds)
    #: The printed shares in points; of an order, of `first` and `second`. Where a paper prints
    #: p < .01 alone, the least that gives it.
    shares: tuple[float, ...] = attrs.field(default=(), converter=_numbers)
    #: The games behind each; None if what is printed is taken as it stands.
    games: int | None = None
    #: Which of the printed shares is known without games, because all seats are alike.
    symmetric: int | None = None
    #: The printed size and its standard error, in points, where shares are not printed.
    points: float | None = None
    error: float | None = None
    #: `game`: games won by all seats of an agent; `seat`: wins / (wins + losses) of a seat.
    per: str = attrs.field(default="game", validator=attrs.validators.in_(("game", "seat")))

    @property
    def is_order(self) -> bool:
        """Whether `first` is said to win more than `second`."""
        return bool(self.first) and not self.alike and self.level is None

    @property
    def size(self) -> float | None:
        """The printed estimate, in points: a share or a difference; None if there is none."""
        if self.alike or self.level is not None:
            return 0.0
        if self.points is not None or not self.shares:
            return self.points
        return self.shares[0] - (self.shares[1] if self.is_order else 0.0)

    @property
    def size_error(self) -> float:
        """The standard error of the printed estimate; 0 if the games behind it are not printed."""
        if self.error is not None:
            return self.error
        if self.games is None or not self.shares:
            return 0.0
        drawn = [share / 100 for k, share in enumerate(self.shares) if k != self.symmetric]
        variance = sum(share * (1 - share) for share in drawn)
        if len(drawn) == 2 and len(self.arms) == 1 and self.per == "game":
            # At one table only one of them wins a game.
            variance = sum(drawn) - (drawn[0] - drawn[1]) ** 2
        return 100 * math.sqrt(variance / self.games)

    @property
    def arms(self) -> set[str]:
        """The arms that it compares."""
        return {name.partition("|")[0].strip() for name in self.first + self.second}


@attrs.frozen(kw_only=True)
class Verdict:
    """What our games say to a claim. Numbers are in points of a hundred, or units of length."""

    claim: Claim
    ours: float
    low: float
    high: float
    #: The chance of so great a difference, from nothing or from the printed share, if there is
    #: none; and corrected for all claims of the experiment (Holm).
    p: float
    corrected: float = 1.0
    games: int
    #: The two shares behind a difference, where it is one of two shares.
    shares: tuple[float, ...] = ()
    verdict: str = UNDECIDED

    @property
    def miss(self) -> float:
        """How far below the printed size ours is, in standard errors of both; nan if unknown."""
        size = self.claim.size
        error = math.hypot((self.high - self.low) / (2 * Z), self.claim.size_error)
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
    """What was measured for a claim, as shares; whether it agrees is decided with all others."""
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
    """What is known of a claim without a game."""
    return measured(claim, math.nan, math.nan, math.nan, 1.0, 0)


def decided(found: Sequence[Verdict]) -> list[Verdict]:
    """The same with chances corrected for all of them, and the verdict that follows."""
    played = [verdict for verdict in found if verdict.games]
    corrected = iter(holm([verdict.p for verdict in played]))
    judged = []
    for verdict in found:
        # What was not played was not asked either.
        known = attrs.evolve(verdict, corrected=next(corrected)) if verdict.games else verdict
        judged.append(attrs.evolve(known, verdict=_decide(known)))
    return judged


def _decide(found: Verdict) -> str:
    """The rule, the same for every claim; docs/results/reproductions.md states it.

    What is claimed agrees if our games show it. It disagrees if they show the opposite, or if
    ours and what is printed differ by more than the errors of both allow. In between, ours is
    less (more) than printed if what is printed, taken as exact, lies outside our interval.
    """
    claim = found.claim
    if found.games < 2:
        return UNDECIDED
    if claim.between is not None:
        return _length(found, *claim.between)
    shown = found.corrected < ALPHA
    if claim.share is not None:
        # The test that was made counts both errors.
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


def _length(found: Verdict, least: float, most: float) -> str:
    if least <= found.low and found.high <= most:
        return AGREES
    return DISAGREES if found.high < least or found.low > most else UNDECIDED


def _untold(found: Verdict, level: float) -> str:
    """Whether the paper's own test does not tell ours apart either, with no fewer games."""
    claim = found.claim
    if claim.games is None or found.games < claim.games or len(found.shares) != 2:
        return UNDECIDED
    one, two = (share * found.games / 100 for share in found.shares)
    if two_proportions(one, found.games, two, found.games) >= level:
        return AGREES
    # What the printed games would just have told apart.
    bound = claim.size_error * _normal_quantile(level)
    error = math.hypot((found.high - found.low) / (2 * Z), claim.size_error)
    return DISAGREES if abs(found.ours) - bound > Z * error else MORE


def _normal_quantile(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - level / 2)


def share_p(claim: Claim, wins: float, games: int) -> float:
    """The chance of a share so far from the printed one, if both are draws of the same."""
    printed = claim.shares[0] / 100
    if claim.games is not None:
        return two_proportions(wins, games, printed * claim.games, claim.games)
    # Without the games behind it, what is printed is taken as it stands.
    error = max(printed * (1 - printed) / games, 1e-12) ** 0.5
    return normal_p((wins / games - printed) / error)


def verdict_entries(found: Verdict) -> dict[str, Any]:
    """What a table has of a verdict, empty where nothing is known."""

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
