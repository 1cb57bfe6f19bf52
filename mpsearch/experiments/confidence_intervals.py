"""Confidence intervals for shares and means, clustered by game.

States and moves of one game resemble each other. So the variance is that of a ratio of sums over
games, with Student's t. docs/explanation/statistics.md has the measured coverage. scipy is slow to
import, so only Student's t imports it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Array

#: The 97.5 % point of the normal distribution.
Z = 1.959964
#: The least degrees of freedom of a rare share.
LEAST_FREEDOM = 3


@attrs.frozen(kw_only=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def told(self, form: str, *, scale: float = 1.0) -> str:
        """The mean in this form with its interval, unless that has no end."""
        mean, low, high = (form.format(scale * v) for v in (self.mean, self.low, self.high))
        return f"{mean} [{low}, {high}]" if math.isfinite(self.high - self.low) else mean


def flat(record: Any) -> dict[str, Any]:
    """Flat names and numbers of an attrs record for tables; estimates with their bounds."""
    found: dict[str, Any] = {}
    for name, value in attrs.asdict(record, recurse=False).items():
        if isinstance(value, Estimate):
            found |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
        elif not isinstance(value, (dict, tuple)):
            found[name] = value
    return found


def wilson(wins: float, games: float, *, z: float = Z) -> tuple[float, float]:
    """Wilson's interval of a share, by default 95 %."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def student_p(t: float, freedom: int) -> float:
    """The two-sided p-value of Student's t."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t)))


def clustered_mean(sums: Sequence[float], counts: Sequence[int], *, unmet: float = 0.0) -> Estimate:
    """The mean over all entries, from the sum and the number of entries of every game.

    One game has an infinite interval. The variance counts `unmet` games more, with an entry of 1
    or -1 each.
    """
    games = _Games.of(sums, counts)
    if games.number == 0:
        return Estimate(mean=math.nan, low=math.nan, high=math.nan)
    reach = math.inf
    if games.number > 1:
        reach = student(games.number - 1) * math.sqrt(games.variance(alike=unmet, within=1.0))
    return Estimate(mean=games.mean, low=games.mean - reach, high=games.mean + reach)


def clustered_share(hits: Sequence[float], counts: Sequence[int]) -> Estimate:
    """The share of entries that hit, from the hits and the number of entries of every game.

    Wilson's interval with the effective number of independent entries and Student's t. A rare
    share is known only from the games in which it occurs: they are the degrees of freedom, and the
    fewer they are, the more a game whose entries are all alike is added to the variance. Where all
    entries agree, nothing is known about their correlation, and every game counts as one entry.
    """
    games = _Games.of(hits, counts)
    if games.number == 0:
        return Estimate(mean=math.nan, low=0.0, high=1.0)
    share, number = games.mean, games.number
    effective, z = 1.0, Z
    if number > 1 and share in (0.0, 1.0):
        effective = number
    elif number > 1:
        informative = min((games.sums > 0).sum(), (games.sums < games.counts).sum())
        variance = games.variance(alike=1 / informative, within=share * (1 - share))
        effective = min(share * (1 - share) / variance, games.size)
        z = student(min(number - 1, max(int(informative), LEAST_FREEDOM)))
    low, high = wilson(share * effective, effective, z=z)
    return Estimate(mean=share, low=low, high=high)


@attrs.frozen
class _Games:
    """Sums and numbers of entries of the games with any. Shapes (N,)."""

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
        """The variance of the mean, a ratio of sums over games.

        `alike` games of mean size are added whose entries are all equal, with variance `within`
        between such games.
        """
        n = self.number
        misses = self.sums - self.mean * self.counts
        spread = float(misses @ misses) + alike * within * (self.size / n) ** 2
        return n / (n - 1) * n / (n + alike) * spread / self.size**2
