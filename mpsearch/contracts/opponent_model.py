"""OpponentModel: infers a social matrix from the moves of others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch._util import Array, array_field

#: A model's immutable memory of one game, of any type.
Beliefs: TypeAlias = Any


@attrs.frozen(kw_only=True)
class Observation:
    """One move as an observer saw it, with the observer's own evaluations.

    With hidden information, values are means over worlds of the observer's view.
    """

    #: The seat that moved.
    mover: int
    #: Values before and after the move. Shape (P,).
    before: Array = array_field()
    after: Array = array_field()
    #: The evaluator's greatest value.
    greatest: float
    #: Computes, for each world, the values after every legal move, shape (M, P), and the index of
    #: the move made. `alternatives(2)` are those that a mover sees who looks two plies ahead.
    alternatives: Callable[..., tuple[tuple[Array, int], ...]] = attrs.field(eq=False, repr=False)


class OpponentModel(ABC):
    """Turns observed moves into a social matrix, in any game.

    Beliefs are immutable: `observe` returns new ones.
    """

    #: Whether it needs observations.
    learns: bool = True

    @abstractmethod
    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        """The beliefs of `seat` before the first move."""

    @abstractmethod
    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        """The beliefs after one more move."""

    @abstractmethod
    def matrix(self, beliefs: Beliefs) -> Array:
        """The believed social matrix; row i is the orientation of seat i. Shape (P, P)."""

    def horizons(self, beliefs: Beliefs) -> tuple[int, ...] | None:
        """How many plies ahead each seat looks, 1 or 2, or 0 if farther; None if not modelled."""
        return None
