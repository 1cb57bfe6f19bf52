"""Filmstrips and animations: a recorded game as one SVG document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from mpsearch.contracts import Game, State
from mpsearch.errors import UsageError

_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')
_HEAD = re.compile(r"^\s*(<\?xml[^>]*\?>)?\s*<svg\b[^>]*>", re.S)

#: A character's width and a line's height at a font size of 15, and the least width of a text.
_SIGN, _LINE, _LEAST_WIDTH = 9.2, 20, 240


def picture(game: Game, state: State) -> str:
    """The SVG document of a state; if the game draws none, its text as SVG."""
    document = game.svg(state)
    return _written(game.picture(state)) if document is None else document


def make_filmstrip(game: Game, states: Sequence[State], *, columns: int = 4) -> str:
    """Every state in a picture of its own, row by row."""
    pictures = [picture(game, state) for state in states]
    width, height = _greatest(pictures)
    rows = -(-len(pictures) // columns)
    placed = [
        _placed(document, width * (number % columns), height * (number // columns), f"f{number}-")
        for number, document in enumerate(pictures)
    ]
    across = min(columns, len(pictures)) * width
    return _document(across, rows * height, placed)


def animation(game: Game, states: Sequence[State], *, seconds: float = 1.0) -> str:
    """One picture after another, in a loop, each for so many seconds; without scripts."""
    pictures = [picture(game, state) for state in states]
    width, height = _greatest(pictures)
    whole = seconds * len(pictures)
    shown = []
    for number, document in enumerate(pictures):
        # When it appears and disappears; all but the first are hidden at the start.
        changes = {number / len(pictures): "visible", (number + 1) / len(pictures): "hidden"}
        changes = {0.0: "hidden"} | changes
        times = ";".join(f"{time:.6f}" for time in changes)
        values = ";".join(changes.values())
        shown.append(
            f'<g visibility="hidden"><animate attributeName="visibility" calcMode="discrete" '
            f'values="{values}" keyTimes="{times}" dur="{whole:g}s" repeatCount="indefinite"/>'
            f"{_placed(document, 0, 0, f'f{number}-')}</g>"
        )
    return _document(width, height, shown)


def _greatest(pictures: Sequence[str]) -> tuple[float, float]:
    """The size that fits all of them: texts differ in length."""
    sizes = [size(document) for document in pictures]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _written(text: str) -> str:
    """A text as an SVG document, in a monospaced font."""
    lines = text.splitlines() or [""]
    width = max(_LEAST_WIDTH, max(map(len, lines)) * _SIGN + 2 * _LINE)
    written = "".join(
        f'<text x="{_LINE}" y="{_LINE * (number + 1.7):g}" xml:space="preserve">'
        f"{escape(line, quote=False)}</text>"
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} '
        f'{_LINE * (len(lines) + 2):g}" font-family="monospace" font-size="15" fill="#222">'
        f'<rect width="100%" height="100%" fill="#fff"/>{written}</svg>'
    )


def size(document: str) -> tuple[float, float]:
    """Width and height of a document, in its own units."""
    found = _BOX.search(document)
    if found is None:
        raise UsageError("the game's SVG has no viewBox, so pictures cannot be combined")
    return float(found[3]), float(found[4])


def _placed(document: str, x: float, y: float, prefix: str) -> str:
    """A document to be placed inside another, with unique ids."""
    width, height = size(document)
    head = _HEAD.match(document)
    assert head is not None, "an SVG document begins with its element"
    opened = re.sub(r"<\?xml[^>]*\?>\s*", "", head[0]).rstrip()
    opened = re.sub(r'\s(x|y|width|height)="[^"]*"', "", opened)
    opened = f'{opened[:-1]} x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}">'
    inner = re.sub(r'\bid="', f'id="{prefix}', document[head.end() :])
    inner = re.sub(r"url\(#", f"url(#{prefix}", inner)
    return opened + re.sub(r'href="#', f'href="#{prefix}', inner)


def _document(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>' + "".join(parts) + "</svg>"
    )
