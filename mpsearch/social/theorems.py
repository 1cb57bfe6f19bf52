"""When a social matrix plays like MaxN or Paranoid (Theorems 3 and 4 of the SOS paper).

Theorems 3 and 4 compare states that differ in the component a seat looks at first. Where two
states are *equal* in it, MaxN and Paranoid are indifferent and SOS is not: it goes on to the
other seats. So the theorems promise that SOS always makes one of MaxN's (Paranoid's) best
choices, and the functions here are called `follows_...`, not `equals_...`. They hold for trees
without listed chance: a mean over outcomes leaves the grid {least, least + step, ...}.
"""

from __future__ import annotations

import numpy as np

from mpsearch._util import Array
from mpsearch.contracts import Bounds


def follows(row: Array, seat: int, bounds: Bounds) -> bool:
    """Whether a seat with this row always decides by `seat`'s value first.

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
