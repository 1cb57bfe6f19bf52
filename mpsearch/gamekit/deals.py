"""Deals as text: `2c,3c|?|qs` is a hand for each seat, entries parted by commas.

A hand that may not be seen, or is empty, is `?`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

#: What stands for a hand that may not be seen.
HIDDEN = "?"
#: What parts hands: a text that has it is a deal, and no move of a player should have it.
BETWEEN = "|"

T = TypeVar("T")


def write_hands(hands: Iterable[Sequence[T]], write: Callable[[T], str] = str) -> str:
    """The text of a hand for each seat."""
    return BETWEEN.join(",".join(map(write, hand)) or HIDDEN for hand in hands)


def read_hands(text: str, read: Callable[[str], T]) -> list[list[T]]:
    """The hands that a text stands for; whatever `read` raises says which entry is wrong."""
    parts = text.split(BETWEEN)
    return [[] if part == HIDDEN else [read(entry) for entry in part.split(",")] for part in parts]
