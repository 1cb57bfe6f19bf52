"""Confidence intervals for shares and means; a game is one independent draw.

States and moves of one game resemble each other. So the variance is that of a ratio of sums over
games, and its uncertainty is Student's. docs/explanation/statistics.md has the measured coverage.
scipy is imported only where Student's t is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Array

#: Half the width of a 95 % interval, in standard errors that are known exactly.
Z = 1.959964
#: A rare share is known from few games; its variance is not trusted to be known from fewer.
LEAST_FREEDOM = 3


@attrs.frozen(kw_only=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def flat(record: Any) -> dict[str, Any]:
    """One level of names and numbers of an attrs record, for tables: estimates with their ends."""
    found: dict[str, Any] = {}
    for name, value in attrs.asdict(record, recurse=False).items():
        if isinstance(value, Estimate):
            found |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
        elif not isinstance(value, (dict, tuple)):
            found[name] = value
    return found


def wilson(wins: float, games: float, *, z: float = Z) -> tuple[float, float]:
    """Wilson's interval of a share, 95 % by default."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t, for a whole number of degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def student_p(t: float, freedom: int) -> float:
    """The two-sided chance of Student's t beyond t."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t)))


def clustered_mean(sums: Sequence[float], counts: Sequence[int], *, unmet: float = 0.0) -> Estimate:
    """The mean over all entries, from the sum and the number of entries of every game.

    One game says nothing about how much games differ. `unmet` games more are counted in the
    spread, with an entry of 1 or -1 each.
    """
    games = _Games.of(sums, counts)
    if games.number == 0:
        return Estimate(mean=math.nan, low=math.nan, high=math.nan)
    if games.number == 1:
        return Estimate(mean=games.mean, low=-math.inf, high=math.inf)
    spread = math.sqrt(games.variance(alike=unmet, within=1.0))
    reach = student(games.number - 1) * spread
    return Estimate(mean=games.mean, low=games.mean - reach, high=games.mean + reach)


def clustered_share(hits: Sequence[float], counts: Sequence[int]) -> Estimate:
    """The share of entries that hit, from the hits and the number of entries of every game.

    Wilson's interval, with as many entries as would, independent of each other, have the variance
    of the ratio, and with Student's t. A rare share is known only from the games that have some of
    it. So those count as degrees of freedom, and the variance is as if besides them, in proportion
    to their fewness, there had been a game whose entries are all alike. Where all entries agree,
    nothing is known of how alike those of a game are, and every game counts as one.
    """
    games = _Games.of(hits, counts)
    if games.number == 0:
        return Estimate(mean=math.nan, low=0.0, high=1.0)
    share, number = games.mean, games.number
    effective, z = 1.0, Z
    if number > 1 and share in (0.0, 1.0):
        effective = number
    elif number > 1:
        telling = min((games.sums > 0).sum(), (games.sums < games.counts).sum())
        variance = games.variance(alike=1 / telling, within=share * (1 - share))
        effective = min(share * (1 - share) / variance, games.size)
        z = student(min(number - 1, max(int(telling), LEAST_FREEDOM)))
    low, high = wilson(share * effective, effective, z=z)
    return Estimate(mean=share, low=low, high=high)


@attrs.frozen
class _Games:
    """Sums and numbers of entries of the games that have any. Shapes (N,)."""

    sums: Array
    counts: Array

    @classmethod
    def of(cls, sums: Sequence[float], counts: Sequence[int]) -> _Games:
        given, sizes = np.array(sums, dtype=np.float64), np.array(counts, dtype=np.float64)
        return cls(given[sizes > 0], sizes[sizes > 0])

    @property
    def number(self) -> int:
        return len(self.sums)

    @property
    def size(self) -> float:
        return float(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.sums.sum()) / self.size

    def variance(self, *, alike: float = 0.0, within: float = 0.0) -> float:
        """The variance of the mean, a ratio of sums, by what the games' sums miss it by.

        `alike` games are added to them, of the usual size, whose entries are all the same and
        have, over many such games, the variance `within`.
        """
        n = self.number
        misses = self.sums - self.mean * self.counts
        spread = float(misses @ misses) + alike * within * (self.size / n) ** 2
        return n / (n - 1) * n / (n + alike) * spread / self.size**2
