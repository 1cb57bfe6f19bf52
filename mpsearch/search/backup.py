"""What a search does with values on their way up the tree.

Here as loops, as machine code likes them; the interpreted search has ways that Python is quicker
at, with the same results to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mpsearch.contracts.equality import snap as snap_number

#: How many moves of the expected line are kept.
LINE = 32


class Backup(NamedTuple):
    """Functions over frames: f is a node, and g one of its children, one level below."""

    #: merit(slate, seat, g): what the value of g is worth to a seat.
    merit: Callable[..., Any]
    #: take(f, g, i): whoever moves at f takes move i, which leads to g: its value and its line.
    take: Callable[..., Any]
    #: clear(f): the value of f is 0 for everybody.
    clear: Callable[..., Any]
    #: add(f, g, share): so much of the value of g is part of that of f.
    add: Callable[..., Any]
    #: keep(entry, g): an entry, which is what remains of a root move, gets the value of g and its
    #: line.
    keep: Callable[..., Any]


def make_backup(players: int, jit: Callable[..., Any]) -> Backup:
    """The functions for frames with arrays."""
    snap = jit(snap_number)

    @jit
    def merit(slate: Any, seat: int, g: Any) -> Any:
        seen = 0.0
        for j in range(players):
            seen += slate.matrix[seat, j] * g.value[j]
        return snap(seen)

    @jit
    def take(f: Any, g: Any, i: int) -> None:
        for j in range(players):
            f.value[j] = g.value[j]
        f.line[0] = f.moves[i]
        f.length = min(g.length + 1, LINE)
        for k in range(1, f.length):
            f.line[k] = g.line[k - 1]

    @jit
    def clear(f: Any) -> None:
        for j in range(players):
            f.value[j] = 0.0

    @jit
    def add(f: Any, g: Any, share: float) -> None:
        for j in range(players):
            f.value[j] += share * g.value[j]

    @jit
    def keep(entry: Any, g: Any) -> None:
        for j in range(players):
            entry.value[j] = g.value[j]
        entry.length = g.length
        for k in range(g.length):
            entry.line[k] = g.line[k]

    return Backup(merit, take, clear, add, keep)
