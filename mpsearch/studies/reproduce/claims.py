"""Claims: what a paper prints, what our games say to it, and the chance behind the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from mpsearch import experiments
from mpsearch.experiments import ALPHA, GameResult, Z

AGREES, DISAGREES, UNDECIDED = "agrees", "disagrees", "not enough games"
#: How a claim begins that no paper makes.
OURS = "Ours"
#: A share is known well enough to agree with a printed one from this half-width on, in points.
ENOUGH = 5.0


@attrs.frozen(kw_only=True)
class Claim:
    """One sentence of a paper, in numbers.

    Either an order, `first` wins more than `second`; or that these two are `alike`; or a `share`
    of games won. Whose they are is written `ARM`, for the arm's first agent, or `ARM | AGENT`.
    """

    text: str
    #: What is printed, in words.
    printed: str
    first: str | None = None
    second: str | None = None
    #: The least difference, in points, that what is printed can mean.
    least: float = 0.0
    #: Printed is that there is no such difference.
    alike: bool = False
    share: str | None = None
    #: The printed share in points, and the games behind it.
    points: float | None = None
    games: int | None = None
    #: `game`: games won by all seats of an agent; `seat`: wins / (wins + losses) of a seat.
    per: str = attrs.field(default="game", validator=attrs.validators.in_(("game", "seat")))


@attrs.frozen(kw_only=True)
class Verdict:
    """What our games say to a claim. Numbers are in points of a hundred."""

    claim: Claim
    verdict: str
    ours: float
    low: float
    high: float
    #: The chance of so great a difference, from nothing or from the printed share, if there is
    #: none; corrected for all claims of the experiment (Holm).
    p: float
    games: int


def judge(claims: Sequence[Claim], games: Mapping[str, Sequence[GameResult]]) -> list[Verdict]:
    """A verdict for each claim, from the games of every arm."""
    return decided([_measure(claim, games) for claim in claims])


def decided(found: Sequence[Verdict]) -> list[Verdict]:
    """The same with chances corrected for all of them, and the verdict that follows."""
    played = [verdict for verdict in found if verdict.games]
    corrected = iter(experiments.holm([verdict.p for verdict in played]))
    judged = []
    for verdict in found:
        # What was not played was not asked either.
        known = attrs.evolve(verdict, p=next(corrected)) if verdict.games else verdict
        judged.append(attrs.evolve(known, verdict=_decide(known)))
    return judged


def _decide(found: Verdict) -> str:
    """The rule, the same for every claim; docs/reproductions.md states it.

    An order agrees when it is shown, and disagrees when the opposite is, or when a difference as
    great as the printed one is ruled out and none is shown. Two are alike when every difference
    that is left is less than the printed games could show, and are not when one is shown that
    may be greater. A share agrees when ours is known within ENOUGH points and does not differ
    from it, and disagrees when it does.
    """
    if found.games < 2:
        return UNDECIDED
    shown = found.p < ALPHA
    least = found.claim.least
    if found.claim.alike:
        if -least < found.low and found.high < least:
            return AGREES
        return DISAGREES if shown else UNDECIDED
    if found.claim.share is None:
        if shown and found.ours > 0:
            return AGREES
        if shown or found.high < least:
            return DISAGREES
        return UNDECIDED
    if shown:
        return DISAGREES
    return AGREES if found.high - found.low <= 2 * ENOUGH else UNDECIDED


def _measure(claim: Claim, games: Mapping[str, Sequence[GameResult]]) -> Verdict:
    if claim.share is not None:
        return _share(claim, games)
    assert claim.first is not None
    assert claim.second is not None
    if claim.per == "seat":
        return _seats(claim, games)
    (one, mine), (two, theirs) = (_series(name, games) for name in (claim.first, claim.second))
    both = sorted(one.keys() & two.keys())
    if not both:
        return _nothing(claim)
    values = [one[n].won(mine) - two[n].won(theirs) for n in both]
    found = experiments.mean_difference(values, [(one[n].identity, two[n].identity) for n in both])
    return measured(claim, found.mean, found.low, found.high, found.p, len(both))


def _share(claim: Claim, games: Mapping[str, Sequence[GameResult]]) -> Verdict:
    assert claim.share is not None
    assert claim.points is not None
    values, identities = _draws(claim.share, games, per=claim.per)
    if not values:
        return _nothing(claim)
    found = experiments.distinct_share(values, identities)
    printed = claim.points / 100
    if claim.games is None:
        # Without the games behind it, what is printed is taken as it stands.
        error = max(printed * (1 - printed) / len(values), 1e-12) ** 0.5
        p = experiments.normal_p((found.mean - printed) / error)
    else:
        p = experiments.two_proportions(
            sum(values), len(values), printed * claim.games, claim.games
        )
    return measured(claim, found.mean, found.low, found.high, p, len(values))


def _seats(claim: Claim, games: Mapping[str, Sequence[GameResult]]) -> Verdict:
    """Seats of drawn line-ups are not at the same tables: two proportions, as in the papers."""
    assert claim.first is not None
    assert claim.second is not None
    (mine, _), (theirs, _) = (
        _draws(name, games, per="seat") for name in (claim.first, claim.second)
    )
    if not mine or not theirs:
        return _nothing(claim)
    one, two = sum(mine) / len(mine), sum(theirs) / len(theirs)
    error = (one * (1 - one) / len(mine) + two * (1 - two) / len(theirs)) ** 0.5
    p = experiments.two_proportions(sum(mine), len(mine), sum(theirs), len(theirs))
    gap = one - two
    reach = Z * error
    return measured(claim, gap, gap - reach, gap + reach, p, min(len(mine), len(theirs)))


def _draws(
    name: str, games: Mapping[str, Sequence[GameResult]], *, per: str
) -> tuple[list[float], list[Any]]:
    series, role = _series(name, games)
    if per == "game":
        return [p.won(role) for p in series.values()], [p.identity for p in series.values()]
    seats = [
        (played.shares()[seat], (played.identity, seat))
        for played in series.values()
        for seat in played.seats(role)
        if sum(played.shares()) > 0
    ]
    return [share for share, _ in seats], [key for _, key in seats]


def _series(
    name: str, games: Mapping[str, Sequence[GameResult]]
) -> tuple[dict[int, GameResult], str]:
    """The games of an arm by number, and whose wins are counted."""
    arm, _, role = (part.strip() for part in name.partition("|"))
    found = {played.number: played for played in games.get(arm, ())}
    if not role and found:
        # The first agent of a line-up sits at seat 0 in game 0, and moves up from there.
        number, played = next(iter(found.items()))
        role = played.roles[number % len(played.roles)]
    return found, role


def measured(claim: Claim, mean: float, low: float, high: float, p: float, games: int) -> Verdict:
    """What was measured for a claim, as shares; whether it agrees is decided with all others."""
    return Verdict(
        claim=claim,
        verdict=UNDECIDED,
        ours=100 * mean,
        low=100 * low,
        high=100 * high,
        p=p,
        games=games,
    )


def _nothing(claim: Claim) -> Verdict:
    return measured(claim, math.nan, math.nan, math.nan, 1.0, 0)
