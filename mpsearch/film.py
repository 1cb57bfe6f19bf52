"""A recorded game as one SVG document: a strip of pictures, or one that moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mpsearch.contracts import Game, State
from mpsearch.errors import UsageError

_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')
_HEAD = re.compile(r"^\s*(<\?xml[^>]*\?>)?\s*<svg\b[^>]*>", re.S)


def picture(game: Game, state: State) -> str:
    """The SVG document of a state; UsageError if the game draws none."""
    document = game.svg(state)
    if document is None:
        raise UsageError("this game draws no SVG")
    return document


def filmstrip(game: Game, states: Sequence[State], *, columns: int = 4) -> str:
    """Every state in a picture of its own, row by row."""
    pictures = [picture(game, state) for state in states]
    width, height = _size(pictures[0])
    rows = -(-len(pictures) // columns)
    placed = [
        _placed(document, width * (number % columns), height * (number // columns), f"f{number}-")
        for number, document in enumerate(pictures)
    ]
    across = min(columns, len(pictures)) * width
    return _document(across, rows * height, placed)


def animation(game: Game, states: Sequence[State], *, seconds: float = 1.0) -> str:
    """One picture after the other, in a loop, each for so many seconds. Without any script."""
    pictures = [picture(game, state) for state in states]
    width, height = _size(pictures[0])
    whole = seconds * len(pictures)
    shown = []
    for number, document in enumerate(pictures):
        times = ";".join(f"{t:.6f}" for t in _times(number, len(pictures)))
        values = ";".join(_values(number))
        shown.append(
            f'<g visibility="hidden"><animate attributeName="visibility" calcMode="discrete" '
            f'values="{values}" keyTimes="{times}" dur="{whole:g}s" repeatCount="indefinite"/>'
            f"{_placed(document, 0, 0, f'f{number}-')}</g>"
        )
    return _document(width, height, shown)


def _times(number: int, count: int) -> list[float]:
    start, end = number / count, (number + 1) / count
    return [start, end] if number == 0 else [0.0, start, end]


def _values(number: int) -> list[str]:
    return ["visible", "hidden"] if number == 0 else ["hidden", "visible", "hidden"]


def _size(document: str) -> tuple[float, float]:
    found = _BOX.search(document)
    if found is None:
        raise UsageError("the game's SVG has no viewBox, so pictures cannot be put together")
    return float(found[3]), float(found[4])


def _placed(document: str, x: float, y: float, prefix: str) -> str:
    """A document inside another, its marks renamed so that no two have the same."""
    width, height = _size(document)
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
