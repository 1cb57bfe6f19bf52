"""Hypothesis tests: paired differences, multiple comparisons, power, group-sequential looks.

The unit is a distinct game: games with the same agents and moves count once, however often played.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Hashable, Sequence
from statistics import NormalDist

import attrs
import numpy as np

from mpsearch.contracts import Array
from mpsearch.experiments.confidence_intervals import (
    Estimate,
    Z,
    clustered_mean,
    student,
    student_p,
    wilson,
)

#: The family-wise error rate, and the power of `detectable`.
ALPHA = 0.05
POWER = 0.8
#: A smaller share of distinct games is noted.
FEW_DISTINCT = 0.9
#: With fewer games that differ, Student's interval is widened; if all differ by the same amount,
#: the exact sign test replaces Student's.
FEW = 25


@attrs.frozen(kw_only=True)
class Difference:
    """A mean difference with its 95 % interval, p-value and standard error."""

    mean: float
    low: float
    high: float
    p: float
    error: float
    #: Number of distinct games or pairs of games.
    draws: int

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval."""
        return Estimate(mean=self.mean, low=self.low, high=self.high)


def distinct_share(values: Sequence[float], identities: Sequence[Hashable]) -> Estimate:
    """The mean share of games won, with Wilson's interval over distinct games.

    Equal games have one result. If game i was played m_i times, the mean has the variance of a
    mean over (sum m)^2 / sum m^2 independent games.
    """
    games = len(values)
    if games == 0:
        return Estimate(mean=math.nan, low=0.0, high=1.0)
    mean = sum(values) / games
    effective = games**2 / sum(count**2 for count in Counter(identities).values())
    low, high = wilson(mean * effective, effective)
    return Estimate(mean=mean, low=low, high=high)


def few_distinct(distinct: int, games: int, *, what: str) -> str:
    """A note if many games are equal; empty otherwise."""
    if distinct >= FEW_DISTINCT * games:
        return ""
    return (
        f"only {distinct} of {games} games of {what} are distinct; equal games count as one in the "
        "intervals, and random moves at the start (opening) make more of them different"
    )


def mean_difference(values: Sequence[float], identities: Sequence[Hashable]) -> Difference:
    """The mean of paired differences between games of the same number.

    Where few games differ, the interval is as if there had been two more, one up and one down, and
    never narrower than if no game differed.
    """
    groups: dict[Hashable, list[float]] = {}
    for value, key in zip(values, identities, strict=True):
        groups.setdefault(key, []).append(value)
    clusters = list(groups.values())
    draws = len(clusters)
    differing = [group[0] for group in clusters if group[0] != 0]
    few = len(differing) < FEW
    found = clustered_mean(
        [sum(group) for group in clusters],
        [len(group) for group in clusters],
        unmet=2.0 if few else 0.0,
    )
    reach = found.high - found.mean
    if few and draws:
        # If games that differ were this frequent, one would have occurred with 97.5 %.
        reach = max(reach, 1 - 0.025 ** (1 / draws))
    error = reach / student(draws - 1) if draws > 1 else math.inf
    if few and len({abs(value) for value in differing}) <= 1:
        p = sign_test(sum(v > 0 for v in differing), sum(v < 0 for v in differing))
    else:
        p = student_p(found.mean / error, draws - 1) if draws > 1 else 1.0
    return Difference(
        mean=found.mean,
        low=max(found.mean - reach, -1.0),
        high=min(found.mean + reach, 1.0),
        p=p,
        error=error,
        draws=draws,
    )


def sign_test(above: int, below: int) -> float:
    """The two-sided p-value of the exact sign test."""
    count, least = above + below, min(above, below)
    tail = sum(math.comb(count, k) for k in range(least + 1))
    return min(1.0, float(2 * tail / 2**count))


def two_proportions(wins: float, games: float, others: float, other_games: float) -> float:
    """The p-value of the two-tailed z-test on two proportions."""
    pooled = (wins + others) / (games + other_games)
    error = math.sqrt(pooled * (1 - pooled) * (1 / games + 1 / other_games))
    return 1.0 if error == 0 else normal_p((wins / games - others / other_games) / error)


def normal_p(z: float) -> float:
    """The two-sided p-value of a standard normal z, accurate far out in the tail."""
    return math.erfc(abs(z) / math.sqrt(2))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for multiple comparisons (Holm 1979).

    Rejecting at adjusted p < 0.05 controls the family-wise error rate at 5 %.
    """
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    adjusted, least = [0.0] * len(p_values), 0.0
    for place, k in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[k]))
        adjusted[k] = least
    return adjusted


def detectable(games: int, *, base: float, questions: int = 1, looks: int = 1) -> float:
    """The least difference between two arms detected with a power of 80 %.

    `base` is the share of an equally strong agent. Games are taken as independent; pairing by
    common random numbers detects smaller differences.
    """
    return detectable_errors(questions, looks) * math.sqrt(2 * base * (1 - base) / games)


def detectable_at_table(
    games: float, *, base: float, inverse: float = 2.0, questions: int = 1, looks: int = 1
) -> float:
    """The least difference per seat between two agents at one table, at a power of 80 %.

    Only one of them wins a game, so their difference has variance `base * inverse` per game, where
    `base` is the share of a seat in equal play and `inverse` is 1 / (seats of one) +
    1 / (seats of the other). Independent games would have 2 base (1 - base).
    """
    return detectable_errors(questions, looks) * math.sqrt(base * inverse / games)


def detectable_errors(questions: int, looks: int = 1) -> float:
    """The least detectable difference in standard errors; with looks, at the last bound."""
    quantile = NormalDist().inv_cdf
    alpha = ALPHA / max(questions, 1)
    bound = quantile(1 - alpha / 2) if looks == 1 else look_bounds(looks, alpha)[-1]
    return bound + quantile(POWER)


def extended_error(stages: Sequence[int]) -> float:
    """The type I error rate of extending an experiment while it is undecided.

    `stages` are the numbers of games at which a plain 5 % test was made over all games so far. The
    density of the undecided sum is propagated from stage to stage.
    """
    z = NormalDist().inv_cdf(1 - ALPHA / 2)
    bounds = [z * math.sqrt(games / stages[0]) for games in stages]
    steps = [math.sqrt((b - a) / stages[0]) for a, b in itertools.pairwise(stages)]
    grid, weights = _grid(bounds[0])
    density = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi)
    for bound, step in zip(bounds[1:], steps, strict=True):
        wider, more = _grid(bound)
        kernel = np.exp(-(((wider[:, None] - grid) / step) ** 2) / 2)
        density = kernel @ (density * weights) / (step * math.sqrt(2 * math.pi))
        grid, weights = wider, more
    return 1 - float(density @ weights)


@functools.cache
def look_bounds(looks: int, alpha: float = ALPHA) -> tuple[float, ...]:
    """Bounds on |z| at equally spaced looks (O'Brien and Fleming 1979).

    The type I error rate over all looks is `alpha`. Bounds fall as 1 / sqrt(look): the sum of the
    games is compared with one constant, found by propagating its density from look to look.
    """
    low, high = 1.0, 20.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if _crossing(middle, looks) > alpha else (low, middle)
    return tuple(high / math.sqrt(look) for look in range(1, looks + 1))


def _crossing(bound: float, looks: int) -> float:
    """The probability that a sum of standard normals leaves [-bound, bound] at some look."""
    grid, weights = _grid(bound)
    kernel = np.exp(-((grid[:, None] - grid) ** 2) / 2) / math.sqrt(2 * math.pi)
    density = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi)
    for _ in range(looks - 1):
        density = kernel @ (density * weights)
    return 1 - float(density @ weights)


def _grid(bound: float) -> tuple[Array, Array]:
    """Points in [-bound, bound] with the weights of the trapezoidal rule. Shapes (801,)."""
    grid, step = np.linspace(-bound, bound, 801, retstep=True)
    weights = np.full(len(grid), float(step))
    weights[[0, -1]] /= 2
    return grid, weights


def at_look(found: Difference, *, look: int, looks: int, questions: int) -> tuple[bool, Estimate]:
    """Whether a difference is decided at a look, and its interval there.

    Intervals have simultaneous coverage of 95 % over all looks and questions.
    """
    bound = look_bounds(looks, ALPHA / max(questions, 1))[look - 1]
    decided = found.p <= normal_p(bound)
    # Student's error is wider than the normal one where games are few.
    reach = bound * found.error * (student(max(found.draws - 1, 1)) / Z)
    low, high = max(found.mean - reach, -1.0), min(found.mean + reach, 1.0)
    return decided, Estimate(mean=found.mean, low=low, high=high)
