"""Where the mover's pawn may go: steps, jumps and side-steps."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch_quoridor.layout import LOW_BITS, WIDTH
from mpsearch_quoridor.tables import BIT

#: What a jump does when a second pawn stands behind the first: numbers of `BEHIND`.
SIDE, NONE = range(2)

#: Directions, so that 3 - d is opposite to d.
UP, RIGHT, LEFT, DOWN = range(4)


@compiled
def has(low: int, high: int, square: int) -> bool:
    """Whether a set contains a square."""
    word = low >> square if square < LOW_BITS else high >> (square - LOW_BITS)
    return word & 1 == 1


@compiled
def neighbour(s: Any, square: int, direction: int) -> int:
    """The square next to another, or -1 if the border or a wall is between them."""
    if direction == UP:
        return square + WIDTH if has(s.north[0], s.north[1], square) else -1
    if direction == RIGHT:
        return square + 1 if has(s.east[0], s.east[1], square) else -1
    if direction == DOWN:
        to = square - WIDTH
        return to if to >= 0 and has(s.north[0], s.north[1], to) else -1
    to = square - 1
    return to if to >= 0 and has(s.east[0], s.east[1], to) else -1


@compiled
def occupied(s: Any, square: int) -> bool:
    """Whether a pawn stands on a square."""
    found = False
    for seat in range(s.players):
        found |= s.pawn[seat] == square
    return found


@compiled
def targets(s: Any) -> tuple[int, int]:
    """The squares that the mover's pawn may go to."""
    here = s.pawn[s.mover]
    low = here * 0
    high = here * 0
    for direction in range(4):
        to = neighbour(s, here, direction)
        if to < 0:
            continue
        if not occupied(s, to):
            low |= BIT[to, 0]
            high |= BIT[to, 1]
            continue
        beyond = neighbour(s, to, direction)
        if beyond >= 0:
            if not occupied(s, beyond):
                low |= BIT[beyond, 0]
                high |= BIT[beyond, 1]
                continue
            if s.behind == NONE:
                continue
        for turn in range(4):
            if turn in (direction, 3 - direction):
                continue
            aside = neighbour(s, to, turn)
            if aside >= 0 and not occupied(s, aside):
                low |= BIT[aside, 0]
                high |= BIT[aside, 1]
    return low, high
