"""Alpha-beta search over any social matrix, with the pruning that the matrix allows.

Ordinary functions over frames: `mpsearch.search.tree.compiled` binds them to machine code, once for
all games, and `mpsearch.search.tree.interpreted` to Python objects. A game brings one function,
`expand`.

A frame is one level of the tree: `state`, `moves` with `probabilities` (of outcomes), `value`
(backed up, shape (P,)), `line` with `length` (the moves expected from here), `end` (the ply at
which it ends the game, or NEVER), `ply` (which level it is), `seat` (who moves here) and `cut`
(whether the value is only a bound); moves to try first (`move_ordering`); the box
`low` and `high` of an evaluator that knows its reach. `context` is what all levels share; see
`engine` for its fields.
"""

from __future__ import annotations

import math
from typing import Any

from mpsearch._util import SHIFT, snap
from mpsearch.contracts import CHANCE, OVER
from mpsearch.search.pruning.local_bounds import doomed, hope, local_limits, share
from mpsearch.search.pruning.shallow_bound import declared
from mpsearch.search.tree.backup import (
    NEVER,
    PLY,
    add,
    clear,
    key,
    merit,
    move_at,
    probability_at,
    settled,
    take,
)
from mpsearch.search.tree.move_ordering import front, note, pending, turn

#: What `context.halted` says if the rules are to blame; `expand` says the negative of it.
BAD_MOVES = 2
BAD_OUTCOMES = 3
BAD_MOVER = 4
#: Instead of the index of a move: `expand` lists the moves of the node itself.
HERE = -1


def expand(f: Any, i: int, depth: int, context: Any) -> int:
    """Put what is behind move i of f into the frame below; how many moves or outcomes it has.

    The state, who moves there, and the moves or, if it has none or depth is 0, the value. Where the
    game knows how it ends, it is over, in `end` plies. With i = HERE the moves of f itself are
    listed. Bound to the game's own.
    """
    raise NotImplementedError


def below(f: Any) -> Any:
    """The frame one level deeper; the `last` one has none. Bound to how frames are linked."""
    raise NotImplementedError


def visit(f: Any, g: Any, i: int, context: Any, depth: int) -> int:
    """Look at the node behind move i of f: how many children it has.

    Without any, its value is there at once: leaves, which most nodes are, need no call of `search`.
    """
    context.nodes += 1
    if context.stop != 0 or context.nodes > context.node_limit:
        context.halted = 1
        return 0
    g.length = 0
    g.end = 0
    count = expand(f, i, depth, context)
    if count < 0:
        context.halted = -count
        return 0
    if count == 0:
        g.end = min(g.ply + g.end, NEVER - 1) if g.seat == OVER else NEVER
        if depth <= 0 and g.seat >= 0:
            context.horizon = 1
    return count


def seen_from(above: int, f: Any, context: Any) -> float:
    """A value as it counts one level above: in the column, or to the seat there."""
    if context.column >= 0:
        return float(f.value[context.column])
    seen = 0.0
    for j in range(context.players):
        seen += context.matrix[above, j] * f.value[j]
    return seen


def with_ties(
    f: Any, context: Any, best: float, floor: float, ceiling: float, low: float, high: float
) -> Any:
    """The window for a move that wins a tie against the best so far, which f has taken.

    `floor` and `ceiling` are the window of f itself. Slack admits equality anyway.
    """
    if context.column < 0:
        return low - context.gap, high
    if context.slack > 0.0:
        return low, high
    if context.matrix[f.seat, context.column] > 0:
        return max(floor, best - PLY), high
    return low, min(ceiling, PLY - best)


def edge(context: Any, sign: float, best: float, g: Any) -> Any:
    """What a mover has reached in the column with g, whose key is `best`, as windows have it."""
    return snap(g.value[context.column]) if context.slack > 0.0 else sign * best


def too_late(f: Any, context: Any, low: float, high: float) -> bool:
    """Whether no end below a node is soon enough to lie in the window; then its value is set."""
    soonest = f.ply + 1
    bound = context.top
    if context.top - soonest * PLY > low:
        if context.bottom + soonest * PLY < high:
            return False
        bound = context.bottom
    clear(f)
    for j in range(context.players):
        f.value[j] = bound
    f.end = soonest
    f.cut = 1
    return True


def average(
    f: Any, context: Any, above: int, depth: int, count: int, low: float, high: float
) -> None:
    """Back up the value of a chance node, as `search` does that of other nodes.

    Whoever goes down a level asks which of the two it takes: one that called the other would need
    two levels of Python's stack for each of the tree's.
    """
    if f.last != 0:
        context.halted = 1
        context.crowded = 1
        return
    g = below(f)
    least, greatest = hope(f, context, depth, above, low, high)
    bounded = greatest < math.inf
    if bounded and doomed(f, context, above, least, greatest, low, high):
        return
    clear(f)
    rest = 1.0
    so_far = 0.0
    for i in range(count):
        if bounded:
            rest -= probability_at(f, i)
        children = visit(f, g, i, context, depth)
        if children > 0:
            under, over = -math.inf, math.inf
            if bounded and probability_at(f, i) > 0.0:
                worst, most = so_far + rest * least, so_far + rest * greatest
                under, over = share(context, probability_at(f, i), worst, most, low, high)
            if g.seat == CHANCE:
                average(g, context, f.seat, depth, children, under, over)
            else:
                search(g, context, f.seat, depth, children, under, over)
        if context.halted != 0:
            return
        add(f, g, i)
        if bounded:
            so_far = seen_from(above, f, context)
            if i + 1 < count or context.column >= 0:
                worst = so_far + rest * least
                if doomed(f, context, above, worst, so_far + rest * greatest, low, high):
                    return


def search(
    f: Any, context: Any, above: int, depth: int, count: int, low: float, high: float
) -> None:
    """Back up the value of f, where a seat moves; it has been visited and has `count` children.

    `above` is who moves one level above. Deep pruning: `low` and `high` are the window on the key
    of a seat that wishes for the value in context.column; the result is exact inside it and a bound
    outside. Shallow pruning: `low` is the merit that the seat one level above must exceed.
    """
    if f.last != 0:
        context.halted = 1
        context.crowded = 1
        return
    seat = f.seat
    g = below(f)
    most, enough = math.inf, math.inf
    if context.prune != 0:
        most, enough = declared(f, context, above, low)
        beaten = False
        if depth >= context.nearest:
            beaten, most, enough = local_limits(f, context, depth, above, most, enough, low, high)
        if beaten or (context.column >= 0 and too_late(f, context, low, high)):
            context.cutting = 1
            return
        if context.cares[seat] == 0:
            # All moves tie for a seat that does not care, and a tie goes to the first.
            count = 1
    sign = 0.0
    if context.column >= 0:
        sign = context.matrix[seat, context.column]
    else:
        low = -math.inf
    first, second = -1, -1
    if f.known > 0 and count > 1:
        first, second = front(f, count)
    floor, ceiling = low, high
    # What `merit`, `key` and `settled` ask first is asked here: most moves then need no call, which
    # in Python takes longer than what it does.
    only, weight = context.only[seat], context.weight[seat]
    won, lost = context.won[seat], context.lost[seat]
    # The key of the best move, its merit, and the merit that the mover must exceed to have more.
    best, reached, sure, chosen = -math.inf, -math.inf, -math.inf, -1
    for k in range(count):
        i = k if first < 0 else turn(k, first, second)
        if sure >= most and i > chosen:
            continue
        children = visit(f, g, i, context, depth - 1)
        if children > 0:
            under, over = low, high
            if i < chosen:
                under, over = with_ties(f, context, best, floor, ceiling, low, high)
            if g.seat == CHANCE:
                average(g, context, seat, depth - 1, children, under, over)
            else:
                search(g, context, seat, depth - 1, children, under, over)
        if context.halted != 0:
            return
        seen = (weight * g.value[only] + SHIFT) - SHIFT if only >= 0 else merit(context, seat, g)
        if seen < reached:
            continue
        its = seen if lost < seen < won else key(context, seat, seen, g)
        if its > best or k == 0 or (its == best and i < chosen):
            best, reached, chosen = its, seen, i
            take(f, g, i)
            if context.prune == 0:
                continue
            sure = beyond = seen
            if not lost < seen < won:
                sure = settled(context, seat, seen, best, f.ply + 1)
                beyond = settled(context, seat, seen, best, f.ply + 2)
            if context.column < 0:
                low = beyond
            elif sign > 0:
                low = max(low, edge(context, sign, best, g) - context.slack)
            elif sign < 0:
                high = min(high, edge(context, sign, best, g) + context.slack)
            left = first >= 0 and pending(k, count, chosen, first, second)
            if low >= high or (sure >= enough and enough < most):
                f.cut = 1 if k + 1 < count and (sure < most or left) else 0
                context.cutting = 1
                if context.killers != 0:
                    note(f, move_at(f, i))
                return
            if sure >= most and not left:
                return
    if context.killers != 0 and context.cutting != 0 and sure < most:
        note(f, move_at(f, chosen))


def try_root(f: Any, context: Any, i: int, depth: int, low: float, high: float) -> None:
    """Search behind move i of the root; the value is in the frame below."""
    g = below(f)
    g.cut = 0
    children = visit(f, g, i, context, depth - 1)
    if children > 0:
        if g.seat == CHANCE:
            average(g, context, f.seat, depth - 1, children, low, high)
        else:
            search(g, context, f.seat, depth - 1, children, low, high)


#: For `bind`; those that are called come before those that call them.
FUNCTIONS = (visit, seen_from, with_ties, edge, too_late, average, search, try_root)
