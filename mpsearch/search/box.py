"""Local bounds: what the box of a node says about the merits that can be found below it.

A box holds, for every seat, the least and the greatest value of any leaf below a node, and the
same of their total: `low` and `high`, shape (P + 1,). How the most of a sum of values within it
prunes, and why that is exact: docs/equality.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mpsearch.contracts.equality import GRID
from mpsearch.contracts.equality import snap as snap_number

#: A depth beyond the end of every game.
FAR = 1_000_000
#: How far inside the window an outcome's value must lie to be left unknown.
WINDOW_ROOM = 2 * GRID


def make_box(
    *,
    players: int,
    reach: Callable[..., Any],
    declared: Callable[..., Any],
    jit: Callable[..., Any],
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """`limits` for seats; `hope`, `doomed` and `share` for chance, over frames with a box.

    reach(f, slate, depth) narrows the frame's box; declared(f, slate, depth, above, low, high) are
    the limits that hold without one.
    """
    snap = jit(snap_number)

    @jit
    def fill(f: Any, slate: Any, depth: int) -> None:
        for j in range(players + 1):
            f.low[j] = slate.low[j]
            f.high[j] = slate.high[j]
        # Until a leaf has been cut off by the depth, the search may turn out to be complete and
        # is then taken to hold for any depth. So must the boxes it relied on.
        reach(f, slate, depth if slate.horizon != 0 else FAR)

    @jit
    def support(weights: Any, order: Any, f: Any) -> float:
        """The most that weights @ e can be for values e in the box.

        From the least values on, seats are raised in order of weight, as far as that pays and
        the total allows, or until the least total is reached.
        """
        total = 0.0
        most = 0.0
        for j in range(players):
            total += f.low[j]
            most += weights[j] * f.low[j]
        for k in range(players):
            j = int(order[k])
            limit = f.high[players] if weights[j] > 0.0 else f.low[players]
            room = limit - total
            if room > 0.0:
                step = min(room, f.high[j] - f.low[j])
                total += step
                most += weights[j] * step
        return most

    @jit
    def ends(f: Any, column: int) -> Any:
        """The least and the greatest value of one seat in the box."""
        low = f.low[players]
        high = f.high[players]
        for j in range(players):
            if j != column:
                low -= f.high[j]
                high -= f.low[j]
        return max(low, f.low[column]), min(high, f.high[column])

    @jit
    def dismiss(f: Any, slate: Any, above: int) -> None:
        """Give the node the worst value of its box for the seat above: it will not take it."""
        for j in range(players):
            f.value[j] = f.low[j] if slate.rows[above][j] > 0.0 else f.high[j]
        f.cut = 1

    @jit
    def outside(f: Any, slate: Any, least: float, greatest: float, low: float, high: float) -> bool:
        """Whether a node's value in the column is surely outside the window; then it is set."""
        bound = 0.0
        if snap(greatest + slate.stray) <= low:
            bound = greatest
        elif snap(least - slate.stray) >= high:
            bound = least
        else:
            return False
        for j in range(players):
            f.value[j] = f.low[j]
        f.value[slate.column] = bound
        f.cut = 1
        return True

    @jit
    def cap(f: Any, slate: Any, above: int, reached: float) -> Any:
        """The merit from which on the mover leaves the seat above no more than it has reached."""
        seat = f.seat
        least = math.inf
        # Seats change places in the order of weights only where there is a total to be shared.
        whole = f.high[players] < math.inf or f.low[players] > -math.inf
        last = int(slate.mixed[above][seat][1 if whole else 0])
        needed = reached + slate.ahead[above]
        for k in range(last):
            most = support(slate.mixes[above][seat][k], slate.orders[above][seat][k], f)
            least = min(least, most - slate.slopes[above][seat][k] * needed)
        return least + slate.behind[seat]

    @jit
    def limits(f: Any, slate: Any, depth: int, above: int, low: float, high: float) -> Any:
        """Whether a node is beaten before it is searched, and the merits at which it can end."""
        beaten, most, enough = declared(f, slate, depth, above, low, high)
        if depth < slate.nearest:
            return beaten, most, enough
        fill(f, slate, depth)
        seat = f.seat
        if slate.immediate != 0:
            best = support(slate.rows[seat], slate.ranks[seat], f) + slate.margin[seat]
            most = min(most, best)
            enough = min(enough, most)
        if slate.column >= 0:
            if slate.futility != 0:
                least, greatest = ends(f, slate.column)
                beaten = outside(f, slate, least, greatest, low, high)
        elif above >= 0 and low > -math.inf:
            if slate.futility != 0:
                hope = support(slate.rows[above], slate.ranks[above], f) + slate.margin[above]
                if hope <= low:
                    dismiss(f, slate, above)
                    beaten = True
            if slate.shallow != 0 and not beaten:
                enough = min(enough, cap(f, slate, above, low))
        return beaten, most, enough

    @jit
    def hope(f: Any, slate: Any, depth: int, above: int, low: float, high: float) -> Any:
        """What an outcome of chance is worth at least and at most: its column, or to who moved.

        Infinite where nothing can come of it.
        """
        if depth < slate.nearest or slate.chance == 0 or (low == -math.inf and high == math.inf):
            return -math.inf, math.inf
        if slate.column >= 0:
            fill(f, slate, depth)
            return ends(f, slate.column)
        if above < 0:
            return -math.inf, math.inf
        fill(f, slate, depth)
        return -math.inf, support(slate.rows[above], slate.ranks[above], f)

    @jit
    def doomed(
        f: Any, slate: Any, above: int, least: float, greatest: float, low: float, high: float
    ) -> bool:
        """Whether a mean that lies between these cannot be of interest; then its value is set."""
        if slate.column >= 0:
            return bool(outside(f, slate, least, greatest, low, high))
        if above >= 0 and greatest + slate.margin[above] <= low:
            dismiss(f, slate, above)
            return True
        return False

    @jit
    def share(
        slate: Any, chance_of: float, least: float, greatest: float, low: float, high: float
    ) -> Any:
        """The window on one outcome outside of which it takes the mean out of its window.

        `least` and `greatest` are what all the others add up to.
        """
        if slate.column < 0:
            return -math.inf, math.inf
        room = 2.0 * slate.stray
        under = (low - room - greatest) / chance_of - WINDOW_ROOM
        return under, (high + room - least) / chance_of + WINDOW_ROOM

    return limits, hope, doomed, share
