"""Backing up values: what a node is worth to its mover, and the line of play behind it.

Written as loops over frames, as machine code likes them; the interpreted search has ways that
Python is quicker at, with the same results to the last bit.
"""

from __future__ import annotations

from typing import Any

from mpsearch._util import GRID, snap

#: How many moves of the principal variation are kept.
LINE = 32
#: The `end` of a frame: the ply at which its line of play ends the game; this if it does not. No
#: tree has so many levels.
NEVER = 1000
#: By how much a win counts less, and a loss more, for each ply before it: all plies together stay
#: below half of GRID, so this decides between equal merits alone.
PLY = GRID / 2048


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
        return snap(context.weight[seat] * g.value[only])
    seen = 0.0
    for j in range(context.players):
        seen += context.matrix[seat, j] * g.value[j]
    return snap(seen)


def key(context: Any, seat: int, seen: float, g: Any) -> Any:
    """The merit `seen` of g to a seat, and among wins and losses how soon they come."""
    if seen >= context.won[seat]:
        return seen - g.end * PLY
    if seen <= context.lost[seat]:
        return seen + g.end * PLY
    return seen


def settled(context: Any, seat: int, seen: float, best: float, end: int) -> Any:
    """A merit that no other move exceeds in merit without exceeding the key `best`.

    That of the key itself, `seen`, if games that end at ply `end` or later have no greater key of
    the same merit; else one gap less.
    """
    if seen >= context.won[seat]:
        return seen if best >= seen - end * PLY else seen - context.gap
    if seen <= context.lost[seat]:
        return seen if best >= seen + NEVER * PLY else seen - context.gap
    return seen


def take(f: Any, g: Any, i: int) -> None:
    """Whoever moves at f takes move i, which leads to g: its value and its line."""
    for j in range(len(f.value)):
        f.value[j] = g.value[j]
    f.end = g.end
    f.line[0] = move_at(f, i)
    f.length = min(g.length + 1, LINE)
    for k in range(1, f.length):
        f.line[k] = g.line[k - 1]


def clear(f: Any) -> None:
    """The value of f is 0 for everybody."""
    f.end = 0
    for j in range(len(f.value)):
        f.value[j] = 0.0


def add(f: Any, g: Any, i: int) -> None:
    """The value of g counts in that of f as much as outcome i, which led there, is likely."""
    share = probability_at(f, i)
    for j in range(len(f.value)):
        f.value[j] += share * g.value[j]
    f.end = max(f.end, g.end)


def keep_entry(entry: Any, g: Any) -> None:
    """An entry, which is what remains of a root move, gets the value of g and its line."""
    for j in range(len(g.value)):
        entry.value[j] = g.value[j]
    entry.end = g.end
    entry.length = g.length
    for k in range(g.length):
        entry.line[k] = g.line[k]


#: For `bind`.
FUNCTIONS = (snap, move_at, probability_at, merit, key, settled, take, clear, add, keep_entry)
