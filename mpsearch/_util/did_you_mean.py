"""Look-up by name, with a suggestion if the name is unknown."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from mpsearch.errors import UsageError

T = TypeVar("T")


def instead(name: str, there: Iterable[str]) -> str:
    """A suggestion: the nearest name, or else all names."""
    names = list(there)
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"choose from {', '.join(names)}" if names else "there are none"


def pick(table: Mapping[str, T], name: str, *, kind: str, note: str = "") -> T:
    """The entry of that name; UsageError with a suggestion, followed by `note`."""
    if name not in table:
        raise UsageError(f"unknown {kind} '{name}'; {instead(name, sorted(table))}{note}")
    return table[name]
