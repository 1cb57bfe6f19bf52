"""Backing up values: what a node is worth to its mover, and the line of play behind it.

Written as loops over frames, as machine code likes them; the interpreted search has ways that
Python is quicker at, with the same results to the last bit.
"""

from __future__ import annotations

from typing import Any

from mpsearch._util import snap

#: How many moves of the principal variation are kept.
LINE = 32


def move_at(f: Any, i: int) -> Any:
    """Move or outcome number i of a node."""
    return f.moves[i]


def probability_at(f: Any, i: int) -> Any:
    """How likely outcome number i of a chance node is."""
    return f.probabilities[i]


def merit(context: Any, seat: int, g: Any) -> Any:
    """What the value of g is worth to a seat."""
    only = context.only[seat]
    if only >= 0:
        return snap(g.value[only])
    seen = 0.0
    for j in range(context.players):
        seen += context.matrix[seat, j] * g.value[j]
    return snap(seen)


def take(f: Any, g: Any, i: int) -> None:
    """Whoever moves at f takes move i, which leads to g: its value and its line."""
    for j in range(len(f.value)):
        f.value[j] = g.value[j]
    f.line[0] = move_at(f, i)
    f.length = min(g.length + 1, LINE)
    for k in range(1, f.length):
        f.line[k] = g.line[k - 1]


def clear(f: Any) -> None:
    """The value of f is 0 for everybody."""
    for j in range(len(f.value)):
        f.value[j] = 0.0


def add(f: Any, g: Any, share: float) -> None:
    """So much of the value of g is part of that of f."""
    for j in range(len(f.value)):
        f.value[j] += share * g.value[j]


def keep_entry(entry: Any, g: Any) -> None:
    """An entry, which is what remains of a root move, gets the value of g and its line."""
    for j in range(len(g.value)):
        entry.value[j] = g.value[j]
    entry.length = g.length
    for k in range(g.length):
        entry.line[k] = g.line[k]


#: For `bind`.
FUNCTIONS = (snap, move_at, probability_at, merit, take, clear, add, keep_entry)
