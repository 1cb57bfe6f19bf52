"""Iterative deepening: all root moves to one depth after the other, in one call.

As in CHESS 4.5 (Slate and Atkin 1977). Where it stands is in the context, so that a search which
ran out of frames goes on where it was once there are more.
"""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple

from mpsearch._util import snap
from mpsearch.search.tree.alpha_beta import HERE, edge, expand, try_root
from mpsearch.search.tree.backup import PLY, keep_entry, key, merit, settled
from mpsearch.search.tree.move_ordering import forget_killers, keep_killers, note, restore_killers

#: Node limit of a search that has none.
NO_LIMIT = sys.maxsize

#: Where a search stands, in its context. Whole numbers: the first depth, the one being searched and
#: the last one; the node limit once there is a result; how many root moves were tried at this
#: depth, the first of them and the best so far; the nodes before the one that is being tried;
#: whether all get their exact value; of the last depth that was completed its number, the best
#: move and the bank with what was found.
PROGRESS = (
    *("start", "depth", "deepest", "most_nodes", "tried", "first", "best", "before", "exact"),
    *("completed", "choice", "bank"),
)
#: And the key of the best root move so far, and how far apart merits are.
MERITS = ("merit", "gap")


class Ended(NamedTuple):
    """How a search stands when it is done or halted: some of its context."""

    completed: int
    choice: int
    bank: int
    nodes: int
    halted: int
    crowded: int


def window(context: Any, root: int, best: Any, wins_tie: bool) -> Any:
    """The window in which a further root move must lie to be chosen."""
    if context.column < 0:
        # Behind the root's moves games end at the second ply or later.
        reached = settled(context, root, snap(context.merit), context.merit, 2)
        return reached - (context.gap if wins_tie else 0.0), math.inf
    sign = context.matrix[root, context.column]
    value = edge(context, sign, context.merit, best)
    # Slack admits equality by itself.
    room = context.slack if context.slack > 0.0 else (PLY if wins_tie else 0.0)
    low = value - room if sign > 0 else -math.inf
    high = value + room if sign < 0 else math.inf
    return low, high


def keep_root(context: Any, entry: Any, g: Any, seen: float, low: float, high: float) -> None:
    """Write what was found behind a root move, which is in frame g."""
    keep_entry(entry, g)
    inside = True
    if context.column >= 0:
        inside = low < seen and seen < high
    entry.exact = 1 if inside and g.cut == 0 else 0


def expect(frames: Any, entry: Any) -> None:
    """Let the line that the last depth found behind a root move be tried first."""
    for k in range(entry.length):
        note(frames[1 + k], entry.line[k])


def sweep(frames: Any, context: Any, found: Any, last: Any, order: Any, rank: Any) -> bool:
    """Try the root moves that are left at this depth; False if the search was halted.

    Ties go by `order`, not by the order of trying: a move that would win a tie against the
    best so far is searched with a window that admits equality. `last` is what the depth
    before this one found.
    """
    f, g = frames[0], frames[1]
    root = f.seat
    while context.tried < len(order):
        index = context.first
        if context.tried > 0:
            # The first one has had its turn: those ranked before it are one try behind.
            at = context.tried - 1 if context.tried <= rank[context.first] else context.tried
            index = order[at]
        wins_tie = context.tried > 0 and rank[index] < rank[context.best]
        low, high = -math.inf, math.inf
        if context.prune != 0 and context.tried > 0 and context.exact == 0:
            low, high = window(context, root, found[context.best], wins_tie)
        context.before = context.nodes
        ordered = context.killers != 0 or context.line != 0
        if ordered:
            keep_killers(frames, context)
        if context.line != 0 and context.completed > 0:
            expect(frames, last[index])
        try_root(f, context, index, context.depth, low, high)
        if context.halted != 0:
            if context.crowded != 0 and ordered:
                # It is tried again with more frames, and must then go the same way.
                restore_killers(frames, context)
            return False
        seen = key(context, root, merit(context, root, g), g)
        reached = 0.0
        if context.column >= 0:
            reached = edge(context, context.matrix[root, context.column], seen, g)
        keep_root(context, found[index], g, reached, low, high)
        if context.tried == 0 or seen > context.merit or (wins_tie and seen == context.merit):
            context.best = index
            context.merit = seen
        context.tried += 1
    return True


def open_root(
    frames: Any, context: Any, depth: int, deepest: int, most_nodes: int, exact: int
) -> int:
    """Begin a search of the root in frames[0] and list its moves; their number.

    Whoever begins the first of several clears `stop`: a signal may come between them.
    """
    context.start = context.depth = depth
    context.deepest = deepest
    context.most_nodes = most_nodes
    context.exact = exact
    context.nodes = 1  # the root itself
    context.node_limit = NO_LIMIT  # until there is a result
    context.halted = 0
    context.crowded = 0
    context.horizon = 0
    context.tried = 0
    context.completed = context.choice = context.bank = 0
    forget_killers(frames, context)
    return int(expand(frames[0], HERE, 1, context))


def goes_on(context: Any) -> bool:
    """Whether there is a depth to be searched; then it is the context's."""
    if context.completed == context.depth:
        if context.horizon == 0 or context.depth >= context.deepest:
            return False
        if context.stop != 0 or context.nodes >= context.node_limit:
            return False
        context.depth += 1
        context.tried = 0
        context.first = context.choice
        context.horizon = 0
        context.nodes += 1  # the root itself
    return True


def search_root(
    frames: Any, context: Any, banks: Any, order: Any, rank: Any
) -> tuple[int, int, int, int, int, int]:
    """Search the root in frames[0]; how it stands when done or halted.

    `order` lists the indices of the root moves to be tried, the one that wins ties first, and
    `rank` is filled with where in `order` each index is. What was found at the last completed
    depth is in banks[context.bank], by index; the depth under way writes to the other bank.
    """
    for place in range(len(order)):
        rank[order[place]] = place
    if context.completed == 0 and context.tried == 0:
        context.first = order[0]
    while goes_on(context):
        found, last = banks[1 - context.bank], banks[context.bank]
        if not sweep(frames, context, found, last, order, rank):
            break
        context.bank = 1 - context.bank
        context.completed = context.depth
        context.choice = context.best
        context.node_limit = context.most_nodes
    # All at once: Python takes longer to read one of these from the context.
    return (
        context.completed,
        context.choice,
        context.bank,
        context.nodes,
        context.halted,
        context.crowded,
    )


#: For `bind`.
FUNCTIONS = (window, keep_root, expect, sweep, open_root, goes_on, search_root)
