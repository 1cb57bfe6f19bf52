"""Squares and moves as text: `e2` for a step, `e3h` and `e3v` for walls, `pass`."""

from __future__ import annotations

from mpsearch.errors import MoveError
from mpsearch_quoridor.layout import SQUARES, WIDTH
from mpsearch_quoridor.state import HORIZONTAL, PASS, VERTICAL

COLUMNS = "abcdefghi"
ROWS = "123456789"
PASS_TEXT = "pass"
_KINDS = {"h": HORIZONTAL, "v": VERTICAL}


def write_square(square: int) -> str:
    row, column = divmod(square, WIDTH)
    return COLUMNS[column] + ROWS[row]


def read_square(text: str, size: int) -> int | None:
    """The number of a square of a board; None if the text names none."""
    if len(text) != 2 or text[0] not in COLUMNS[:size] or text[1] not in ROWS[:size]:
        return None
    return WIDTH * ROWS.index(text[1]) + COLUMNS.index(text[0])


def write_move(move: int) -> str:
    if move == PASS:
        return PASS_TEXT
    if move < SQUARES:
        return write_square(move)
    if move < VERTICAL:
        return write_square(move - HORIZONTAL) + "h"
    return write_square(move - VERTICAL) + "v"


def read_move(text: str, size: int) -> int:
    """The move that a text stands for on a board of this size; MoveError if it is none.

    In either case, and with spaces: 'E3 H' is 'e3h'.
    """
    given, text = text, "".join(text.split()).lower()
    if text == PASS_TEXT:
        return PASS
    square = read_square(text[:2], size)
    if square is None or text[2:] not in ("", *_KINDS):
        last = write_square(SQUARES - 1) if size == WIDTH else COLUMNS[size - 1] + ROWS[size - 1]
        raise MoveError(
            f"move '{given}' is neither a step such as 'e2', nor a wall such as 'e3h' or 'e3v', "
            f"nor 'pass'; squares are a1 to {last}"
        )
    return square + _KINDS.get(text[2:], 0)


def wall_parts(move: int) -> tuple[int, bool]:
    """The square that names a wall, and whether it is vertical."""
    return (move - VERTICAL, True) if move >= VERTICAL else (move - HORIZONTAL, False)
