"""Scene: a position taken apart for drawing, as text or as SVG."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from mpsearch_quoridor.layout import WIDTH
from mpsearch_quoridor.paths import PATH_ROOM, distance, shortest_path
from mpsearch_quoridor.position import members, owner_of, walls_on_board
from mpsearch_quoridor.state import PASS, side_of
from mpsearch_quoridor.text import wall_parts

#: Walls whose owner is not known, in rich markup and on the web.
NO_COLOUR = "yellow"
NO_WEB_COLOUR = "#8a6d3b"


@attrs.frozen(kw_only=True)
class Wall:
    """A wall on the board."""

    row: int
    column: int
    vertical: bool
    #: None if the states keep no trace.
    owner: int | None
    last: bool


@attrs.frozen(kw_only=True)
class Scene:
    """A position taken apart. Squares are (row, column)."""

    size: int
    pawns: tuple[tuple[int, int], ...]
    walls_left: tuple[int, ...]
    distances: tuple[int, ...]
    walls: tuple[Wall, ...]
    #: The side of the board that each seat has to reach.
    goals: tuple[int, ...]
    #: The seat to move; None if the game is finished.
    mover: int | None
    winner: int | None
    #: The seat whose pawn made the last move, if it was a pawn's.
    last_pawn: int | None
    #: One shortest path per seat as pairs of neighbouring squares, if asked for.
    paths: tuple[tuple[tuple[tuple[int, int], tuple[int, int]], ...], ...] = ()


def make_scene(s: Any, *, paths: bool = False) -> Scene:
    seats = range(int(s.players))
    last = int(s.last) - 1
    stepped = s.traced and 0 <= last < PASS
    return Scene(
        size=int(s.rows),
        pawns=tuple(divmod(int(s.pawn[seat]), WIDTH) for seat in seats),
        walls_left=tuple(int(s.walls[seat]) for seat in seats),
        distances=tuple(int(distance(s, seat)) for seat in seats),
        walls=tuple(_wall(s, wall, last) for wall in walls_on_board(s)),
        goals=tuple((int(side_of(s, seat)) + 2) % 4 for seat in seats),
        mover=None if s.finished else int(s.mover),
        winner=int(s.winner) if s.winner >= 0 else None,
        last_pawn=int(s.mover - 1) % len(seats) if stepped else None,
        paths=tuple(_path(s, seat) for seat in seats) if paths else (),
    )


def _wall(s: Any, wall: int, last: int) -> Wall:
    square, vertical = wall_parts(wall)
    row, column = divmod(square, WIDTH)
    return Wall(
        row=row,
        column=column,
        vertical=vertical,
        owner=owner_of(s, wall) if s.traced else None,
        last=wall == last,
    )


def _path(s: Any, seat: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    steps = shortest_path(s, seat, np.zeros(PATH_ROOM, np.int64))
    upward = [(square, square + WIDTH) for square in members(steps[0], steps[1])]
    rightward = [(square, square + 1) for square in members(steps[2], steps[3])]
    return tuple((divmod(a, WIDTH), divmod(b, WIDTH)) for a, b in upward + rightward)
