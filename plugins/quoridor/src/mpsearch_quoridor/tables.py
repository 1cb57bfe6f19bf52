"""Tables over squares and lattice points; built when somebody first plays Quoridor.

They are constants of the compiled functions, so what is in them is part of the machine code and
of the key under which it is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mpsearch_quoridor.layout import (
    EAST,
    LARGEST_RADIUS,
    LOW,
    LOW_BITS,
    NORTH,
    SOUTH,
    SQUARES,
    WEST,
    WIDTH,
)

Table: TypeAlias = npt.NDArray[np.int64]


def bits(squares: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The two words of a set of (row, column)."""
    whole = 0
    for row, column in squares:
        whole |= 1 << (WIDTH * row + column)
    return whole & LOW, whole >> LOW_BITS


def _table(entries: Any) -> Table:
    return np.array(entries, dtype=np.int64)


def _grid(size: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(size) for column in range(size)]


def _goal(size: int, side: int) -> tuple[int, int]:
    far = size - 1
    lines = {SOUTH: (0, far), WEST: (1, far), NORTH: (0, 0), EAST: (1, 0)}
    axis, value = lines[side]
    return bits(square for square in _grid(size) if square[axis] == value)


def _near(radius: int, square: int, *, vertical: bool) -> tuple[int, int]:
    """Walls that bar a step between two squares both within `radius` king's moves.

    They are a rectangle of middles: a wall reaches one square further along its length, and
    both sides of it must be near across.
    """
    row, column = divmod(square, WIDTH)
    further = (radius + 1, radius), (radius, radius - 1)
    rows, columns = further if vertical else reversed(further)
    first = max(column - columns[0], 0)
    line = (1 << max(min(column + columns[1], WIDTH - 2) - first + 1, 0)) - 1 << first
    whole = 0
    for r in range(max(row - rows[0], 0), min(row + rows[1], WIDTH - 2) + 1):
        whole |= line << (WIDTH * r)
    return whole & LOW, whole >> LOW_BITS


_SIZES = range(WIDTH + 1)

#: The two words of each square. Shape (SQUARES, 2).
BIT = _table([bits([divmod(square, WIDTH)]) for square in range(SQUARES)])
#: Squares at which a pawn from a side has won, by size and side. Shape (10, 4, 2).
GOAL = _table([[_goal(size, side) for side in range(4)] for size in _SIZES])
#: All squares, by size. Shape (10, 2).
SQUARES_OF = _table([bits(_grid(n)) for n in _SIZES])
#: Squares from which a step up, or right, stays on the board, by size. Shape (10, 2).
NORTHWARD = _table([bits((r, c) for r, c in _grid(n) if r < n - 1) for n in _SIZES])
EASTWARD = _table([bits((r, c) for r, c in _grid(n) if c < n - 1) for n in _SIZES])
#: Middles of walls, by size. Shape (10, 2).
SLOTS = _table([bits(_grid(max(n - 1, 0))) for n in _SIZES])
#: Lattice points that are no interior ones: on, or beyond, the upper and right border. The
#: left border needs no bits: the point left of column a is column i of the row below.
BORDER = _table([bits(p for p in _grid(WIDTH) if max(p) >= n - 1) for n in _SIZES])
#: Walls within a radius of a square. Shape (radii, SQUARES, 2).
NEAR_H = _table(
    [
        [_near(radius, square, vertical=False) for square in range(SQUARES)]
        for radius in range(LARGEST_RADIUS + 1)
    ]
)
NEAR_V = _table(
    [
        [_near(radius, square, vertical=True) for square in range(SQUARES)]
        for radius in range(LARGEST_RADIUS + 1)
    ]
)
#: The columns of the squares in a row, by the row's bits, and how many. Shapes (512, 9), (512,).
COLUMNS_OF = np.array(
    [
        ([c for c in range(WIDTH) if row >> c & 1] + [0] * WIDTH)[:WIDTH]
        for row in range(1 << WIDTH)
    ],
    dtype=np.int8,
)
COUNT_OF = _table([row.bit_count() for row in range(1 << WIDTH)])
