"""Equality of values: two are equal if they round to the same multiple of GRID.

Floating-point sums and means of mathematically equal values differ in their last bits. A tolerance
on differences is not transitive, and pruning under it can change the result. Rounded values have a
total order, so everything that follows from an order is exact (docs/explanation/equality.md).
"""

from __future__ import annotations

from typing import Any

#: The grid for values on the scale of 0 to 100, about a millionth.
GRID = 2.0**-20
#: Around this number, neighbouring floats are GRID apart.
SHIFT = 1.5 * 2.0**32


def snap(x: Any) -> Any:
    """Round a number or an array to the nearest multiple of GRID, ties to even.

    Two additions are cheap and give the same bits in Python, NumPy and machine code
    (`compiled(snap)`); exact for absolute values below 2**31.
    """
    return (x + SHIFT) - SHIFT
