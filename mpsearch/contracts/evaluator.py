"""Evaluator: what a state is worth to each seat."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import attrs
import numpy as np

from mpsearch._util import Array
from mpsearch.contracts.game import State

#: The greatest size of a value: sums over all seats must stay where `snap` is exact.
GREATEST_SIZE = 2.0**24


@attrs.frozen(kw_only=True, cache_hash=True)  # every search asks for it
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
                "use a scale of 0 to 100"
            )
        if self.step is not None and not self.step > 0:
            raise ValueError(f"bounds: step {self.step} is not positive")
        if self.total is not None and not self.total[0] <= self.total[1]:
            raise ValueError(f"bounds: total {self.total} is not in order")

    def box(self, players: int) -> tuple[Array, Array]:
        """Least and greatest value of each seat, and of the sum. Shape (P + 1,) each."""
        least, greatest = (-math.inf, math.inf) if self.total is None else self.total
        low = np.array([self.least] * players + [least])
        return low, np.array([self.greatest] * players + [greatest])


class Evaluator(ABC):
    """Values by seat, higher is better for that seat, on a scale of 0 to 100.

    Defined for every state, finished ones included.
    """

    #: Bounds on every vector `values` returns.
    bounds: Bounds
    #: Whether `box` says more than `bounds`; it makes a search visit far less.
    reaches: bool = False
    #: Whether winners, and nobody else, have the greatest value when a game is over. Where values
    #: follow the payoff instead, as points do, it is enough that no winner is below a loser.
    decisive: bool = True
    #: Whether a seat's value is made of its own affairs, such as its points. What is shared out
    #: among the seats is not: there every gain of one is a loss of others.
    own_affairs: bool = False
    #: Whether values have luck in them, such as roll-outs: a small difference means nothing.
    noisy: bool = False
    #: Whether the greatest value means that the game is won and the least that it is lost: then a
    #: search prefers the shorter win and the longer loss. Points mean neither.
    short_wins: bool = True

    @abstractmethod
    def values(self, state: State) -> Array:
        """The value of `state` to each seat. Shape (P,)."""

    def all_values(self, states: Sequence[State]) -> Array:
        """The values of several states, one row for each. Shape (N, P)."""
        return np.array([self.values(state) for state in states])

    def box(self, state: State, depth: int) -> tuple[Array, Array]:
        """Least and greatest values that can come of `state` within `depth` moves of seats.

        No leaf of a search leaves the box: neither a state after at most so many moves, with any
        outcomes of chance between and behind them, nor a finished game before. Shape (P,), or
        (P + 1,) where the last entries bound the sum over the seats.
        """
        raise NotImplementedError(f"{type(self).__name__} declares `reaches`, but defines no box")
