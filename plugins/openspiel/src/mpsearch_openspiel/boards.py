"""How far one's pieces have come, read from the boards that OpenSpiel draws.

A drawing keeps its shape, so that a place of the board is always at the same place of the text.
Where a seat sets out from is read from the drawing of the first state: it depends on the number of
players.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable

#: A place in a drawing: line and column.
Place = tuple[int, int]
#: What a piece of a seat is worth at each place that is worth anything, by its place in the text.
Worth = dict[int, float]

#: A piece is drawn as the number of its seat, from 1 on. Below the board there are other numbers.
_PIECE = re.compile(r"[1-6]")
_BELOW = re.compile(r"^(Player|Turn):", re.MULTILINE)

#: The tips of the star of chinese_checkers, and its last line and column.
_TIPS = ((0, 12), (4, 0), (4, 24), (12, 0), (12, 24), (16, 12))
_BOTTOM, _RIGHT = 16, 24

#: The ring of maedn clockwise from the first seat's start, as lines and cells of two columns.
_RING = (
    *((4, x) for x in range(5)), *((y, 4) for y in range(3, -1, -1)), (0, 5),
    *((y, 6) for y in range(5)), *((4, x) for x in range(7, 11)), (5, 10),
    *((6, x) for x in range(10, 5, -1)), *((y, 6) for y in range(7, 11)), (10, 5),
    *((y, 4) for y in range(10, 5, -1)), *((6, x) for x in range(3, -1, -1)), (5, 0),
)  # fmt: skip
#: The four ways home, and a corner of the yards, of seats whose starts are a quarter apart.
_LANES = (
    tuple((5, x) for x in range(1, 5)),
    tuple((y, 5) for y in range(1, 5)),
    tuple((5, x) for x in range(9, 5, -1)),
    tuple((y, 5) for y in range(9, 5, -1)),
)
_YARDS = ((0, 0), (0, 10), (10, 10), (10, 0))


def hops(text: str, first: str) -> list[float]:
    """chinese_checkers: hops that one's pegs are nearer to the far tip than at the beginning."""
    return _added(text, *_worths(first, _nearness))


def steps(text: str, first: str) -> list[float]:
    """maedn: steps that all of one's pieces have made, those into their way home included."""
    return _added(text, *_worths(first, _way))


def _added(text: str, worths: list[Worth], end: int) -> list[float]:
    found = [0.0] * len(worths)
    for piece in _PIECE.finditer(text, 0, end):
        seat = int(piece[0]) - 1
        found[seat] += worths[seat].get(piece.start(), 0.0)
    return found


@functools.cache
def _worths(
    first: str, worth: Callable[[list[Place], list[Place]], dict[Place, float]]
) -> tuple[list[Worth], int]:
    """What places are worth to every seat, and where the board ends in the text."""
    below = _BELOW.search(first)
    end = below.start() if below else len(first)
    places: dict[Place, int] = {}
    begun: dict[int, list[Place]] = defaultdict(list)
    line = column = 0
    for at, drawn in enumerate(first[:end]):
        places[line, column] = at
        if _PIECE.match(drawn):
            begun[int(drawn)].append((line, column))
        line, column = (line + 1, 0) if drawn == "\n" else (line, column + 1)
    found = [worth(begun[seat], list(places)) for seat in sorted(begun)]
    return [{places[place]: value for place, value in seats.items()} for seats in found], end


def _nearness(pegs: list[Place], places: list[Place]) -> dict[Place, float]:
    """How much nearer to the tip opposite to theirs a place is than these pegs on average."""
    line, column = next(tip for tip in _TIPS if tip in pegs)
    far = (_BOTTOM - line, _RIGHT - column)
    mean = sum(_apart(peg, far) for peg in pegs) / len(pegs)
    return {place: mean - _apart(place, far) for place in places}


def _apart(one: Place, other: Place) -> float:
    """Hops between two places of the star: neighbours in a line are two columns apart."""
    down, across = abs(one[0] - other[0]), abs(one[1] - other[1])
    return down + max(0, across - down) / 2


def _way(pieces: list[Place], places: list[Place]) -> dict[Place, float]:
    """How many steps the places on the way of these pieces are from their yard."""
    turn = next(turn for turn, (line, cell) in enumerate(_YARDS) if (line, 2 * cell) in pieces)
    way = (*_RING[turn * 10 :], *_RING[: turn * 10], *_LANES[turn])
    return {(line, 2 * cell): float(n) for n, (line, cell) in enumerate(way, 1)}
