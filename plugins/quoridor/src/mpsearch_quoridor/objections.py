"""Objections: why a move is not legal, in words."""

from __future__ import annotations

from typing import Any

from mpsearch_quoridor.bitboard import down, left, right, up
from mpsearch_quoridor.layout import WIDTH
from mpsearch_quoridor.state import PASS
from mpsearch_quoridor.steps import has, neighbour
from mpsearch_quoridor.tables import BIT, SLOTS
from mpsearch_quoridor.text import wall_parts, write_square
from mpsearch_quoridor.walls import leaves_path


def objection_to(s: Any, move: int) -> str:
    """Why the mover of `s` may not make a move that is not among its legal ones."""
    if s.finished:
        return "the game is finished"
    if move == PASS:
        return "only a seat without any other move may pass"
    return _objection_to_step(s, move) if move < PASS else _objection_to_wall(s, move)


def _objection_to_step(s: Any, to: int) -> str:
    here = int(s.pawn[s.mover])
    if to == here:
        return "the pawn stands there already"
    for seat in range(int(s.players)):
        if s.pawn[seat] == to:
            return f"the pawn of seat {seat} stands there"
    row, column = divmod(here, WIDTH)
    to_row, to_column = divmod(to, WIDTH)
    away = abs(row - to_row) + abs(column - to_column)
    if away == 1:
        return f"a wall is between {write_square(here)} and {write_square(to)}"
    if away == 2:
        return _objection_to_jump(s, here, to)
    return f"it is not adjacent to {write_square(here)}"


def _objection_to_jump(s: Any, here: int, to: int) -> str:
    beside = [
        int(square)
        for square in (neighbour(s, here, direction) for direction in range(4))
        if square >= 0 and square in s.pawn[: s.players]
    ]
    near = [
        square
        for square in beside
        if abs(square // WIDTH - to // WIDTH) + abs(square % WIDTH - to % WIDTH) == 1
    ]
    if not near:
        return f"it is not adjacent to {write_square(here)}, and no pawn is there to jump over"
    over = near[0]
    if to - over != over - here:
        return f"a side-step needs a wall or pawn behind {write_square(over)} and an open way"
    return f"a wall is behind the pawn on {write_square(over)}"


def _objection_to_wall(s: Any, move: int) -> str:
    square, vertical = wall_parts(move)
    low, high = (int(word) for word in BIT[square])
    if not has(SLOTS[s.rows, 0], SLOTS[s.rows, 1], square):
        return "the wall would stick out of the board"
    if s.walls[s.mover] == 0:
        return "it has no walls left"
    same, other = (s.vertical, s.horizontal) if vertical else (s.horizontal, s.vertical)
    if has(other[0], other[1], square):
        return f"the wall would cross the wall {write_square(square)}{'h' if vertical else 'v'}"
    ends = [up(low, high), down(low, high)] if vertical else [left(low, high), right(low, high)]
    for end_low, end_high in [(low, high), *ends]:
        if (same[0] & end_low) | (same[1] & end_high):
            return "the wall would overlap another"
    cut = [
        f"seat {seat}"
        for seat in range(int(s.players))
        if not leaves_path(s, seat, low, high, vertical)
    ]
    return f"the wall would cut {' and '.join(cut)} off from the goal"
