"""When two values are equal: when they round to the same multiple of GRID.

Sums over seats and means over outcomes of chance are rounded, so values that are equal in
mathematics differ in their last bits. "Equal if they differ by little" would not do: it is not
transitive, and a search that prunes under it can end elsewhere than one that does not. Rounded
values are in one total order, and everything that follows from an order stays exact. See
docs/explanation/equality.md.
"""

from __future__ import annotations

from typing import Any

#: Values on the scale of 0 to 100 are compared as multiples of this, about a millionth.
GRID = 2.0**-20

#: From here to twice as far, neighbouring floats are GRID apart.
SHIFT = 1.5 * 2.0**32


def snap(x: Any) -> Any:
    """The multiple of GRID next to a number or to every entry of an array; ties go to the even.

    Two additions, so that it costs a search nothing and gives the same bits in Python, NumPy
    and machine code (`compiled(snap)`); exact for sizes below 2**31.
    """
    return (x + SHIFT) - SHIFT
