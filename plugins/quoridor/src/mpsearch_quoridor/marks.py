"""Clickable marks on the board: squares to step on, and walls to build."""

from __future__ import annotations

from collections.abc import Sequence

from mpsearch.gamekit import SEAT_WEB_COLOURS
from mpsearch_quoridor.layout import SQUARES, WIDTH
from mpsearch_quoridor.scene import Scene
from mpsearch_quoridor.state import PASS
from mpsearch_quoridor.svg import CELL, GAP, MARGIN, PITCH, corner
from mpsearch_quoridor.text import COLUMNS, PASS_TEXT, ROWS, wall_parts, write_move

#: Half the thickness of the place where a wall is clicked: more than the gap, for fingers.
_REACH = 10


def draw_marks(scene: Scene, moves: Sequence[int]) -> list[str]:
    """A mark for each move; walls lie over steps, which are larger."""
    colour = SEAT_WEB_COLOURS[scene.mover or 0]
    marks = []
    for move in sorted(moves, key=lambda move: move >= SQUARES):
        label, *shapes = _drawn(scene, move, colour)
        marks.append(
            f'<g data-move="{write_move(move)}" data-label="{label}">{"".join(shapes)}</g>'
        )
    return marks


def _drawn(scene: Scene, move: int, colour: str) -> tuple[str, ...]:
    """A mark's label and its shapes."""
    if move == PASS:
        x, y = MARGIN, 4
        shape = f'<rect x="{x}" y="{y}" width="60" height="20" rx="4" fill="{colour}"/>'
        text = (
            f'<text x="{x + 30}" y="{y + 15}" text-anchor="middle" fill="#fff">{PASS_TEXT}</text>'
        )
        return PASS_TEXT, shape, text
    if move < SQUARES:
        return _step(scene, move, colour)
    return _wall(scene, move, colour)


def _step(scene: Scene, square: int, colour: str) -> tuple[str, ...]:
    row, column = divmod(square, WIDTH)
    x, y = corner(scene, row, column)
    middle = f'cx="{x + CELL // 2}" cy="{y + CELL // 2}"'
    return (
        f"step to {COLUMNS[column]}{ROWS[row]}",
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="3" fill="{colour}" '
        'fill-opacity="0.15"/>',
        f'<circle {middle} r="6" fill="{colour}" fill-opacity="0.6"/>',
        f'<circle class="preview" {middle} r="14" fill="{colour}" opacity="0"/>',
        _arrow(scene, x + CELL // 2, y + CELL // 2),
    )


def _arrow(scene: Scene, x: int, y: int) -> str:
    """From the mover's pawn to where it may step, for hints."""
    left, top = corner(scene, *scene.pawns[scene.mover or 0])
    dx, dy = x - left - CELL // 2, y - top - CELL // 2
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / length, dy / length
    begin = f"M{x - dx + 16 * ux:.1f} {y - dy + 16 * uy:.1f}L{x:.1f} {y:.1f}"
    head = "".join(
        f"M{x:.1f} {y:.1f}L{x - 9 * ux + s * 6 * uy:.1f} {y - 9 * uy - s * 6 * ux:.1f}"
        for s in (-1, 1)
    )
    return (
        f'<path class="arrow" d="{begin}{head}" fill="none" stroke="#d9480f" stroke-width="4" '
        'display="none"/>'
    )


def _wall(scene: Scene, wall: int, colour: str) -> tuple[str, ...]:
    square, vertical = wall_parts(wall)
    row, column = divmod(square, WIDTH)
    x, y = corner(scene, row, column)
    # The crossing of the gaps in the middle of the wall.
    x, y = x + CELL + GAP // 2, y - GAP // 2
    length = 2 * CELL + GAP
    if vertical:
        points = [(b, a) for a, b in _around(y, x)]
        place = f'x="{x - GAP // 2}" y="{y - length // 2}" width="{GAP}" height="{length}"'
        where = f"right of {COLUMNS[column]}{ROWS[row]} and {COLUMNS[column]}{ROWS[row + 1]}"
    else:
        points = _around(x, y)
        place = f'x="{x - length // 2}" y="{y - GAP // 2}" width="{length}" height="{GAP}"'
        where = f"above {COLUMNS[column]}{ROWS[row]} and {COLUMNS[column + 1]}{ROWS[row]}"
    corners = " ".join(f"{a},{b}" for a, b in points)
    return (
        f"wall {where}",
        f'<polygon class="hit" points="{corners}" fill-opacity="0"/>',
        f'<rect class="preview" {place} rx="2" fill="{colour}" opacity="0"/>',
    )


def _around(along: int, across: int) -> list[tuple[int, int]]:
    """A band along the middle half of a wall, notched so that the one that crosses it has room."""
    half, near, far = PITCH // 2, across - _REACH, across + _REACH
    one_side = [(-half, near), (-_REACH, near), (0, across), (_REACH, near), (half, near)]
    other_side = [(half, far), (_REACH, far), (0, across), (-_REACH, far), (-half, far)]
    return [(along + by, at) for by, at in one_side + other_side]
