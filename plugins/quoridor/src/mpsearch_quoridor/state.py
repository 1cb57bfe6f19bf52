"""The record that is a position, and what moves look like as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch_quoridor.layout import SEATS, SQUARES

#: A move below this is a step to the square of that number.
PASS = SQUARES
#: A wall is one of these plus the number of the square that names it.
HORIZONTAL = 100
VERTICAL = 200

#: Nobody: the winner of a game that is not finished, or of a draw.
NOBODY = -1

#: Pairs of words are sets of squares or lattice points; see `layout`.
STATE = np.dtype(
    [
        # Walls by their middles, and the steps that they leave open: up from, right from.
        ("horizontal", "i8", 2),
        ("vertical", "i8", 2),
        ("north", "i8", 2),
        ("east", "i8", 2),
        ("pawn", "i8", SEATS),
        ("walls", "i8", SEATS),
        ("mover", "i8"),
        ("finished", "i8"),
        ("winner", "i8"),
        ("plies_left", "i8"),
        # What the options fixed. (A record has attributes `size` and `trace` of its own.)
        ("players", "i8"),
        ("rows", "i8"),
        ("behind", "i8"),
        ("traced", "i8"),
        # The trace, zero without it: squares each pawn has left, the owner of each wall in
        # binary (bit 0 and bit 1 by the wall's middle), and 1 + the last move.
        ("been", "i8", (SEATS, 2)),
        ("owner", "i8", (2, 2)),
        ("last", "i8"),
    ],
    align=True,
)


@compiled
def side_of(s: Any, seat: int) -> int:
    """The side of the board on which a seat started."""
    return 2 * seat if s.players == 2 else seat
