"""Propagator: what a seat wants of a search, decided before each one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array, array_field


@attrs.frozen(kw_only=True)
class Situation:
    """What a propagator may look at before a search."""

    #: The seat that searches.
    root: int
    #: The evaluation at the root; with hidden information, its mean over the worlds. Shape (P,).
    value: Array = array_field()
    #: What the opponent model believes: row i is what seat i cares about. Shape (P, P).
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
    """How every seat is taken to choose: mover p keeps the child with the greatest C[p] @ v."""

    #: The social matrix C. Shape (P, P).
    matrix: Array = array_field(validator=_square)
    #: What this stance is called in records and plots, such as `offensive`.
    label: str
    #: The seat it is directed against, if any.
    target: int | None = None


class Propagator(ABC):
    """Looks at the situation before a search and takes a stance. Knows no game."""

    @property
    def title(self) -> str:
        """What people call it in a sentence."""
        return type(self).__name__

    @property
    def weighs_lead(self) -> bool:
        """Whether who leads, and by how much, decides the stance: reasons in words then say so."""
        return False

    @abstractmethod
    def stance(self, situation: Situation) -> Stance:
        """The stance for one search."""

    def settled(self, root: int, players: int) -> Stance | None:
        """The stance of a root that takes the same in every situation; None if it may change."""
        return None
