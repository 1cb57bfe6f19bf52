"""Look-up by name, with a suggestion if the name is unknown."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from mpsearch.errors import UsageError

T = TypeVar("T")

#: More names than this are not all told: a bridge brings dozens of games.
_MOST = 25


def instead(name: str, there: Iterable[str]) -> str:
    """A suggestion: the nearest name, or else all names; the first of them if there are many."""
    names = list(there)
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    if not names:
        return "there are none"
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"choose from {', '.join(names[:_MOST])}{more}"


def pick(table: Mapping[str, T], name: str, *, kind: str, note: str = "") -> T:
    """The entry of that name; UsageError with a suggestion, followed by `note`."""
    if name not in table:
        raise UsageError(f"unknown {kind} '{name}'; {instead(name, sorted(table))}{note}")
    return table[name]
