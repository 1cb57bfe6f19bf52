"""Deals as text: `2c,3c|?|qs` has a hand for each seat; a hidden or empty hand is `?`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

#: A hidden hand.
HIDDEN = "?"
#: The separator of hands, which marks a text as a deal; no player's move should contain it.
BETWEEN = "|"

T = TypeVar("T")


def write_hands(hands: Iterable[Sequence[T]], write: Callable[[T], str] = str) -> str:
    """The text of a hand for each seat."""
    return BETWEEN.join(",".join(map(write, hand)) or HIDDEN for hand in hands)


def read_hands(text: str, read: Callable[[str], T]) -> list[list[T]]:
    """The hands in a text; errors of `read` are passed on."""
    parts = text.split(BETWEEN)
    return [[] if part == HIDDEN else [read(entry) for entry in part.split(",")] for part in parts]
