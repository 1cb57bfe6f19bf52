"""Evaluator: what a state is worth to each seat."""

from __future__ import annotations

from abc import ABC, abstractmethod

import attrs

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.game import State

#: The greatest size of a value: sums over all seats must stay where `snap` is exact.
GREATEST_SIZE = 2.0**24


@attrs.frozen(kw_only=True)
class Bounds:
    """What is known of every vector an evaluator can return: it makes pruning possible."""

    #: Least and greatest value of any seat.
    least: float = attrs.field(default=0.0, converter=float)
    greatest: float = attrs.field(default=100.0, converter=float)
    #: Least and greatest sum over the seats, if known.
    total: tuple[float, float] | None = None
    #: Every value is `least` plus a multiple of this, if it has such a granularity.
    step: float | None = None

    def __attrs_post_init__(self) -> None:
        if not self.least < self.greatest:
            raise ValueError(f"bounds: least {self.least} is not below greatest {self.greatest}")
        if max(-self.least, self.greatest) > GREATEST_SIZE:
            raise ValueError(
                f"bounds: values from {self.least:g} to {self.greatest:g} are too large; "
                "the scale is 0 to 100"
            )
        if self.step is not None and not self.step > 0:
            raise ValueError(f"bounds: step {self.step} is not positive")
        if self.total is not None and not self.total[0] <= self.total[1]:
            raise ValueError(f"bounds: total {self.total} is not in order")


class Evaluator(ABC):
    """Values by seat, higher is better for that seat, on a scale of 0 to 100.

    Defined for every state, finished ones included, where the winner has the greatest value.
    """

    #: Bounds on every vector `values` returns.
    bounds: Bounds

    @abstractmethod
    def values(self, state: State) -> Array:
        """The value of `state` to each seat. Shape (P,)."""
