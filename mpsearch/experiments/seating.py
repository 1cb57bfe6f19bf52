"""Seatings: which agent sits where in each game of an experiment.

Rotation keeps everybody's neighbours, and who moves after whom can decide a game. So all distinct
cyclic orders of a line-up are played, each at every rotation: (n - 1)! orders of n seatings for n
different agents. Orders that differ only in equal agents are one.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

#: All cyclic orders at every rotation; the given order at every rotation; the given seats.
ORDERS, ROTATION, FIXED = "orders", "rotation", "fixed"
SEATINGS = (ORDERS, ROTATION, FIXED)
#: More cyclic orders than this are drawn, not listed.
MOST_ORDERS = 5040
#: A random stream that nothing else uses.
_DRAWN_ORDERS = 103

#: For each seat, its place in the line-up.
Seating = tuple[int, ...]


class Seatings:
    """All distinct seatings of a line-up, as an endless sequence whose parts are balanced.

    It starts with the given line-up at every rotation, then an order far from it at every
    rotation, and so on; after all orders it starts again.
    """

    def __init__(self, alike: Sequence[Hashable]) -> None:
        """`alike` has equal entries for places with equal agents."""
        first = {entry: place for place, entry in reversed(list(enumerate(alike)))}
        self._own: Seating = tuple(first[entry] for entry in alike)
        sizes = Counter(self._own).values()
        #: The number of distinct seatings.
        self.count = math.factorial(len(alike)) // math.prod(map(math.factorial, sizes))
        self.listed = self.count <= MOST_ORDERS * len(alike)
        self._orders = _sequence(self._own) if self.listed else []
        self._ends = list(itertools.accumulate(map(_period, self._orders)))

    @property
    def orders(self) -> int | None:
        """The number of distinct cyclic orders; None if too many to list."""
        return len(self._orders) if self.listed else None

    def __getitem__(self, number: int) -> Seating:
        if not self.listed:
            block, shift = divmod(number, len(self._own))
            drawn = self._own
            if block:
                rng = np.random.default_rng([block, _DRAWN_ORDERS])
                drawn = tuple(int(place) for place in rng.permutation(self._own))
            return _rotated(drawn, shift)
        place = number % self.count
        block = bisect.bisect_right(self._ends, place)
        return _rotated(self._orders[block], place - (self._ends[block - 1] if block else 0))


@functools.lru_cache(maxsize=64)
def seatings(alike: tuple[Hashable, ...]) -> Seatings:
    """The seatings of a line-up, cached."""
    return Seatings(alike)


def _rotated(order: Seating, shift: int) -> Seating:
    """The order with everybody moved up by `shift` seats."""
    return tuple(order[(seat - shift) % len(order)] for seat in range(len(order)))


def _period(order: Seating) -> int:
    """The number of distinct rotations of an order."""
    return next(k for k in range(1, len(order) + 1) if _rotated(order, k) == order)


def _sequence(own: Seating) -> list[Seating]:
    """All distinct cyclic orders, the given one first, neighbours in the list dissimilar."""
    counts = Counter(own)
    rarest = min(counts, key=lambda place: (counts[place], place))
    rest = counts - Counter([rarest])
    orders = sorted({_least((rarest, *others)) for others in _arrangements(rest)})
    start, step = orders.index(_least(own)), _stride(len(orders))
    orders[start] = own
    return [orders[(start + k * step) % len(orders)] for k in range(len(orders))]


def _least(order: Seating) -> Seating:
    return min(_rotated(order, shift) for shift in range(len(order)))


def _arrangements(left: Counter[int]) -> Iterator[Seating]:
    if not left:
        yield ()
    for place in sorted(left):
        for others in _arrangements(left - Counter([place])):
            yield (place, *others)


def _stride(count: int) -> int:
    """A step through `count` items that visits each once and spreads any prefix evenly."""
    golden = count * (math.sqrt(5) - 1) / 2
    steps = [step for step in range(1, count + 1) if math.gcd(step, count) == 1]
    return min(steps, key=lambda step: abs(step - golden))
