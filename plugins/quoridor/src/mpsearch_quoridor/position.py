"""A position as one line of text.

Up to seven fields, separated by blanks; the first four are needed:

    e2,e8  9,10  e3h/-  1  397  e1/e9  e3h

the pawns' squares, the walls left, the walls on the board, the seat to move, the plies left
(as many as at the start if not given), the squares each pawn has left, the last move. Walls and
past squares are lists by seat, separated by `/`; `-` is an empty list or no move. Without a
trace there is one list of walls and nothing after the plies.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import whole_number
from mpsearch.errors import MoveError, UsageError
from mpsearch_quoridor.layout import SQUARES
from mpsearch_quoridor.paths import UNREACHABLE, distance
from mpsearch_quoridor.rules import place, remember_owner
from mpsearch_quoridor.state import HORIZONTAL, NOBODY, PASS, VERTICAL, side_of
from mpsearch_quoridor.steps import has
from mpsearch_quoridor.tables import BIT, GOAL
from mpsearch_quoridor.text import read_move, read_square, wall_parts, write_move, write_square
from mpsearch_quoridor.walls import free_walls

NONE = "-"


def members(low: int, high: int) -> list[int]:
    """The squares of a set, in order."""
    return [square for square in range(SQUARES) if has(low, high, square)]


def walls_on_board(s: Any) -> list[int]:
    """The moves that placed the walls of a position, by number."""
    horizontal = [HORIZONTAL + square for square in members(*s.horizontal)]
    return horizontal + [VERTICAL + square for square in members(*s.vertical)]


def owner_of(s: Any, wall: int) -> int:
    """Whose wall it is, as far as the trace knows."""
    square, _ = wall_parts(wall)
    return sum(int(has(s.owner[k, 0], s.owner[k, 1], square)) << k for k in range(2))


def write_position(s: Any) -> str:
    """The line of text for a record."""
    seats = range(int(s.players))
    walls = walls_on_board(s)
    fields = [
        ",".join(write_square(int(s.pawn[seat])) for seat in seats),
        ",".join(str(s.walls[seat]) for seat in seats),
    ]
    if s.traced:
        owned = [[wall for wall in walls if owner_of(s, wall) == seat] for seat in seats]
        fields.append("/".join(_write_list([write_move(wall) for wall in own]) for own in owned))
    else:
        fields.append(_write_list([write_move(wall) for wall in walls]))
    fields += [str(s.mover), str(s.plies_left)]
    if s.traced:
        past = [members(*s.been[seat]) for seat in seats]
        fields.append("/".join(_write_list([write_square(sq) for sq in own]) for own in past))
        fields.append(write_move(int(s.last) - 1) if s.last else NONE)
    return " ".join(fields)


def _write_list(names: list[str]) -> str:
    return ",".join(names) or NONE


def read_position(s: Any, text: str) -> None:
    """Change a record of the start into the position that a text stands for."""
    fields = text.split()
    if not 4 <= len(fields) <= 7:
        raise _error(text, f"{len(fields)} fields; a position has 4 to 7")
    pawns, left, walls, mover, *rest = fields
    _read_pawns(s, pawns, text)
    _read_walls_left(s, left, text)
    _read_walls(s, walls, text)
    s.mover = _number(mover, text, "seat to move", least=0, most=int(s.players) - 1)
    if rest:
        s.plies_left = _number(rest[0], text, "number of plies left", least=0)
    if rest[1:] and s.traced:
        _read_past(s, rest[1], text)
    if rest[2:] and s.traced and rest[2] != NONE:
        s.last = 1 + _move(rest[2], s, text)
    _judge(s, text)


def _error(text: str, what: str) -> UsageError:
    return UsageError(f"position '{text}': {what}")


def _number(text: str, whole: str, what: str, *, least: int, most: int | None = None) -> int:
    number = whole_number(text)
    if number is None or number < least or (most is not None and number > most):
        span = f"{least} or more" if most is None else f"{least} to {most}"
        raise _error(whole, f"'{text}' is not a {what} ({span})")
    return number


def _move(text: str, s: Any, whole: str) -> int:
    try:
        return read_move(text, int(s.rows))
    except MoveError as problem:
        raise _error(whole, str(problem)) from None


def _square(text: str, s: Any, whole: str) -> int:
    square = read_square(text, int(s.rows))
    if square is None:
        raise _error(whole, f"'{text}' is not a square of this board")
    return square


def _split(text: str, s: Any, whole: str, what: str) -> list[str]:
    parts = text.split(",")
    if len(parts) != s.players:
        raise _error(whole, f"{len(parts)} {what} for {s.players} players")
    return parts


def _read_pawns(s: Any, text: str, whole: str) -> None:
    for seat, part in enumerate(_split(text, s, whole, "pawns")):
        square = _square(part, s, whole)
        if square in s.pawn[:seat]:
            raise _error(whole, f"two pawns on {part}")
        s.pawn[seat] = square


def _read_walls_left(s: Any, text: str, whole: str) -> None:
    for seat, part in enumerate(_split(text, s, whole, "numbers of walls")):
        s.walls[seat] = _number(part, whole, "number of walls", least=0)


def _by_seat(text: str, s: Any, whole: str, what: str) -> list[list[str]]:
    lists = text.split("/")
    if len(lists) not in (1, int(s.players)):
        raise _error(whole, f"{len(lists)} lists of {what} for {s.players} players")
    return [[] if own == NONE else own.split(",") for own in lists]


def _read_walls(s: Any, text: str, whole: str) -> None:
    for seat, own in enumerate(_by_seat(text, s, whole, "walls")):
        for name in own:
            wall = _move(name, s, whole)
            if wall <= PASS:
                raise _error(whole, f"'{name}' is not a wall")
            square, vertical = wall_parts(wall)
            free = free_walls(s)
            if not has(*(free[2:] if vertical else free[:2]), square):
                raise _error(whole, f"there is no room for the wall {name}")
            place(s, square, vertical)
            if s.traced:
                remember_owner(s, square, seat)


def _read_past(s: Any, text: str, whole: str) -> None:
    for seat, own in enumerate(_by_seat(text, s, whole, "past squares")):
        for name in own:
            s.been[seat] |= BIT[_square(name, s, whole)]


def _judge(s: Any, whole: str) -> None:
    """Find out whether the game is finished, and refuse what the rules exclude."""
    home = []
    for seat in range(int(s.players)):
        if distance(s, seat) == UNREACHABLE:
            raise _error(whole, f"seat {seat} has no way to its goal")
        goal = GOAL[s.rows, side_of(s, seat)]
        if has(goal[0], goal[1], s.pawn[seat]):
            home.append(seat)
    if len(home) > 1:
        raise _error(whole, f"seats {home[0]} and {home[1]} have both won")
    s.winner = home[0] if home else NOBODY
    s.finished = int(bool(home) or s.plies_left == 0)
