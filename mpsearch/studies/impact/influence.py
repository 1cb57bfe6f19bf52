"""Influence: whom a player's choice of move touches, in the two readings of the MP-Mix paper.

`variation` is the paper's procedure: over the root's moves, an opponent gets at least two
different values. `reduction` is its definition 5.1: some move makes an opponent's value less
than its evaluation before the move. The values behind the moves are backed up by MaxN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mpsearch.contracts import Array

#: Whether each seat is touched. Shape (P,).
Touched: TypeAlias = npt.NDArray[np.bool_]


def variation(before: Array, behind: Array, tolerance: float) -> Touched:
    """Which seats get at least two different values."""
    touched: Touched = behind.max(axis=0) - behind.min(axis=0) > tolerance
    return touched


def reduction(before: Array, behind: Array, tolerance: float) -> Touched:
    """Which seats some move leaves with less than they had."""
    touched: Touched = before - behind.min(axis=0) > tolerance
    return touched


#: Each called with the evaluation before the move, shape (P,), the values behind the root's
#: moves, shape (M, P), and by how much values may differ and still be equal.
READINGS: dict[str, Callable[[Array, Array, float], Touched]] = {
    "variation": variation,
    "reduction": reduction,
}


def influence(before: Array, behind: Array, *, root: int, tolerance: float) -> Touched:
    """Whom the root can touch, in each reading; never itself. Shape (R, P)."""
    found = np.array([reading(before, behind, tolerance) for reading in READINGS.values()])
    found[:, root] = False
    return found
