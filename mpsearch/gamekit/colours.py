"""Colours of seats, the same in every game, in terminals and SVG."""

from __future__ import annotations

#: Names for rich, by seat.
SEAT_COLOURS = ("red", "blue", "green", "magenta", "yellow", "cyan")
#: The same for the web.
SEAT_WEB_COLOURS = ("#c0392b", "#2467b0", "#2e8b57", "#8e44ad", "#c58f12", "#2a9d9d")


def painted(text: str, style: str, *, colour: bool = True) -> str:
    """A text in rich markup, or unchanged without a style or colour."""
    return f"[{style}]{text}[/{style}]" if colour and style else text
