"""The root: all its moves to one depth after the other, in one call.

Like the kernel it is one source for compiled records and for Python objects. Where it stands is in
the slate, so that a search which ran out of frames goes on where it was once there are more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from mpsearch.contracts.equality import GRID
from mpsearch.contracts.equality import snap as snap_number
from mpsearch.search.backup import Backup
from mpsearch.search.order import Order

#: Node limit of a search that has none.
NO_LIMIT = sys.maxsize

#: Where a search stands, in its slate. Whole numbers: the first depth, the one being searched and
#: the last one; the node limit once there is a result; how many root moves were tried at this
#: depth, the first of them and the best so far; the nodes before the one that is being tried;
#: whether all get their exact value; of the last depth that was completed its number, the best
#: move and the bank with what was found.
PROGRESS = (
    *("start", "depth", "deepest", "most_nodes", "tried", "first", "best", "before", "exact"),
    *("completed", "choice", "bank"),
)
#: And the merit of the best root move so far, and how far apart merits are.
MERITS = ("merit", "gap")


class Ended(NamedTuple):
    """How a search stands when it is done or halted: some of its slate."""

    completed: int
    choice: int
    bank: int
    nodes: int
    halted: int
    crowded: int


def make_root(
    *,
    list_root: Callable[..., Any],
    try_root: Callable[..., Any],
    backup: Backup,
    order: Order,
    jit: Callable[..., Any],
    entry: Callable[..., Any],
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`open_root` and `search_root` around what a kernel does with the root."""
    snap = jit(snap_number)
    note, forget, hold, restore = order.note, order.forget, order.keep, order.restore
    merit_of, keep_entry = backup.merit, backup.keep

    @jit
    def window(slate: Any, root: int, best: Any, wins_tie: bool) -> Any:
        """The window in which a further root move must lie to be chosen."""
        if slate.column < 0:
            return slate.merit - (slate.gap if wins_tie else 0.0), math.inf
        value = snap(best.value[slate.column])
        # Slack admits equality by itself.
        room = slate.slack if slate.slack > 0.0 else (GRID if wins_tie else 0.0)
        sign = slate.matrix[root, slate.column]
        low = value - room if sign > 0 else -math.inf
        high = value + room if sign < 0 else math.inf
        return low, high

    @jit
    def keep(slate: Any, entry: Any, g: Any, low: float, high: float) -> None:
        """Write what was found behind a root move, which is in frame g."""
        keep_entry(entry, g)
        inside = True
        if slate.column >= 0:
            seen = snap(g.value[slate.column])
            inside = low < seen and seen < high
        entry.exact = 1 if inside and g.cut == 0 else 0

    @jit
    def expect(frames: Any, ply: int, entry: Any) -> None:
        """Let the line that the last depth found behind a root move be tried first."""
        for k in range(entry.length):
            note(frames[ply + 1 + k], entry.line[k])

    @jit
    def sweep(
        frames: Any, slates: Any, found: Any, last: Any, order: Any, rank: Any, ply: int
    ) -> bool:
        """Try the root moves that are left at this depth; False if the search was halted.

        Ties go by `order`, not by the order of trying: a move that would win a tie against the
        best so far is searched with a window that admits equality. `last` is what the depth
        before this one found.
        """
        slate = slates[0]
        root = frames[ply].seat
        while slate.tried < len(order):
            index = slate.first
            if slate.tried > 0:
                # The first one has had its turn: those ranked before it are one try behind.
                at = slate.tried - 1 if slate.tried <= rank[slate.first] else slate.tried
                index = order[at]
            wins_tie = slate.tried > 0 and rank[index] < rank[slate.best]
            low, high = -math.inf, math.inf
            if slate.prune != 0 and slate.tried > 0 and slate.exact == 0:
                low, high = window(slate, root, found[slate.best], wins_tie)
            slate.before = slate.nodes
            ordered = slate.killers != 0 or slate.line != 0
            if ordered:
                hold(frames, slate)
            if slate.line != 0 and slate.completed > 0:
                expect(frames, ply, last[index])
            try_root(frames, slates, ply, index, slate.depth, low, high)
            if slate.halted != 0:
                if slate.crowded != 0 and ordered:
                    # It is tried again with more frames, and must then go the same way.
                    restore(frames, slate)
                return False
            g = frames[ply + 1]
            keep(slate, found[index], g, low, high)
            merit = merit_of(slate, root, g)
            if slate.tried == 0 or merit > slate.merit or (wins_tie and merit == slate.merit):
                slate.best = index
                slate.merit = merit
            slate.tried += 1
        return True

    @entry
    def open_root(
        frames: Any, slates: Any, depth: int, deepest: int, most_nodes: int, exact: int
    ) -> int:
        """Begin a search of the root in frames[0] and list its moves; their number.

        Whoever begins the first of several clears `stop`: a signal may come between them. The slate
        comes in a list of one, because numba takes an array ten times faster than a record.
        """
        slate = slates[0]
        slate.start = slate.depth = depth
        slate.deepest = deepest
        slate.most_nodes = most_nodes
        slate.exact = exact
        slate.nodes = 1  # the root itself
        slate.node_limit = NO_LIMIT  # until there is a result
        slate.halted = 0
        slate.crowded = 0
        slate.horizon = 0
        slate.tried = 0
        slate.completed = slate.choice = slate.bank = 0
        forget(frames, slate)
        return int(list_root(frames, slates))

    @jit
    def goes_on(slate: Any) -> bool:
        """Whether there is a depth to be searched; then it is the slate's."""
        if slate.completed == slate.depth:
            if slate.horizon == 0 or slate.depth >= slate.deepest:
                return False
            if slate.stop != 0 or slate.nodes >= slate.node_limit:
                return False
            slate.depth += 1
            slate.tried = 0
            slate.first = slate.choice
            slate.horizon = 0
            slate.nodes += 1  # the root itself
        return True

    @entry
    def search_root(
        frames: Any, slates: Any, banks: Any, order: Any, rank: Any, ply: int
    ) -> tuple[int, int, int, int, int, int]:
        """Search the root at `ply` (always 0; see `try_root`); how it stands when done or halted.

        `order` lists the indices of the root moves to be tried, the one that wins ties first, and
        `rank` is filled with where in `order` each index is. What was found at the last completed
        depth is in banks[slate.bank], by index; the depth under way writes to the other bank.

        Of functions that call the search there are as few as can be: the compiler goes through all
        of it again for each.
        """
        slate = slates[0]
        for place in range(len(order)):
            rank[order[place]] = place
        if slate.completed == 0 and slate.tried == 0:
            slate.first = order[0]
        while goes_on(slate):
            found, last = banks[1 - slate.bank], banks[slate.bank]
            if not sweep(frames, slates, found, last, order, rank, ply):
                break
            slate.bank = 1 - slate.bank
            slate.completed = slate.depth
            slate.choice = slate.best
            slate.node_limit = slate.most_nodes
        # All at once: Python takes longer to read one of these from the slate.
        return slate.completed, slate.choice, slate.bank, slate.nodes, slate.halted, slate.crowded

    return open_root, search_root
