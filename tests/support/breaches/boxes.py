"""Broken boxes."""

from typing import Any

import numpy as np

from mpsearch.contracts import Array, Bounds, CompiledEvaluator, compiled
from support.breaches.entering import breaks
from support.breaches.sound import PLAYERS, PLIES, SEED, SOUND, Pile, Points, Race, progress


class Foresight(Points):
    """Nobody loses a point, a move brings two at most, and each coin to come brings one."""

    reaches = True

    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low = self.values(state)
        if state.left <= 2 * depth:
            return low, np.full(PLAYERS, 100.0)
        coins = state.coin + (state.left > 4) + (state.left > 3)
        return low, np.minimum(low + 20 * depth + 10 * coins, 100)


@compiled
def race_reach(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    for seat in range(2):
        low[seat] = 5 * s.square[seat]
        coins = 1 if s.coin or s.left > 2 else 0
        most = min(5.0 * s.square[seat] + 10 * depth + 5 * coins, 100.0)
        high[seat] = 100.0 if s.left <= depth else most


class RaceForesight(CompiledEvaluator):
    def __init__(self, reach: Any = race_reach) -> None:
        super().__init__(Race(), progress, bounds=Bounds(step=5), reach=reach)


SOUND.extend(
    [
        ("evaluator", (Pile(), Foresight(), SEED, PLIES)),
        ("evaluator", (Race(), RaceForesight(), SEED, PLIES)),
    ]
)


@breaks("boxes_hold_every_leaf", r"values \[.*\] within 1 moves leave the box \[.*\] to \[.*\]")
class ShortSighted(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low = self.values(state)
        return low, low


@breaks("boxes_hold_every_leaf", r"values \[.*\] within [1-9] moves leave the box \[.*\] to \[.*\]")
class ForgetsTheEnd(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low = self.values(state)
        return low, np.minimum(low + 20.0 * depth + 10, 99)


@breaks("boxes_hold_every_leaf", r"values \[.*\] within [1-9] moves leave the box \[.*\] to \[.*\]")
class WrongTotal(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low, high = super().box(state, depth)
        return np.append(low, 0.0), np.append(high, low.sum() + 10)


@breaks("boxes_hold_every_leaf", "a box has 2 and 2 entries, not 3, or 4 with a total")
class TwoSides(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        low, high = super().box(state, depth)
        return low[:2], high[:2]


@breaks("boxes_shrink_with_depth", "the box of 1 moves is not within that of 2")
class WiderWhenNear(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        return (np.zeros(PLAYERS), np.full(PLAYERS, 100.0)) if depth == 1 else super().box(state, 2)


@breaks("boxes_shrink_with_depth", "the box of 2 moves leaves the declared bounds")
class BeyondTheBounds(Foresight):
    def box(self, state: Any, depth: int) -> tuple[Array, Array]:
        return np.zeros(PLAYERS), np.full(PLAYERS, 101.0)


@compiled
def reach_by_byte(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    low[0] = s.byte << 4


@breaks(
    "compiled_boxes_are_the_plain_ones", "boxes differ between the compiled and the plain reach"
)
class BoxesDiffer(RaceForesight):
    def __init__(self) -> None:
        super().__init__(reach_by_byte)
