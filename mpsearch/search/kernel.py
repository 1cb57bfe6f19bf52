"""The one search.

`make_kernel` returns the search over any rules, any evaluator and any social matrix, as plain
Python functions or, given numba's decorator, as machine code. The parts it is made of are four
small functions over frames, so that one source serves compiled records and Python objects.

A frame is one level of the tree: `state`, `moves` with `probabilities` (of outcomes), `value`
(backed up, shape (P,)), `line` with `length` (the moves expected from here), `seat` (who moves
here) and `cut` (whether the value is only a bound); moves to try first (`mpsearch.search.order`);
with an evaluator that knows its reach also the box `low` and `high`. `slate` is what all levels
share; see `mpsearch.search.workshop` for its fields.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mpsearch.contracts.equality import GRID
from mpsearch.contracts.equality import snap as snap_number
from mpsearch.contracts.game import CHANCE
from mpsearch.search.backup import Backup
from mpsearch.search.box import make_box
from mpsearch.search.order import Order


def make_kernel(
    *,
    players: int,
    begin: Callable[..., Any],
    visit: Callable[..., Any],
    backup: Backup,
    order: Order,
    reach: Callable[..., Any] | None = None,
    lists_chance: bool = True,
    jit: Callable[..., Any],
    entry: Callable[..., Any],
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`open_root` and `try_root` for these parts.

    begin(f, slate) -> count, and fills in who moves at the root and the moves; visit(f, g, i,
    slate, depth) -> count puts what is behind f's move i into g: the state, who moves there, and
    the moves or, if it has no children, the value; reach(f, slate, depth) narrows f.low and f.high.
    Without `lists_chance` no node has outcomes of chance below it, and nothing is compiled for
    them. `jit` decorates inner functions, `entry` the two that are called from Python.
    """
    snap = jit(snap_number)
    merit, take, clear, add = backup.merit, backup.take, backup.clear, backup.add
    front, turn, pending, note = order.front, order.turn, order.pending, order.note

    @jit
    def cap(slate: Any, above: int, seat: int, reached: float) -> Any:
        """The merit at which a node of `seat` is of no more interest to the seat above."""
        last = int(slate.corners[above, seat]) - 1
        if reached < slate.chains[above, seat, last, 1]:
            return math.inf
        for k in range(1, last + 1):
            u = slate.chains[above, seat, k, 0]
            f = slate.chains[above, seat, k, 1]
            if reached >= f and reached < slate.chains[above, seat, k - 1, 1]:
                run = u - slate.chains[above, seat, k - 1, 0]
                return u - (reached - f) * run / (slate.chains[above, seat, k - 1, 1] - f)
        return -math.inf

    @jit
    def declared(f: Any, slate: Any, depth: int, above: int, low: float, high: float) -> Any:
        """Whether a node is beaten before it is searched, and the merits at which it can end.

        The most that its mover can get, and what is enough for the seat above to leave it.
        """
        most = slate.most[f.seat]
        if slate.column < 0 and slate.prune != 0 and above >= 0:
            return False, most, min(most, cap(slate, above, f.seat, low))
        return False, most, most

    @jit
    def seen_from(above: int, f: Any, slate: Any) -> float:
        """A value as it counts one level above: in the column, or to the seat there."""
        if slate.column >= 0:
            return float(f.value[slate.column])
        seen = 0.0
        for j in range(players):
            seen += slate.matrix[above, j] * f.value[j]
        return seen

    @jit
    def no_hope(f: Any, slate: Any, depth: int, above: int, low: float, high: float) -> Any:
        return -math.inf, math.inf

    @jit
    def never(
        f: Any, slate: Any, above: int, least: float, greatest: float, low: float, high: float
    ) -> bool:
        return False

    @jit
    def any_share(
        slate: Any, chance_of: float, least: float, greatest: float, low: float, high: float
    ) -> Any:
        return -math.inf, math.inf

    limits, hope, doomed, share = declared, no_hope, never, any_share
    if reach is not None:
        limits, hope, doomed, share = make_box(
            players=players, reach=reach, declared=declared, jit=jit
        )

    @jit
    def with_ties(
        f: Any, slate: Any, best: float, floor: float, ceiling: float, low: float, high: float
    ) -> Any:
        """The window for a move that wins a tie against the best so far, which f has taken.

        `floor` and `ceiling` are the window of f itself. Slack admits equality anyway.
        """
        if slate.column < 0:
            return best - slate.gap, high
        if slate.slack > 0.0:
            return low, high
        reached = snap(f.value[slate.column])
        if slate.matrix[f.seat, slate.column] > 0:
            return max(floor, reached - GRID), high
        return low, min(ceiling, reached + GRID)

    @jit
    def search(
        frames: Any, slate: Any, ply: int, depth: int, count: int, low: float, high: float
    ) -> None:
        """Back up the value of frames[ply], which has been visited and has `count` children.

        Deep pruning: `low` and `high` are the window on the snapped value in slate.column; the
        result is exact inside it and a bound outside. Shallow pruning: `low` is the merit that
        the seat one level above has already reached.
        """
        if ply + 1 >= slate.room:
            slate.halted = 1
            slate.crowded = 1
            return
        f = frames[ply]
        g = frames[ply + 1]
        seat = f.seat

        above = frames[ply - 1].seat
        if lists_chance and seat == CHANCE:
            least, greatest = hope(f, slate, depth, above, low, high)
            bounded = greatest < math.inf
            if bounded and doomed(f, slate, above, least, greatest, low, high):
                return
            clear(f)
            rest = 1.0
            so_far = 0.0
            for i in range(count):
                chance_of = f.probabilities[i]
                rest -= chance_of
                under, over = -math.inf, math.inf
                if bounded and chance_of > 0.0:
                    worst = so_far + rest * least
                    under, over = share(
                        slate, chance_of, worst, so_far + rest * greatest, low, high
                    )
                below = visit(f, g, i, slate, depth)
                if below > 0:
                    search(frames, slate, ply + 1, depth, below, under, over)
                if slate.halted != 0:
                    return
                add(f, g, chance_of)
                if bounded:
                    so_far = seen_from(above, f, slate)
                    if i + 1 < count or slate.column >= 0:
                        worst = so_far + rest * least
                        if doomed(f, slate, above, worst, so_far + rest * greatest, low, high):
                            return
            return

        most, enough = math.inf, math.inf
        if slate.prune != 0:
            beaten, most, enough = limits(f, slate, depth, above, low, high)
            if beaten:
                slate.cutting = 1
                return
            if slate.cares[seat] == 0:
                # All moves tie for a seat that does not care, and a tie goes to the first.
                count = 1
        sign = 0.0
        if slate.column >= 0:
            sign = slate.matrix[seat, slate.column]
        else:
            low = -math.inf
        first, second = -1, -1
        if f.known > 0 and count > 1:
            first, second = front(f, count)
        floor, ceiling = low, high
        best, chosen = -math.inf, -1
        for k in range(count):
            i = k if first < 0 else turn(k, first, second)
            under, over = low, high
            if i < chosen:
                under, over = with_ties(f, slate, best, floor, ceiling, low, high)
            elif best >= most:
                continue
            below = visit(f, g, i, slate, depth - 1)
            if below > 0:
                search(frames, slate, ply + 1, depth - 1, below, under, over)
            if slate.halted != 0:
                return
            seen = merit(slate, seat, g)
            if seen > best or k == 0 or (seen == best and i < chosen):
                best, chosen = seen, i
                take(f, g, i)
                if slate.column < 0:
                    low = best
                elif sign > 0:
                    low = max(low, snap(g.value[slate.column]) - slate.slack)
                elif sign < 0:
                    high = min(high, snap(g.value[slate.column]) + slate.slack)
                left = first >= 0 and pending(k, count, chosen, first, second)
                if low >= high or (best >= enough and enough < most):
                    f.cut = 1 if k + 1 < count and (best < most or left) else 0
                    slate.cutting = 1
                    if slate.killers != 0:
                        note(f, f.moves[i])
                    return
                if best >= most and not left:
                    return
        if slate.killers != 0 and slate.cutting != 0 and best < most:
            note(f, f.moves[chosen])

    @entry
    def open_root(frames: Any, slates: Any) -> int:
        """List the root's moves in frames[0]; their number.

        The slate comes in a list of one, because numba takes an array ten times faster than a
        record.
        """
        return int(begin(frames[0], slates[0]))

    @entry
    def try_root(
        frames: Any, slates: Any, root: int, i: int, depth: int, low: float, high: float
    ) -> None:
        """Search behind move i of the root, which is at ply `root`; the value is one below.

        `root` is an argument although it is always 0: numba makes a second copy of a recursive
        function for a literal number, and such a pair crashes when loaded from the disk cache.
        """
        slate = slates[0]
        below = visit(frames[root], frames[root + 1], i, slate, depth - 1)
        if below > 0:
            search(frames, slate, root + 1, depth - 1, below, low, high)

    return open_root, try_root
