"""Sets as the bits of one whole number, in compiled functions."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled


@compiled
def population(word: Any) -> int:
    """How many bits a number from 0 to 2**63 - 1 has.

    LLVM makes this one popcnt instruction; `int` lets Python's own numbers take the product.
    """
    x = int(word)
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0x7F


@compiled
def lowest(word: Any) -> Any:
    """The number of the lowest bit of a number above 0."""
    return population((word & -word) - 1)
