"""The board as an SVG document: a graph of territories, and arrows for the last campaign.

A territory shows its armies and, in a corner, the number of its owner, so that it can be read
without colours. Where moves are given, territories are the parts that campaigns are made of.
Territories are `place`s and their names a `detail`, for a page with little room.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from mpsearch.gamekit import SEAT_WEB_COLOURS
from mpsearch_risk_lite.maps import WorldMap
from mpsearch_risk_lite.picture import headline
from mpsearch_risk_lite.state import (
    ARRIVED,
    BATTLE,
    CAMPAIGN,
    DEAL,
    NOBODY,
    income,
    path_of,
)

_NO_COLOUR = "#b8b8b8"
#: Background colours, by continent in turn.
_GROUNDS = ("#f4e3c1", "#dfead2", "#d9e3f0", "#f3d9d3", "#e9def0", "#d6ecec", "#efefd0", "#e6e0d4")
_RADIUS = 15
_GROUND = 34
_MARGIN = 50
#: A border longer than this fraction of the width wraps around the picture.
_AROUND = 0.6
_LEGEND_LINE = 20

Point = tuple[float, float]


def draw(world: WorldMap, s: Any, *, moves: Sequence[int] = (), odds: float | None = None) -> str:
    """The document; the territories of `moves` can be clicked one after another.

    `odds` is the chance that the campaign under way arrives, if there is one.
    """
    places = _places(world)
    width = max(x for x, _ in places) + _MARGIN
    below = max(y for _, y in places) + _MARGIN
    legend = _legend(s, width, below)
    height = below + (0 if s.phase == DEAL else _LEGEND_LINE * -(-int(s.players) // 2) + 8)
    parts_of = {t for move in moves for t in path_of(move)}
    join = ' data-join="&gt;"' if moves else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" text-anchor="middle"{join}>',
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="5" '
        'markerHeight="5" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#222"/>'
        "</marker></defs>",
        f'<rect width="{width:g}" height="{height:g}" fill="#f7fafc"/>',
        f'<text x="{width / 2:g}" y="20" font-size="13">{escape(headline(world, s))}</text>',
        *_grounds(world, places),
        *_borders(world, places, width),
        *_arrows(s, places, width),
        *(_territory(world, s, t, places[t], part=t in parts_of) for t in range(len(places))),
        *_dice(s, places, width, odds),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts)


def _places(world: WorldMap) -> list[Point]:
    """Where territories are drawn, moved so that the margins are even."""
    left = min(land.at[0] for land in world.territories) - _MARGIN
    top = min(land.at[1] for land in world.territories) - _MARGIN
    return [(land.at[0] - left, land.at[1] - top) for land in world.territories]


def _grounds(world: WorldMap, places: list[Point]) -> Iterator[str]:
    """Discs and bands in the continent's colour, which run together into its shape."""
    for number, continent in enumerate(world.continents):
        ground = _GROUNDS[number % len(_GROUNDS)]
        members = world.members(number)
        yield f'<g fill="{ground}" stroke="{ground}" stroke-width="{2 * _GROUND}">'
        yield f"<title>{escape(continent.name)} +{continent.bonus}</title>"
        for t in members:
            x, y = places[t]
            yield f'<circle cx="{x:g}" cy="{y:g}" r="{_GROUND}" stroke="none"/>'
            for other in world.territories[t].borders:
                if other in members and t < other:
                    yield _line(places[t], places[other])
        yield "</g>"


def _borders(world: WorldMap, places: list[Point], width: float) -> Iterator[str]:
    yield '<g stroke="#8a8f98" stroke-width="1.5">'
    for t, land in enumerate(world.territories):
        for other in land.borders:
            if t < other:
                for start, end in _legs(places[t], places[other], width):
                    yield _line(start, end)
    yield "</g>"


def _legs(start: Point, end: Point, width: float) -> list[tuple[Point, Point]]:
    """A straight line, or two if the short way wraps around."""
    if abs(start[0] - end[0]) <= _AROUND * width:
        return [(start, end)]
    middle = (start[1] + end[1]) / 2
    near, far = (0.0, width) if start[0] < end[0] else (width, 0.0)
    return [(start, (near, middle)), ((far, middle), end)]


def _line(start: Point, end: Point, more: str = "") -> str:
    return f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}"{more}/>'


def _territory(world: WorldMap, s: Any, number: int, place: Point, *, part: bool) -> str:
    x, y = place
    owner = int(s.owner[number])
    fill = SEAT_WEB_COLOURS[owner] if owner != NOBODY else _NO_COLOUR
    name = escape(world.territories[number].name)
    shapes = f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS}" fill="{fill}" stroke="#333"/>'
    label = name
    if s.phase != DEAL:
        armies = int(s.armies[number])
        label = f"{name}, seat {owner}, {armies} {'army' if armies == 1 else 'armies'}"
        shapes += (
            f'<text x="{x:g}" y="{y + 5:g}" font-size="13" font-weight="bold" fill="#fff">'
            f"{armies}</text>" + _badge(x + _RADIUS - 2, y - _RADIUS + 2, owner)
        )
    # A pale edge around the name keeps it legible where lines and arrows pass under it. It is a
    # text of its own: not all programs that draw SVG know `paint-order`.
    at = f'class="detail" x="{x:g}" y="{y + _RADIUS + 11:g}" font-size="11"'
    edge = 'fill="none" stroke="#fff" stroke-width="3" stroke-opacity="0.8" aria-hidden="true"'
    shapes += f'<text {at} {edge}>{name}</text><text {at} fill="#222">{name}</text>'
    mark = f' data-part="{name}" data-label="{label}"' if part else ""
    return f'<g class="place"{mark}>{shapes}</g>'


def _badge(x: float, y: float, owner: int) -> str:
    """The number of a seat."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="6.5" fill="#fff" stroke="{SEAT_WEB_COLOURS[owner]}"/>'
        f'<text x="{x:g}" y="{y + 3.5:g}" font-size="10" fill="#222">{owner}</text>'
    )


def _legend(s: Any, width: float, top: float) -> Iterator[str]:
    """A line for each seat, in two columns."""
    if s.phase == DEAL:
        return
    for seat in range(int(s.players)):
        x = 16 + (seat % 2) * width / 2
        y = top + _LEGEND_LINE * (seat // 2) + 10
        moves = seat == s.mover and s.phase in (CAMPAIGN, BATTLE)
        text = f"seat {seat}: {int(s.land[seat])} territories, {int(s.troops[seat])} armies"
        text += f", +{int(income(s, seat))} a turn" if s.land[seat] else " (out)"
        fill = SEAT_WEB_COLOURS[seat]
        yield (
            f'<g class="detail"><circle cx="{x + 6:g}" cy="{y - 4:g}" r="7" fill="{fill}" '
            f'stroke="#333"/><text x="{x + 20:g}" y="{y:g}" font-size="13" text-anchor="start" '
            f'fill="#222">{"▶ " if moves else ""}{text}</text></g>'
        )


def _arrows(s: Any, places: list[Point], width: float) -> Iterator[str]:
    """The last campaign; the step at which it stalled is dashed, later ones are left out.

    Arrows go from rim to rim and lie under the territories: armies can be read.
    """
    if s.phase == DEAL:
        return
    name = f"campaign {int(s.campaign)} {int(s.outcome)}"
    yield f'<g class="campaign" data-piece="{name}" stroke="#222" stroke-width="3">'
    for here, there, taken in _steps(s):
        legs = _legs(places[here], places[there], width)
        for start, end in legs:
            first, last = (start, end) == legs[0], (start, end) == legs[-1]
            tail = _short_of(end, start) if first else start
            tip = _short_of(start, end) if last else end
            style = ' marker-end="url(#arrow)"' if last else ""
            yield _line(tail, tip, style + ("" if taken else ' stroke-dasharray="5 4"'))
    yield "</g>"


def _steps(s: Any) -> Iterator[tuple[int, int, bool]]:
    """The steps of the last campaign, and whether they were taken, until one was not."""
    path = path_of(int(s.campaign))
    for here, there in itertools.pairwise(path):
        taken = int(s.owner[there]) == int(s.owner[path[0]])
        yield here, there, taken
        if not taken:
            return


def _dice(s: Any, places: list[Point], width: float, odds: float | None) -> Iterator[str]:
    """A die where the campaign is decided, and its outcome or odds."""
    steps = [] if s.phase == DEAL else list(_steps(s))
    if not steps:
        return
    here, there, _ = steps[-1]
    (x1, y1), (x2, y2) = _legs(places[here], places[there], width)[-1]
    x, y = (x1 + x2) / 2 - 8, (y1 + y2) / 2 - 8
    if odds is not None:
        text, told = f"{odds:.0%}", f"{odds:.0%} to arrive"
    elif s.outcome > 0:
        text = f"{int(s.outcome) - ARRIVED} left"
        told = f"arrived with {int(s.outcome) - ARRIVED}"
    else:
        text, told = "stalled", f"stalled, {-int(s.outcome)} defenders left"
    pips = ((4, 4), (12, 4), (8, 8), (4, 12), (12, 12))
    yield f'<g class="dice" role="img" aria-label="dice: {told}">'
    yield (
        f'<rect x="{x:g}" y="{y:g}" width="16" height="16" rx="3" fill="#fff" stroke="#222"/>'
        + "".join(f'<circle cx="{x + a:g}" cy="{y + b:g}" r="1.6" fill="#222"/>' for a, b in pips)
    )
    at = f'x="{x + 20:g}" y="{y + 12.5:g}" font-size="12" font-weight="bold" text-anchor="start"'
    edge = 'fill="none" stroke="#fff" stroke-width="4"'
    yield f'<text {at} {edge} aria-hidden="true">{text}</text><text {at}>{text}</text></g>'


def _short_of(start: Point, end: Point) -> Point:
    """The end of an arrow, at the rim of the territory it points to."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1.0)
    part = max(length - _RADIUS - 2, 0.0) / length
    return start[0] + dx * part, start[1] + dy * part
