"""Sets of squares moved by one step, as two words each."""

from __future__ import annotations

from mpsearch.contracts import compiled
from mpsearch_quoridor.layout import CARRY_BIT, CARRY_ROW, HIGH, LOW, ROW, WIDTH


@compiled
def up(low: int, high: int) -> tuple[int, int]:
    return (low << WIDTH) & LOW, ((high << WIDTH) | (low >> CARRY_ROW)) & HIGH


@compiled
def down(low: int, high: int) -> tuple[int, int]:
    return (low >> WIDTH) | ((high & ROW) << CARRY_ROW), high >> WIDTH


@compiled
def right(low: int, high: int) -> tuple[int, int]:
    """Column i goes to column a of the row above: mask it out where that matters."""
    return (low << 1) & LOW, ((high << 1) | (low >> CARRY_BIT)) & HIGH


@compiled
def left(low: int, high: int) -> tuple[int, int]:
    """Column a goes to column i of the row below: mask it out where that matters."""
    return (low >> 1) | ((high & 1) << CARRY_BIT), high >> 1
