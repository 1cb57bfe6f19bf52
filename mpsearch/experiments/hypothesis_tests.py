"""Hypothesis tests: paired differences, several questions at once, power, early looks.

A draw is a distinct game: games that are equal, agents and moves, count as one draw however often
they were played.
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

#: The error rate of all tests together, and the chance to find what `detectable` names.
ALPHA = 0.05
POWER = 0.8
#: Fewer distinct games than this part of all are called few.
FEW_DISTINCT = 0.9
#: With fewer games that differ Student's interval is widened, and if all differ by the same the
#: exact sign test replaces Student's.
FEW = 25


@attrs.frozen(kw_only=True)
class Difference:
    """A mean difference with its 95 % interval, and the chance of such a one if there is none."""

    mean: float
    low: float
    high: float
    p: float
    #: The standard error.
    error: float
    #: Distinct games, or pairs of games, behind it.
    draws: int

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval."""
        return Estimate(mean=self.mean, low=self.low, high=self.high)


def distinct_share(values: Sequence[float], identities: Sequence[Hashable]) -> Estimate:
    """The mean share of games won, with Wilson's interval over distinct games.

    Games that are equal have one result. If game i was played m_i times, the mean has the variance
    of a mean over (sum m)^2 / sum m^2 independent games, which is the number of games if all are
    distinct and 1 if all are equal.
    """
    games = len(values)
    if games == 0:
        return Estimate(mean=math.nan, low=0.0, high=1.0)
    mean = sum(values) / games
    effective = games**2 / sum(count**2 for count in Counter(identities).values())
    low, high = wilson(mean * effective, effective)
    return Estimate(mean=mean, low=low, high=high)


def few_distinct(distinct: int, games: int, *, what: str) -> str:
    """What to say if many games are one and the same; nothing if not."""
    if distinct >= FEW_DISTINCT * games:
        return ""
    return (
        f"only {distinct} of {games} games of {what} are distinct; equal games count as one in the "
        "intervals, and random moves at the start (opening) make more of them different"
    )


def mean_difference(values: Sequence[float], identities: Sequence[Hashable]) -> Difference:
    """The mean of paired differences: one arm's game minus another's with the same number.

    Where few games differ, those that were not met are counted in: the interval is as if there had
    been two more, one up and one down, and never narrower than if no game differed.
    """
    groups: dict[Hashable, list[float]] = {}
    for value, key in zip(values, identities, strict=True):
        groups.setdefault(key, []).append(value)
    clusters = list(groups.values())
    draws = len(clusters)
    telling = [group[0] for group in clusters if group[0] != 0]
    few = len(telling) < FEW
    found = clustered_mean(
        [sum(group) for group in clusters],
        [len(group) for group in clusters],
        unmet=2.0 if few else 0.0,
    )
    reach = found.high - found.mean
    if few and draws:
        # A game that differs would be met by now with 97.5 % if it were this frequent.
        reach = max(reach, 1 - 0.025 ** (1 / draws))
    error = reach / student(draws - 1) if draws > 1 else math.inf
    if few and len({abs(value) for value in telling}) <= 1:
        p = sign_test(sum(v > 0 for v in telling), sum(v < 0 for v in telling))
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
    """The exact two-sided chance of so uneven a split of games that could go either way."""
    count, least = above + below, min(above, below)
    tail = sum(math.comb(count, k) for k in range(least + 1))
    return min(1.0, float(2 * tail / 2**count))


def two_proportions(wins: float, games: float, others: float, other_games: float) -> float:
    """The two-tailed z-test on two proportions: the chance of so great a difference, if none."""
    pooled = (wins + others) / (games + other_games)
    error = math.sqrt(pooled * (1 - pooled) * (1 / games + 1 / other_games))
    return 1.0 if error == 0 else normal_p((wins / games - others / other_games) / error)


def normal_p(z: float) -> float:
    """The two-sided chance of a standard normal number beyond z, also far out in the tail."""
    return math.erfc(abs(z) / math.sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for asking several questions at once (Holm 1979).

    Whoever calls those below 5 % decided is wrong about any of them in 5 % of experiments at most.
    """
    order = sorted(range(len(chances)), key=lambda k: chances[k])
    corrected, least = [0.0] * len(chances), 0.0
    for place, k in enumerate(order):
        least = max(least, min(1.0, (len(chances) - place) * chances[k]))
        corrected[k] = least
    return corrected


def detectable(games: int, *, base: float, questions: int = 1, looks: int = 1) -> float:
    """The least difference of two arms that so many games of each find in 80 % of experiments.

    `base` is the share if nobody is stronger. The games are taken to be independent: those with
    common random numbers, paired game by game, show smaller ones.
    """
    return detectable_errors(questions, looks) * math.sqrt(2 * base * (1 - base) / games)


def detectable_at_table(
    games: float, *, base: float, inverse: float = 2.0, questions: int = 1, looks: int = 1
) -> float:
    """The least difference of two agents at one table found in 80 % of experiments, per seat.

    Only one of them wins a game, so their difference has the variance `base * inverse` of a game,
    where `base` is a seat's share if nobody is stronger and `inverse` is 1 / (seats of one) +
    1 / (seats of the other): 2 base and not, as if they were independent, 2 base (1 - base).
    """
    return detectable_errors(questions, looks) * math.sqrt(base * inverse / games)


def detectable_errors(questions: int, looks: int = 1) -> float:
    """The least difference that is found in 80 % of experiments, in its standard errors.

    With several looks what counts is the bound of the last.
    """
    quantile = NormalDist().inv_cdf
    alpha = ALPHA / max(questions, 1)
    bound = quantile(1 - alpha / 2) if looks == 1 else look_bounds(looks, alpha)[-1]
    return bound + quantile(POWER)


def extended_error(stages: Sequence[int]) -> float:
    """How often a difference is found where there is none by whoever extends what is undecided.

    `stages` are the numbers of games at which a plain 5 % test was made, each time over all games
    so far. The density of the sum that was never decided is passed from stage to stage.
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
    """What |z| must reach at each of so many equally spaced looks (O'Brien and Fleming 1979).

    The chance that it does at any of them, if there is no difference, is `alpha`. The bound falls
    as 1 / sqrt(look): early looks need overwhelming evidence, the last hardly more than a single
    look would. The sum of the games is then compared with one constant, which is found by passing
    its density from look to look.
    """
    low, high = 1.0, 20.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if _crossing(middle, looks) > alpha else (low, middle)
    return tuple(high / math.sqrt(look) for look in range(1, looks + 1))


def _crossing(bound: float, looks: int) -> float:
    """The chance that a sum of standard normal numbers leaves [-bound, bound] in so many steps."""
    grid, weights = _grid(bound)
    kernel = np.exp(-((grid[:, None] - grid) ** 2) / 2) / math.sqrt(2 * math.pi)
    density = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi)
    for _ in range(looks - 1):
        density = kernel @ (density * weights)
    return 1 - float(density @ weights)


def _grid(bound: float) -> tuple[Array, Array]:
    """Points from -bound to bound with the weights of the trapezoidal rule. Shapes (801,)."""
    grid, step = np.linspace(-bound, bound, 801, retstep=True)
    weights = np.full(len(grid), float(step))
    weights[[0, -1]] /= 2
    return grid, weights


def at_look(found: Difference, *, look: int, looks: int, questions: int) -> tuple[bool, Estimate]:
    """Whether a difference is decided at a look, and the interval that may be told there.

    The interval holds the truth at all looks together, for all questions together, in 95 % of
    experiments.
    """
    bound = look_bounds(looks, ALPHA / max(questions, 1))[look - 1]
    decided = found.p <= normal_p(bound)
    # Student's error is wider than the normal one where games are few.
    reach = bound * found.error * (student(max(found.draws - 1, 1)) / Z)
    low, high = max(found.mean - reach, -1.0), min(found.mean + reach, 1.0)
    return decided, Estimate(mean=found.mean, low=low, high=high)
