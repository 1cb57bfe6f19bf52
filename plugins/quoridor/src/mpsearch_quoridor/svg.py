"""The board as SVG, and as an object for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from mpsearch.contracts import State
from mpsearch.gamekit import SEAT_WEB_COLOURS
from mpsearch_quoridor.layout import EAST, NORTH, SOUTH, WEST
from mpsearch_quoridor.scene import NO_WEB_COLOUR, Scene, Wall
from mpsearch_quoridor.text import COLUMNS, ROWS

if TYPE_CHECKING:
    from mpsearch_quoridor.game import Quoridor

CELL = 40
GAP = 8
PITCH = CELL + GAP
MARGIN = 28
#: The height of a line of captions under the board, and the width of one caption.
LINE = 24
CAPTION = 212


def draw_svg(scene: Scene, *, marks: Sequence[str] = (), paths: bool = False) -> str:
    """The board seen from seat 0. The last move has a golden edge; marks lie on top.

    Without `paths` the scene's are in the drawing, but hidden until they are asked for.
    """
    hidden = "" if paths else ' display="none"'
    side = 2 * MARGIN + PITCH * scene.size - GAP
    width = max(side, MARGIN + CAPTION)
    in_line = min(2, (width - MARGIN) // CAPTION)
    height = side + LINE * -(-len(scene.pawns) // in_line) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="14">',
        f'<rect width="{width}" height="{height}" fill="#f6f1e7"/>',
        *_squares(scene),
        *_labels(scene),
        *_goals(scene),
        f'<g data-layer="shortest paths"{hidden}>{_paths(scene)}</g>',
    ]
    parts += [_wall(scene, wall) for wall in scene.walls]
    parts += [_pawn(scene, seat) for seat in range(len(scene.pawns))]
    for seat in range(len(scene.pawns)):
        line, place = divmod(seat, in_line)
        x, y = MARGIN + place * width // 2, side + 14 + LINE * line
        parts.append(_caption(scene, seat, x, y))
    return "\n".join([*parts, *marks, "</svg>"])


def corner(scene: Scene, row: int, column: int) -> tuple[int, int]:
    """The upper left corner of a square."""
    return MARGIN + PITCH * column, MARGIN + PITCH * (scene.size - 1 - row)


def _middle(scene: Scene, row: int, column: int) -> tuple[int, int]:
    x, y = corner(scene, row, column)
    return x + CELL // 2, y + CELL // 2


def _squares(scene: Scene) -> Iterator[str]:
    for row in range(scene.size):
        for column in range(scene.size):
            x, y = corner(scene, row, column)
            yield f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="3" fill="#d9cdb8"/>'


def _text(x: int, y: int, text: str, fill: str = "#6b6255", anchor: str = "middle") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}">{text}</text>'


def _labels(scene: Scene) -> list[str]:
    bottom = corner(scene, 0, 0)[1] + CELL + 22
    columns = [_text(_middle(scene, 0, k)[0], bottom, COLUMNS[k]) for k in range(scene.size)]
    rows = [_text(MARGIN // 3, _middle(scene, k, 0)[1] + 5, ROWS[k]) for k in range(scene.size)]
    return columns + rows


def _goals(scene: Scene) -> Iterator[str]:
    """Each edge of the board in the colour of the seat that has to reach it."""
    low, high = MARGIN - 5, MARGIN + PITCH * scene.size - GAP + 5
    ends = {
        SOUTH: (low, high, high, high),
        WEST: (low, low, low, high),
        NORTH: (low, low, high, low),
        EAST: (high, low, high, high),
    }
    for seat, goal in enumerate(scene.goals):
        x1, y1, x2, y2 = ends[goal]
        yield (
            f'<line class="goal" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke-width="6" '
            f'stroke="{SEAT_WEB_COLOURS[seat]}" stroke-linecap="round">'
            f"<title>the goal of seat {seat}</title></line>"
        )


def _paths(scene: Scene) -> str:
    """A shortest path for each seat."""
    paths = enumerate(scene.paths)
    return "".join(_segment(scene, seat, *step) for seat, path in paths for step in path)


def _edge(*, last: bool) -> str:
    return ' stroke="#f1b300" stroke-width="3"' if last else ""


def _wall(scene: Scene, wall: Wall) -> str:
    x, y = corner(scene, wall.row, wall.column)
    fill = NO_WEB_COLOUR if wall.owner is None else SEAT_WEB_COLOURS[wall.owner]
    length = 2 * CELL + GAP
    if wall.vertical:
        place = f'x="{x + CELL}" y="{y - PITCH}" width="{GAP}" height="{length}"'
    else:
        place = f'x="{x}" y="{y - GAP}" width="{length}" height="{GAP}"'
    name = f"wall {wall.row} {wall.column} {wall.vertical:d}"
    edge = _edge(last=wall.last)
    return f'<rect class="wall" data-piece="{name}" {place} rx="2" fill="{fill}"{edge}/>'


def _pawn(scene: Scene, seat: int) -> str:
    x, y = _middle(scene, *scene.pawns[seat])
    edge = _edge(last=seat == scene.last_pawn)
    circle = (
        f'<circle class="pawn" cx="{x}" cy="{y}" r="14" fill="{SEAT_WEB_COLOURS[seat]}"{edge}/>'
    )
    number = _text(x, y + 5, str(seat), fill="#ffffff")
    return f'<g data-piece="pawn {seat}">{circle}{number}</g>'


def _segment(scene: Scene, seat: int, a: tuple[int, int], b: tuple[int, int]) -> str:
    # Paths of several seats through the same squares lie side by side.
    shift = 5 * seat - 7
    (x1, y1), (x2, y2) = _middle(scene, *a), _middle(scene, *b)
    return (
        f'<line class="path" x1="{x1 + shift}" y1="{y1 + shift}" x2="{x2 + shift}" '
        f'y2="{y2 + shift}" stroke="{SEAT_WEB_COLOURS[seat]}" stroke-width="3" '
        'stroke-dasharray="2 5" stroke-linecap="round"/>'
    )


def _caption(scene: Scene, seat: int, x: int, y: int) -> str:
    """A seat's colour, walls and distance."""
    mark = "▶ " if seat == scene.mover else "★ " if seat == scene.winner else ""
    text = f"{mark}seat {seat}: walls {scene.walls_left[seat]}, steps {scene.distances[seat]}"
    dot = f'<circle cx="{x + 7}" cy="{y - 5}" r="7" fill="{SEAT_WEB_COLOURS[seat]}"/>'
    return dot + _text(x + 20, y, text, fill="#3b352c", anchor="start")


@attrs.frozen(kw_only=True)
class Diagram:
    """A position that prints as a board, and as a picture in notebooks."""

    game: Quoridor = attrs.field(repr=False)
    state: State = attrs.field(repr=False)
    #: Whether one shortest path per seat is shown.
    paths: bool = False

    def __str__(self) -> str:
        return self.game.picture(self.state, paths=self.paths)

    def _repr_svg_(self) -> str:
        return self.game.svg(self.state, paths=self.paths)
