"""Finding things by the name a user typed, and saying what would be right if there is none."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from mpsearch.errors import UsageError

T = TypeVar("T")


def instead(name: str, there: Iterable[str]) -> str:
    """What could have been meant: the nearest name, or else all there are."""
    names = list(there)
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"choose from {', '.join(names)}" if names else "there are none"


def pick(table: Mapping[str, T], name: str, *, kind: str, note: str = "") -> T:
    """The entry of that name; UsageError says which there are, and then `note`."""
    if name not in table:
        raise UsageError(f"unknown {kind} '{name}'; {instead(name, sorted(table))}{note}")
    return table[name]
