"""OpponentModel: what the moves of the others say about what they care for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch._util import Array, array_field

#: A model's immutable memory of one game. Its type is the model's own affair.
Beliefs: TypeAlias = Any


@attrs.frozen(kw_only=True)
class Observation:
    """One move as an observer saw it. All values are the observer's own evaluations.

    With hidden information they are means over worlds that agree with what the observer knew.
    """

    #: The seat that moved.
    mover: int
    #: Values before and after the move. Shape (P,).
    before: Array = array_field()
    after: Array = array_field()
    #: The greatest value that the evaluator can give.
    greatest: float
    #: For each world, the values after every legal move, shape (M, P), and which was made.
    #: Computed when called.
    alternatives: Callable[[], tuple[tuple[Array, int], ...]] = attrs.field(eq=False, repr=False)


class OpponentModel(ABC):
    """Turns observed moves into a social matrix. Knows no game.

    Beliefs are values: `observe` returns new ones and leaves the old as they were.
    """

    #: Whether observations change anything; if not, none are made.
    learns: bool = True

    @abstractmethod
    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        """The beliefs of `seat` before the first move."""

    @abstractmethod
    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        """The beliefs after one more move."""

    @abstractmethod
    def matrix(self, beliefs: Beliefs) -> Array:
        """Row i: what seat i is believed to care about. Shape (P, P)."""
