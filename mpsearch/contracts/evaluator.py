"""Evaluator: the evaluation function, a value of a state for each seat."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import attrs
import numpy as np

from mpsearch._util import Array
from mpsearch.contracts.game import State

#: The greatest absolute value: sums over all seats must stay where `snap` is exact.
GREATEST_SIZE = 2.0**24


@attrs.frozen(kw_only=True, cache_hash=True)  # every search asks for it
class Bounds:
    """Bounds on every vector of values, which make pruning possible."""

    #: Least and greatest value of any seat.
    least: float = attrs.field(default=0.0, converter=float)
    greatest: float = attrs.field(default=100.0, converter=float)
    #: Least and greatest sum over the seats, if known.
    total: tuple[float, float] | None = None
    #: Granularity: every value is `least` plus a multiple of this, if known.
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
    """An evaluation function: a value for each seat, higher is better, on a scale of 0 to 100.

    Defined for every state, including finished ones.
    """

    #: Bounds on every vector that `values` returns.
    bounds: Bounds
    #: Whether `box` is narrower than `bounds`, which saves a search many nodes.
    reaches: bool = False
    #: Whether exactly the winners have the greatest value when a game is over. If not, as with
    #: points, no winner may be below a loser.
    decisive: bool = True
    #: Whether a seat's value depends only on its own assets, such as its points. Shares of a whole
    #: do not: there every gain of one seat is a loss of others.
    own_affairs: bool = False
    #: Whether values are random, such as roll-outs, so that small differences mean nothing.
    noisy: bool = False
    #: Whether the greatest value means a win and the least a loss, so that a search prefers shorter
    #: wins and longer losses. Points mean neither.
    short_wins: bool = True

    @abstractmethod
    def values(self, state: State) -> Array:
        """The value of `state` to each seat. Shape (P,)."""

    def all_values(self, states: Sequence[State]) -> Array:
        """The values of several states, one row for each. Shape (N, P)."""
        return np.array([self.values(state) for state in states])

    def box(self, state: State, depth: int) -> tuple[Array, Array]:
        """Least and greatest values of any leaf within `depth` moves of `state`.

        A leaf is a state after at most `depth` moves of seats, with any outcomes of chance between
        and after them, or a game that ends earlier. Shape (P,), or (P + 1,) where the last entries
        bound the sum over the seats.
        """
        raise NotImplementedError(f"{type(self).__name__} declares `reaches`, but defines no box")
