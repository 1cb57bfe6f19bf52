"""Broken evaluators."""

import itertools
from typing import Any

import numpy as np

from mpsearch.contracts import Array, Bounds, compiled
from support.breaches.entering import breaks
from support.breaches.sound import PLAYERS, PLIES, SEED, SOUND, Pile, Points, RaceProgress


@breaks("values_are_by_seat", r"values have shape \(2,\), not \(3,\)")
class TwoValues(Points):
    def values(self, state: Any) -> Array:
        return super().values(state)[:2]


@breaks("values_are_by_seat", r"values \[nan, nan, nan\] are not finite")
class UndefinedValues(Points):
    def values(self, state: Any) -> Array:
        return np.full(PLAYERS, np.nan)


@breaks("values_are_by_seat", "values change when they are asked again")
class FickleValues(Points):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def values(self, state: Any) -> Array:
        return np.full(PLAYERS, float(next(self.counter)))


@breaks("values_keep_their_bounds", r"values \[100.0000[0-9]+, .*\] leave \[0, 100\]")
class SlightlyTooHigh(Points):
    def values(self, state: Any) -> Array:
        return super().values(state) * (1 + 1e-9)


@breaks("values_keep_their_bounds", r"values \[-10.0, .*\] leave \[0, 100\]")
class TooLow(Points):
    def values(self, state: Any) -> Array:
        return super().values(state) - 10


@breaks("totals_keep_their_bounds", "the values sum to [0-9]+, not 0 to 50")
class TotalTooHigh(Points):
    bounds = Bounds(total=(0, 50))


@breaks("totals_keep_their_bounds", "the values sum to 0, not 5 to 300")
class TotalTooLow(Points):
    bounds = Bounds(total=(5, 300))


@breaks("values_are_on_the_grid", "values are not multiples of 20")
class OffTheGrid(Points):
    bounds = Bounds(step=20)


@breaks("winners_have_the_greatest_value", r"winners are \[.*\], but the greatest value is .* \[\]")
class WinnersBelowTheTop(Points):
    def values(self, state: Any) -> Array:
        return 10 * Pile().payoff(state)


@breaks(
    "winners_have_the_greatest_value",
    r"winners are \[.*\], but the greatest value is that of \[0, 1, 2\]",
)
class LosersAtTheTop(Points):
    def values(self, state: Any) -> Array:
        return np.full(PLAYERS, 100.0)


class PointsOnly(Points):
    """A sound evaluator that follows the payoff and knows no crown."""

    decisive = False
    own_affairs = True

    def values(self, state: Any) -> Array:
        return 10 * Pile().payoff(state)


SOUND.append(("evaluator", (Pile(), PointsOnly(), SEED, PLIES)))


@breaks("winners_have_the_greatest_value", r"winners are \[.*\], but a loser has more of \[.*\]")
class LosersAboveWinners(PointsOnly):
    def values(self, state: Any) -> Array:
        return 100 - super().values(state)


@breaks(
    "own_affairs_are_not_shared_out",
    rf"the values always sum to 150: they are shared out, and no one's own affairs \(seed {SEED}\)",
    replay=False,
)
class SharesOutAWhole(Points):
    own_affairs = True

    def values(self, state: Any) -> Array:
        points = 10 * Pile().payoff(state)
        return 50 + points - points.mean()


@compiled
def value_by_byte(s: Any, parameters: Any, out: Any) -> None:
    out[0] = s.byte << 4


@breaks(
    "compiled_values_are_the_plain_ones",
    "values differ between the compiled and the plain evaluator",
)
class ValuesDiffer(RaceProgress):
    def __init__(self) -> None:
        super().__init__(value_by_byte)


@breaks(
    "leaves_have_the_values_of_their_states", r"values \[0.0, 0.0\] are \[240.0, 0.0\] as a leaf"
)
class LeavesDiffer(RaceProgress):
    def __init__(self) -> None:
        super().__init__()
        self.leaf = value_by_byte
