"""When a social matrix plays like MaxN or Paranoid (Theorems 3 and 4 of the SOS paper).

The theorems compare states that differ in the component a seat considers first. Where states are
*equal* in it, MaxN and Paranoid are indifferent, but SOS goes on to the other seats. So SOS always
makes one of MaxN's (Paranoid's) best choices: it follows them, but does not equal them. This holds
for trees without listed chance, because means over outcomes leave the grid of steps.
"""

from __future__ import annotations

import numpy as np

from mpsearch._util import Array
from mpsearch.contracts import Bounds


def follows(row: Array, seat: int, bounds: Bounds) -> bool:
    """Whether a row always decides by the value of `seat` first.

    One step of that value must outweigh every change of the others:
    step * |row[seat]| > (greatest - least) * sum of the other |entries|.
    """
    rest = np.abs(np.delete(row, seat)).sum()
    if rest == 0:
        return bool(row[seat] != 0)
    span = bounds.greatest - bounds.least
    return bounds.step is not None and bool(bounds.step * abs(row[seat]) > span * rest)


def follows_maxn(matrix: Array, bounds: Bounds) -> bool:
    """Theorem 3: every choice of SOS is one of MaxN's best choices."""
    return all(row[i] > 0 and follows(row, i, bounds) for i, row in enumerate(matrix))


def follows_paranoid(matrix: Array, root: int, bounds: Bounds) -> bool:
    """Theorem 4: every choice of SOS is one of Paranoid's best choices."""
    signs_fit = all((row[root] > 0) == (i == root) for i, row in enumerate(matrix))
    return signs_fit and all(follows(row, root, bounds) for row in matrix)
