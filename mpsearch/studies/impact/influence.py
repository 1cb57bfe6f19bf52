"""Influence: whom the choice of a move affects, in the two readings of the MP-Mix paper.

`variation` is the paper's procedure: over the root's moves an opponent gets at least two different
values. `reduction` is its Definition 5.1: some move gives an opponent less than its evaluation
before the move. Values after moves are backed up by MaxN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mpsearch.contracts import Array

#: Whether each seat is affected. Shape (P,).
Touched: TypeAlias = npt.NDArray[np.bool_]

#: By name: each seat's greatest effect, from the evaluation before the move, shape (P,), and the
#: values after each move, shape (M, P).
READINGS: dict[str, Callable[[Array, Array], Array]] = {
    "variation": lambda before, after: np.ptp(after, axis=0),
    "reduction": lambda before, after: before - after.min(axis=0),
}


def influence(before: Array, after: Array, *, root: int, tolerance: float) -> Touched:
    """Whom the root can affect by more than `tolerance`, in each reading; never itself.

    Shape (R, P).
    """
    found = np.array([effect(before, after) > tolerance for effect in READINGS.values()])
    found[:, root] = False
    return found
