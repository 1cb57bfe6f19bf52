"""Measurements for claims from the games of every arm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mpsearch.experiments import (
    GameResult,
    Z,
    clustered_mean,
    clustered_share,
    distinct_share,
    mean_difference,
    normal_p,
)
from mpsearch.studies.reproduce.claims import Claim, Verdict, decided, measured, nothing, share_p

#: The agent with the greatest share per seat, other than the arm's first.
BEST_OTHER = "best other"

Games = Mapping[str, Sequence[GameResult]]


def judge(claims: Sequence[Claim], games: Games, *, firsts: Mapping[str, str]) -> list[Verdict]:
    """A verdict for each claim, from the games of every arm and the arms' first agents."""
    return decided([_measure(claim, games, firsts) for claim in claims])


def _measure(claim: Claim, games: Games, firsts: Mapping[str, str]) -> Verdict:
    if claim.share is not None:
        return _share(claim, claim.share, games, firsts)
    if claim.plies is not None:
        return _length(claim, games.get(claim.plies, ()))
    if claim.per == "seat":
        return _seats(claim, games, firsts)
    terms = [(sign, _Series(name, games, firsts)) for sign, name in signed(claim)]
    common = set.intersection(*(set(series.games) for _, series in terms))
    if not common:
        return nothing(claim)
    both = sorted(common)
    values = [sum(sign * series.won(n) for sign, series in terms) for n in both]
    arms = {series.arm: series for _, series in terms}
    keys = [tuple(series.games[n].identity for series in arms.values()) for n in both]
    found = mean_difference(values, keys)
    shares = [sum(series.won(n) for n in both) / len(both) for _, series in terms]
    return measured(claim, found.mean, found.low, found.high, found.p, len(both), shares=shares)


def signed(claim: Claim) -> list[tuple[int, str]]:
    """The players whose shares are added (1) and subtracted (-1)."""
    return [(1, name) for name in claim.first] + [(-1, name) for name in claim.second]


class _Series:
    """The games of an arm by number, and whose wins are counted."""

    def __init__(self, name: str, games: Games, firsts: Mapping[str, str]) -> None:
        self.arm, _, role = (part.strip() for part in name.partition("|"))
        self.games = {played.number: played for played in games.get(self.arm, ())}
        self.best = role == BEST_OTHER
        self.role = role or firsts.get(self.arm, "")
        if self.best:
            others = {r for played in self.games.values() for r in played.roles}
            others.discard(firsts.get(self.arm, ""))
            total = {r: sum(p.won_per_seat(r) for p in self.games.values()) for r in sorted(others)}
            self.role = max(total, key=total.__getitem__, default="")

    def won(self, number: int) -> float:
        """Its share of a game."""
        played = self.games[number]
        return played.won_per_seat(self.role) if self.best else played.won(self.role)


def _share(claim: Claim, name: str, games: Games, firsts: Mapping[str, str]) -> Verdict:
    series = _Series(name, games, firsts)
    if claim.per == "seat":
        counted = _seat_wins(series)
        wins, seats = [won for won, _ in counted.values()], [n for _, n in counted.values()]
        found, count = clustered_share(wins, seats), sum(seats)
    else:
        values = [played.won(series.role) for played in series.games.values()]
        found = distinct_share(values, [played.identity for played in series.games.values()])
        count = len(values)
    if not count:
        return nothing(claim)
    p = share_p(claim, found.mean * count, count)
    return measured(claim, found.mean, found.low, found.high, p, count)


def _seat_wins(series: _Series) -> dict[int, tuple[float, int]]:
    """Wins and seats of an agent by game, where somebody won."""
    return {
        number: (played.won(series.role), len(played.seats(series.role)))
        for number, played in series.games.items()
        if sum(played.shares()) > 0
    }


def _seats(claim: Claim, games: Games, firsts: Mapping[str, str]) -> Verdict:
    """Two kinds of seats; a game is one draw, because at most one of them wins it."""
    one, two = (_seat_wins(_Series(name, games, firsts)) for name in (*claim.first, *claim.second))
    sizes = [sum(seats for _, seats in kind.values()) for kind in (one, two)]
    if not all(sizes):
        return nothing(claim)
    rates = [
        sum(won for won, _ in kind.values()) / size
        for kind, size in zip((one, two), sizes, strict=True)
    ]
    # The first-order effect of each game on the difference.
    pulls = [
        (one[n][0] - rates[0] * one[n][1]) / sizes[0]
        - (two[n][0] - rates[1] * two[n][1]) / sizes[1]
        for n in one.keys() & two.keys()
    ]
    gap, error = rates[0] - rates[1], math.sqrt(sum(pull**2 for pull in pulls))
    p, reach = normal_p(gap / error) if error else 1.0, Z * error
    return measured(claim, gap, gap - reach, gap + reach, p, min(sizes), shares=rates)


def _length(claim: Claim, games: Sequence[GameResult]) -> Verdict:
    if len(games) < 2:
        return nothing(claim)
    found = clustered_mean([played.plies / claim.unit for played in games], [1] * len(games))
    return Verdict(
        claim=claim, ours=found.mean, low=found.low, high=found.high, p=1.0, games=len(games)
    )
