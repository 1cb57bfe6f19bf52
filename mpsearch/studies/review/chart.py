"""The chart of a review: every seat's value over the game, as a self-contained SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from mpsearch._util import Array
from mpsearch.gamekit import SEAT_WEB_COLOURS
from mpsearch.studies.review.turning_points import Attack, TurningPoint

_WIDTH, _HEIGHT = 900, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 20, 34, 52
#: From a ply or a value to a coordinate.
Place = Callable[[float], float]
#: Approximate number of grid lines.
_LINES = 5
#: Width of a seat's name in the legend, at the font size of phones.
_LEGEND = 130
#: Width of the label of a turning point.
_LABEL = 26


def values_svg(
    values: Sequence[tuple[int, Array]],
    *,
    points: Sequence[TurningPoint],
    attacks: Sequence[Attack],
) -> str:
    """A line per seat; turning points are dashed lines, attacks are triangles below."""
    if not values:
        return _svg(['<text x="20" y="40">no position to show</text>'])
    vectors = np.array([vector for _, vector in values])
    low, high = float(vectors.min()), float(vectors.max())
    room = (high - low or 1.0) * 0.05
    low, high, last = low - room, high + room, max(values[-1][0], 1)

    def x(ply: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * ply / last

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    parts = [*_grid(low, high, last, x, y)]
    floor = _HEIGHT - _BOTTOM
    labelled = -math.inf
    for point in points:
        at = x(point.ply + 1)
        label = ""
        if at - labelled >= _LABEL:
            label, labelled = _text(at, _TOP - 6, f"{point.ply}", anchor="middle"), at
        told = f"ply {point.ply}" + ("" if point.leader is None else f": seat {point.leader} leads")
        drawn = (
            f'<line x1="{at:.1f}" y1="{_TOP}" x2="{at:.1f}" y2="{floor}" stroke="#555" '
            f'stroke-width="1.5" stroke-dasharray="4 4"/>{label}'
        )
        parts.append(_mark(point.ply, told, drawn))
    for seat in range(vectors.shape[1]):
        line = " ".join(f"{x(ply):.1f},{y(float(vector[seat])):.1f}" for ply, vector in values)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{_colour(seat)}" stroke-width="2.5" '
            f'stroke-linejoin="round"><title>seat {seat}</title></polyline>'
        )
    for attack in attacks:
        at, top = x(attack.ply), floor + 4
        told = f"ply {attack.ply}: seat {attack.seat} turned against seat {attack.target}"
        drawn = (
            f'<path d="M{at:.1f} {top}l5 9h-10z" fill="{_colour(attack.seat)}" '
            f'stroke="{_colour(attack.target)}" stroke-width="2"/>'
        )
        parts.append(_mark(attack.ply, told, drawn))
    players = vectors.shape[1]
    step = min(_LEGEND, (_WIDTH - _LEFT - _RIGHT) / players)
    for seat in range(players):
        at = _LEFT + step * seat
        parts.append(
            f'<rect x="{at:g}" y="{_HEIGHT - 16}" width="14" height="4" fill="{_colour(seat)}"/>'
            f'<text x="{at + 20:g}" y="{_HEIGHT - 9}">seat {seat}</text>'
        )
    if attacks:
        words = "▲ turned against another seat: attacker's colour inside, target's around"
        at = _WIDTH - _RIGHT
        parts.append(f'<text class="note" x="{at}" y="12" text-anchor="end">{words}</text>')
    # The page maps positions to coordinates and back with these.
    scale = f'data-left="{x(0):.1f}" data-right="{x(last):.1f}" data-last="{last}"'
    return _svg(parts, scale)


def _grid(low: float, high: float, last: int, x: Place, y: Place) -> list[str]:
    parts = []
    for value in _steps(low, high):
        at = y(value)
        parts.append(
            f'<line x1="{_LEFT}" y1="{at:.1f}" x2="{_WIDTH - _RIGHT}" y2="{at:.1f}" '
            f'stroke="#ddd"/>{_text(_LEFT - 6, at + 4, f"{value:g}", anchor="end")}'
        )
    for ply in _steps(0, last):
        parts.append(_text(x(ply), _HEIGHT - _BOTTOM + 26, f"{ply:g}", anchor="middle"))
    return parts


def _mark(ply: int, told: str, drawn: str) -> str:
    """A mark that leads to the position after a ply."""
    return f'<g data-position="{ply + 1}"><title>{told}</title>{drawn}</g>'


def _text(x: float, y: float, words: str, *, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def _steps(low: float, high: float) -> list[float]:
    """Round numbers between two others."""
    raw = (high - low) / _LINES or 1.0
    scale = 10.0 ** np.floor(np.log10(raw))
    step = next(scale * k for k in (1, 2, 5, 10) if scale * k >= raw)
    return [float(k * step) for k in range(int(np.ceil(low / step)), int(high // step) + 1)]


def _colour(seat: int) -> str:
    return SEAT_WEB_COLOURS[seat % len(SEAT_WEB_COLOURS)]


def _svg(parts: Sequence[str], scale: str = "") -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="values" role="img" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" {scale} '
        'aria-label="Every seat\'s value over the game" '
        'font-family="system-ui,sans-serif" font-size="12" fill="#333">' + "".join(parts) + "</svg>"
    )
