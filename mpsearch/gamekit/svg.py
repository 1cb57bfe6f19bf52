"""SVG drawings of positions with clickable moves."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def svg_document(width: float, height: float, parts: Iterable[str], *, ground: str = "") -> str:
    """An SVG document of that size with these elements, on a background colour."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="14">'
    )
    behind = [f'<rect width="{width:g}" height="{height:g}" fill="{ground}"/>'] if ground else []
    return "\n".join([head, *behind, *parts, "</svg>"])


def svg_text(
    x: float, y: float, text: str, *, fill: str = "#333333", size: int = 14, anchor: str = "middle"
) -> str:
    """A line of text; `anchor` is the point of it at x: start, middle or end."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">'
        f"{escape(text)}</text>"
    )


def svg_move(move: str, parts: Iterable[str], *, label: str = "", lift: bool = False) -> str:
    """Elements that play the move with that text when clicked.

    `label` is its name for screen readers. With `lift` it rises while hovered.
    """
    called = f' data-label="{escape(label)}"' if label else ""
    rises = ' class="lift"' if lift else ""
    return f'<g{rises} data-move="{escape(move)}"{called}>{"".join(parts)}</g>'


def svg_token(x: float, y: float, text: str = "", *, fill: str, radius: float = 14) -> str:
    """A round token, such as a coin or a pawn, with a short text on it."""
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="#00000055"/>'
    return disc + (svg_text(x, y + 5, text, fill="#ffffff") if text else "")


def svg_card(x: float, y: float, text: str = "", *, fill: str = "#fffdf7", ink: str = "") -> str:
    """A card of 44 by 62 with a text in its middle; without a text, face down."""
    face = fill if text else "#7a3b46"
    edge = (
        f'<rect x="{x:g}" y="{y:g}" width="44" height="62" rx="6" fill="{face}" stroke="#41584d"/>'
    )
    return edge + (svg_text(x + 22, y + 38, text, fill=ink or "#1b1b1b", size=20) if text else "")
