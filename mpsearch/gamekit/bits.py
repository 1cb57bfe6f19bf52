"""Bit sets in compiled functions."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled


@compiled
def population(word: Any) -> int:
    """The number of set bits of a number from 0 to 2**63 - 1.

    LLVM compiles this to one popcnt instruction; `int` avoids overflow in plain Python.
    """
    x = int(word)
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0x7F


@compiled
def lowest(word: Any) -> Any:
    """The index of the lowest set bit of a number above 0."""
    return population((word & -word) - 1)
