"""Local bounds: what the box of a node says about the merits that can be found below it.

A box holds, for every seat, the least and the greatest value of any leaf below a node, and the
same of their total: `low` and `high`, shape (P + 1,). How the most of a sum of values within it
prunes, and why that is exact: docs/explanation/equality.md.
"""

from __future__ import annotations

import math
from typing import Any

from mpsearch._util import GRID, snap
from mpsearch.search.tree.backup import NEVER, PLY

#: A depth beyond the end of every game.
FAR = 1_000_000
#: How far inside the window an outcome's value must lie to be left unknown.
WINDOW_ROOM = 2 * GRID


def reach(f: Any, depth: int, context: Any) -> None:
    """Narrow the box of a node to what the evaluator can reach; bound to the game's own."""
    raise NotImplementedError


def fill(f: Any, context: Any, depth: int) -> None:
    for j in range(context.players + 1):
        f.low[j] = context.low[j]
        f.high[j] = context.high[j]
    # Until a leaf has been cut off by the depth, the search may turn out to be complete and
    # is then taken to hold for any depth. So must the boxes it relied on.
    reach(f, depth if context.horizon != 0 else FAR, context)


def support(weights: Any, order: Any, f: Any, context: Any) -> float:
    """The most that weights @ e can be for values e in the box.

    From the least values on, seats are raised in order of weight, as far as that pays and
    the total allows, or until the least total is reached.
    """
    total = 0.0
    most = 0.0
    for j in range(context.players):
        total += f.low[j]
        most += weights[j] * f.low[j]
    for k in range(context.players):
        j = int(order[k])
        limit = f.high[context.players] if weights[j] > 0.0 else f.low[context.players]
        room = limit - total
        if room > 0.0:
            step = min(room, f.high[j] - f.low[j])
            total += step
            most += weights[j] * step
    return most


def ends(f: Any, column: int, context: Any) -> Any:
    """The least and the greatest value of one seat in the box."""
    low = f.low[context.players]
    high = f.high[context.players]
    for j in range(context.players):
        if j != column:
            low -= f.high[j]
            high -= f.low[j]
    return max(low, f.low[column]), min(high, f.high[column])


def dismiss(f: Any, context: Any, above: int) -> None:
    """Give the node the worst value of its box for the seat above: it will not take it."""
    for j in range(context.players):
        f.value[j] = f.low[j] if context.rows[above][j] > 0.0 else f.high[j]
    f.end = NEVER
    f.cut = 1


def outside(f: Any, context: Any, least: float, greatest: float, low: float, high: float) -> bool:
    """Whether a node's value in the column is surely outside the window; then it is set."""
    bound = 0.0
    # Losses may come late, and wins too.
    upper, lower = snap(greatest + context.stray), snap(least - context.stray)
    if upper <= context.bottom:
        upper += NEVER * PLY
    if lower >= context.top:
        lower -= NEVER * PLY
    if upper <= low:
        bound = greatest
    elif lower >= high:
        bound = least
    else:
        return False
    for j in range(context.players):
        f.value[j] = f.low[j]
    f.value[context.column] = bound
    f.end = NEVER
    f.cut = 1
    return True


def box_cap(f: Any, context: Any, above: int, reached: float) -> Any:
    """The merit from which on the mover leaves the seat above no more than it has reached."""
    seat = f.seat
    least = math.inf
    # Seats change places in the order of weights only where there is a total to be shared.
    whole = f.high[context.players] < math.inf or f.low[context.players] > -math.inf
    last = int(context.mixed[above][seat][1 if whole else 0])
    needed = reached + context.ahead[above]
    for k in range(last):
        most = support(context.mixes[above][seat][k], context.orders[above][seat][k], f, context)
        least = min(least, most - context.slopes[above][seat][k] * needed)
    return least + context.behind[seat]


def local_limits(
    f: Any,
    context: Any,
    depth: int,
    above: int,
    most: float,
    enough: float,
    low: float,
    high: float,
) -> Any:
    """Whether a node is beaten before it is searched, and what its box leaves of `declared`."""
    beaten = False
    fill(f, context, depth)
    seat = f.seat
    if context.immediate != 0:
        best = support(context.rows[seat], context.ranks[seat], f, context) + context.margin[seat]
        most = min(most, best)
        enough = min(enough, most)
    if context.column >= 0:
        if context.futility != 0:
            least, greatest = ends(f, context.column, context)
            beaten = outside(f, context, least, greatest, low, high)
    elif above >= 0 and low > -math.inf:
        if context.futility != 0:
            hope = (
                support(context.rows[above], context.ranks[above], f, context)
                + context.margin[above]
            )
            if hope <= low:
                dismiss(f, context, above)
                beaten = True
        if context.shallow != 0 and not beaten:
            enough = min(enough, box_cap(f, context, above, low))
    return beaten, most, enough


def hope(f: Any, context: Any, depth: int, above: int, low: float, high: float) -> Any:
    """What an outcome of chance is worth at least and at most: its column, or to who moved.

    Infinite where nothing can come of it.
    """
    if depth < context.nearest or context.chance == 0 or (low == -math.inf and high == math.inf):
        return -math.inf, math.inf
    if context.column >= 0:
        fill(f, context, depth)
        return ends(f, context.column, context)
    if above < 0:
        return -math.inf, math.inf
    fill(f, context, depth)
    return -math.inf, support(context.rows[above], context.ranks[above], f, context)


def doomed(
    f: Any, context: Any, above: int, least: float, greatest: float, low: float, high: float
) -> bool:
    """Whether a mean that lies between these cannot be of interest; then its value is set."""
    if context.column >= 0:
        return bool(outside(f, context, least, greatest, low, high))
    if above >= 0 and greatest + context.margin[above] <= low:
        dismiss(f, context, above)
        return True
    return False


def share(
    context: Any, chance_of: float, least: float, greatest: float, low: float, high: float
) -> Any:
    """The window on one outcome outside of which it takes the mean out of its window.

    `least` and `greatest` are what all the others add up to.
    """
    if context.column < 0:
        return -math.inf, math.inf
    room = 2.0 * context.stray
    # A mean that is equal to a win or a loss must be below its merit, not only beside it.
    if low != snap(low):
        low = snap(low) - GRID
    if high != snap(high):
        high = snap(high) + GRID
    under = (low - room - greatest) / chance_of - WINDOW_ROOM
    return under, (high + room - least) / chance_of + WINDOW_ROOM


#: For `bind`.
FUNCTIONS = (
    fill,
    support,
    ends,
    dismiss,
    outside,
    box_cap,
    local_limits,
    hope,
    doomed,
    share,
)
