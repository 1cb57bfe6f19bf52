"""Search trees as SVG: the tree as in text, with a column of values per seat."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np

from mpsearch.agents.tree_text import Row, fitting_breadth, tree_rows
from mpsearch.contracts import CHANCE, Array, Game
from mpsearch.gamekit import SEAT_WEB_COLOURS
from mpsearch.search import Node

#: Sizes in pixels: a row, an indentation, a column of values, and roughly a letter.
_ROW, _STEP, _COLUMN, _LETTER = 22, 22, 46, 7.2
_MARGIN = 12
_GREY = "#666"


def svg_tree(game: Game, root: Node, matrix: Array, *, width: int = 800, rows: int = 200) -> str:
    """Values per seat on the right, movers in circles, chosen moves in bold, pruned ones dashed.

    Values that the mover above cares about, by the stance's matrix, are bold. If there would be
    more rows, only some children of each node are shown, as in text.
    """
    found = list(tree_rows(game, root, fitting_breadth(root, rows)))
    shown = found[:rows]
    height = 2 * _MARGIN + _ROW * (len(shown) + 1 + (len(found) > rows))
    seats = len(root.value)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for seat in range(seats):
        x = _value_x(width, seats, seat)
        parts.append(_text(x, _y(-1), f"seat {seat}", anchor="end", fill=_colour(seat)))
    # Thick lines are drawn over thin ones.
    for chosen in (False, True):
        parts += [_line(r, n) for n, r in enumerate(shown) if r.depth and r.chosen == chosen]
    for number, row in enumerate(shown):
        cares = matrix[row.judge] if row.judge >= 0 else np.zeros(seats)
        parts += _drawn(row, number, width, cares)
    if len(found) > rows:
        more = f"... and {len(found) - rows} more rows"
        parts.append(_text(_MARGIN, _y(len(shown)), more, fill=_GREY))
    return "".join([*parts, "</svg>"])


def _line(row: Row, number: int) -> str:
    x, above = _x(row.depth), _y(row.above) + 8
    style = 'stroke="#333" stroke-width="3"' if row.chosen else 'stroke="#bbb"'
    dash = ' stroke-dasharray="3 3"' if row.node is None else ""
    return f'<path d="M{x - _STEP} {above}V{_y(number)}H{x - 8}" fill="none" {style}{dash}/>'


def _drawn(row: Row, number: int, width: int, cares: Array) -> Iterator[str]:
    x, y, seats = _x(row.depth), _y(number), len(cares)
    room = width - seats * _COLUMN - x - 2 * _MARGIN
    if row.node is None:
        yield _text(x, y, row.text, fill=_GREY, room=room + seats * _COLUMN)
        return
    if row.node.children:
        seat = row.node.seat
        yield f'<circle cx="{x}" cy="{y}" r="8" fill="{_colour(seat)}"/>'
        yield _text(x, y, "?" if seat == CHANCE else str(seat), anchor="middle", fill="#fff")
    else:
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="{_GREY}"/>'
    yield _text(x + 13, y, row.text, bold=row.chosen, room=room - 13)
    for seat, value in enumerate(row.node.value):
        at = _value_x(width, seats, seat)
        bold = bool(cares[seat])
        yield _text(at, y, f"{value:.1f}", anchor="end", bold=bold, fill="#000" if bold else _GREY)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    fill: str = "#000",
    bold: bool = False,
    room: float | None = None,
) -> str:
    if room is not None and len(text) * _LETTER > room:
        text = text[: max(int(room / _LETTER) - 1, 1)] + "…"
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="{anchor}" fill="{fill}"{weight}>'
        f"{escape(text)}</text>"
    )


def _x(depth: int) -> int:
    return _MARGIN + 8 + depth * _STEP


def _y(row: int) -> int:
    return _MARGIN + _ROW // 2 + (row + 1) * _ROW


def _value_x(width: int, seats: int, seat: int) -> int:
    return width - _MARGIN - (seats - 1 - seat) * _COLUMN


def _colour(seat: int) -> str:
    return _GREY if seat < 0 else SEAT_WEB_COLOURS[seat % len(SEAT_WEB_COLOURS)]
