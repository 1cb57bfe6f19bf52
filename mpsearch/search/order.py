"""Which moves of a node are tried first: those that were good where the search last was.

Trying good moves first cuts more. It must not change what is found: a tie goes to the move that
comes first in the game's own order, whatever was tried first. So only a few moves are put in front
and all others keep their order, and the search knows which moves still win a tie (docs/matrix.md).

A frame remembers for its ply the last two moves that ended a node or were chosen there: `killers`,
the later one first, and how many are `known`. `kept` and `kept_known` are the same as they were
before the root move that is being tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

#: Every way to find moves to try first; docs/matrix.md says what each does.
ORDERINGS = frozenset({"killers", "line"})

#: In a slate: a switch for each of ORDERINGS; whether anything was cut since the search began, and
#: whether it was before the root move that is being tried.
ORDERING = (*sorted(ORDERINGS), "cutting", "kept_cutting")

#: How many moves a frame remembers.
KILLERS = 2


class Order(NamedTuple):
    """Functions over frames, for the kernel and for the root."""

    #: front(f, count) -> first, second: where the killers are among a node's moves, or -1.
    front: Callable[..., Any]
    #: turn(k, first, second) -> index: which move is tried as number k.
    turn: Callable[..., Any]
    #: pending(k, count, chosen, first, second): whether after k + 1 moves one is left that wins a
    #: tie against the chosen one.
    pending: Callable[..., Any]
    #: note(f, move): a move was good at this ply.
    note: Callable[..., Any]
    #: forget(frames, slate): nothing is known; a search begins.
    forget: Callable[..., Any]
    #: keep(frames, slate) before a root move is tried; restore(frames, slate) if it must be again.
    keep: Callable[..., Any]
    restore: Callable[..., Any]


def find_move(f: Any, count: int, move: Any) -> int:
    """Where a move is among those of a node; -1 if it is not."""
    for i in range(count):
        if f.moves[i] == move:
            return i
    return -1


def make_order(*, find: Callable[..., Any], jit: Callable[..., Any]) -> Order:
    """The functions; `find` is `find_move` or something quicker."""

    @jit
    def front(f: Any, count: int) -> Any:
        first = find(f, count, f.killers[0])
        second = -1
        if f.known > 1:
            second = find(f, count, f.killers[1])
        if first < 0:
            return second, -1
        return first, second

    @jit
    def turn(k: int, first: int, second: int) -> int:
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

    @jit
    def pending(k: int, count: int, chosen: int, first: int, second: int) -> bool:
        if first < 0:
            return False
        if k == 0 and 0 <= second < chosen:
            return True
        # The rest is in its own order, so the next one is the first that is left.
        following = max(k + 1, 1 if second < 0 else 2)
        return following < count and turn(following, first, second) < chosen

    @jit
    def note(f: Any, move: Any) -> None:
        if f.known == 0:
            f.killers[0] = move
            f.known = 1
        elif f.killers[0] != move:
            f.killers[1] = f.killers[0]
            f.killers[0] = move
            f.known = 2

    @jit
    def forget(frames: Any, slate: Any) -> None:
        slate.cutting = 0
        for ply in range(len(frames)):
            frames[ply].known = 0

    @jit
    def keep(frames: Any, slate: Any) -> None:
        slate.kept_cutting = slate.cutting
        for ply in range(len(frames)):
            f = frames[ply]
            f.kept_known = f.known
            for k in range(f.known):
                f.kept[k] = f.killers[k]

    @jit
    def restore(frames: Any, slate: Any) -> None:
        slate.cutting = slate.kept_cutting
        for ply in range(len(frames)):
            f = frames[ply]
            f.known = f.kept_known
            for k in range(f.known):
                f.killers[k] = f.kept[k]

    return Order(front, turn, pending, note, forget, keep, restore)
