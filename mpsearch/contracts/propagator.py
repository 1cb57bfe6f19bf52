"""Propagator: chooses the social matrix of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array, array_field


@attrs.frozen(kw_only=True)
class Situation:
    """The input of a propagator."""

    #: The seat that searches.
    root: int
    #: The evaluation at the root, with hidden information its mean over worlds. Shape (P,).
    value: Array = array_field()
    #: The opponent model's social matrix; row i is the orientation of seat i. Shape (P, P).
    beliefs: Array = array_field()

    @property
    def players(self) -> int:
        """Number of seats, P."""
        return len(self.value)


def _square(_: Any, attribute: Any, matrix: Array) -> None:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a stance's matrix must be square, not of shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError("a stance's matrix has entries that are not finite")


@attrs.frozen(kw_only=True)
class Stance:
    """A social matrix for one search: mover p chooses the child with the greatest C[p] @ v."""

    #: The social matrix C. Shape (P, P).
    matrix: Array = array_field(validator=_square)
    #: Its name in records and plots, such as `offensive`.
    label: str
    #: The seat it is directed against, if any.
    target: int | None = None


class Propagator(ABC):
    """Takes a stance before each search, in any game."""

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        return type(self).__name__

    @property
    def weighs_lead(self) -> bool:
        """Whether the stance depends on the lead, which explanations then mention."""
        return False

    @abstractmethod
    def stance(self, situation: Situation) -> Stance:
        """The stance for one search."""

    def settled(self, root: int, players: int) -> Stance | None:
        """The stance of a root if it is the same in every situation; None if it may change."""
        return None
