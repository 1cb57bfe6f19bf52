"""Move ordering: killer moves and the principal variation of the last depth first.

Trying good moves first cuts more. It must not change what is found: a tie goes to the move that
comes first in the game's own order, whatever was tried first. So only a few moves are put in front
and all others keep their order, and the search knows which moves still win a tie:
docs/explanation/pruning.md.

A frame remembers for its ply the last two moves that ended a node or were chosen there: `killers`,
the later one first, and how many are `known` (Akl and Newborn 1977). `kept` and `kept_known` are
the same as they were before the root move that is being tried.
"""

from __future__ import annotations

from typing import Any

from mpsearch.search.tree.backup import move_at

#: Every way to find moves to try first; docs/explanation/pruning.md says what each does.
ORDERINGS = frozenset({"killers", "line"})

#: In a context: a switch for each of ORDERINGS; whether anything was cut since the search began,
#: and whether it was before the root move that is being tried.
ORDERING = (*sorted(ORDERINGS), "cutting", "kept_cutting")

#: How many moves a frame remembers.
KILLERS = 2


def find_move(f: Any, count: int, move: Any) -> int:
    """Where a move is among those of a node; -1 if it is not."""
    for i in range(count):
        if move_at(f, i) == move:
            return i
    return -1


def front(f: Any, count: int) -> Any:
    """Where the killers are among a node's moves, or -1."""
    first = find_move(f, count, f.killers[0])
    second = -1
    if f.known > 1:
        second = find_move(f, count, f.killers[1])
    if first < 0:
        return second, -1
    return first, second


def turn(k: int, first: int, second: int) -> int:
    """Which move is tried as number k, if the killers are moves `first` and `second`."""
    if first < 0:
        return k
    if k == 0:
        return first
    if second < 0:
        return k - 1 if k <= first else k
    if k == 1:
        return second
    # All but these two, in their own order.
    i = k - 2
    if i >= min(first, second):
        i += 1
    if i >= max(first, second):
        i += 1
    return i


def pending(k: int, count: int, chosen: int, first: int, second: int) -> bool:
    """Whether after k + 1 moves one is left that wins a tie against the chosen one."""
    if first < 0:
        return False
    if k == 0 and 0 <= second < chosen:
        return True
    # The rest is in its own order, so the next one is the first that is left.
    following = max(k + 1, 1 if second < 0 else 2)
    return following < count and turn(following, first, second) < chosen


def note(f: Any, move: Any) -> None:
    """A move was good at this ply."""
    if f.known == 0:
        f.killers[0] = move
        f.known = 1
    elif f.killers[0] != move:
        f.killers[1] = f.killers[0]
        f.killers[0] = move
        f.known = 2


def forget_killers(frames: Any, context: Any) -> None:
    """Nothing is known; a search begins."""
    context.cutting = 0
    for ply in range(len(frames)):
        frames[ply].known = 0


def keep_killers(frames: Any, context: Any) -> None:
    """Remember what is known before a root move is tried."""
    context.kept_cutting = context.cutting
    for ply in range(len(frames)):
        f = frames[ply]
        f.kept_known = f.known
        for k in range(f.known):
            f.kept[k] = f.killers[k]


def restore_killers(frames: Any, context: Any) -> None:
    """What was known before the root move, which must be tried again."""
    context.cutting = context.kept_cutting
    for ply in range(len(frames)):
        f = frames[ply]
        f.known = f.kept_known
        for k in range(f.known):
            f.killers[k] = f.kept[k]


#: For `bind`.
FUNCTIONS = (
    find_move,
    front,
    turn,
    pending,
    note,
    forget_killers,
    keep_killers,
    restore_killers,
)
