"""Worlds in batches: one native call searches as many of them as a thread takes at once.

Between two worlds of a call there is no Python, so nothing for which threads would wait for each
other. What is found lies in rows, one for each world, and is read when all are done.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from mpsearch.contracts.arrays import frozen_array
from mpsearch.contracts.game import State
from mpsearch.search.deepen import AbortedError, Ties, Watch, WorldResult, make_room, no_result
from mpsearch.search.limits import MOST_LEVELS
from mpsearch.search.plan import Plan
from mpsearch.search.root import Ended
from mpsearch.search.workshop import Found, Goal, check_count, check_halt

if TYPE_CHECKING:
    from mpsearch.search.compiled import CompiledWorkshop, CompiledWorkspace

#: Ends an order that is shorter than others.
_NO_MOVE = -1


class Rows(NamedTuple):
    """What a native call reads and writes for each of its W worlds with at most N root moves."""

    #: Indices of root moves, the one that wins ties first. Shape (W, N).
    orders: Any
    #: Two banks with what was found behind each root move; see `search_root`. Shape (W, 2, N).
    banks: Any
    #: Where the search of each stands. Shape (W, 6).
    standings: Any

    def part(self, worlds: slice) -> Rows:
        """The rows of some worlds."""
        return Rows(*(array[worlds] for array in self))


def make_batch(
    *,
    widest: int,
    list_root: Callable[..., Any],
    open_root: Callable[..., Any],
    search_root: Callable[..., Any],
    entry: Callable[..., Any],
) -> tuple[Callable[..., Any], ...]:
    """`begin`, `search_roots` and `list_roots` around what `make_root` made."""

    @entry
    def begin(
        frames: Any, slates: Any, depth: int, deepest: int, most_nodes: int, exact: bool
    ) -> int:
        """Open the root in frames[0]; the number of its moves."""
        slates[0].stop = 0
        return int(open_root(frames, slates, depth, deepest, most_nodes, int(exact)))

    @entry
    def search_roots(
        frames: Any, slates: Any, ply: int, states: Any, orders: Any, banks: Any, standings: Any
    ) -> Any:
        """Search the root that was opened, and then those of states[1:].

        How many are done, and how the last one stands: if not all are done, that is one more,
        which was stopped, is at fault or needs more frames. `ply` is always 0.
        """
        slate = slates[0]
        rank = np.empty(banks.shape[2], np.int64)
        standing = (0, 0, 0, 0, 0, 0)
        for world in range(len(orders)):
            if world > 0:
                frames[ply].state = states[world]
                open_root(frames, slates, slate.start, slate.deepest, slate.most_nodes, slate.exact)
            count = 0
            while count < orders.shape[1] and orders[world, count] >= 0:
                count += 1
            standing = search_root(frames, slates, banks[world], orders[world, :count], rank, ply)
            for k in range(len(standing)):
                standings[world, k] = standing[k]
            if (
                slate.stop != 0
                or slate.halted > 1
                or (slate.crowded != 0 and slate.room < MOST_LEVELS)
            ):
                return world, standing
        return len(orders), standing

    @entry
    def list_roots(
        frames: Any, slates: Any, states: Any, moves: Any, counts: Any, seats: Any
    ) -> None:
        """Who moves at the root of every state, and what; the last count may be a wrong one."""
        f = frames[0]
        for world in range(len(states)):
            f.state = states[world]
            count = int(list_root(frames, slates))
            counts[world] = count
            seats[world] = f.seat
            if count < 1 or count > widest:
                return
            for k in range(count):
                moves[world, k] = f.moves[k]

    return begin, search_roots, list_roots


class Batch:
    """The worlds of a decision, and what was found in each."""

    def __init__(self, workshop: CompiledWorkshop, worlds: Sequence[State]) -> None:
        self._workshop = workshop
        self._worlds = worlds
        self._states = np.frombuffer(bytearray(b"".join(worlds)), dtype=workshop.rules.record)

    def list_moves(self, ties: Ties) -> None:
        """List the root moves of all worlds, and rank them."""
        workshop, worlds = self._workshop, len(self._worlds)
        most = workshop.rules.most_moves
        moves = np.empty((worlds, most), dtype=np.int64)
        counts, seats = np.ones((2, worlds), dtype=np.int64)
        workspace = cast("CompiledWorkspace", workshop.borrow())
        workspace.list_roots(workspace.frames, workspace.slates, self._states, moves, counts, seats)
        for count in set(counts.tolist()):
            check_count(count, most)
        workshop.give_back(workspace)
        widest = int(counts.max())
        self._seats: list[int] = seats.tolist()
        self._rows = workshop.rows(worlds, widest)
        if counts.min() == widest and (moves[:, :widest] == moves[0, :widest]).all():
            # As in most games that hide something: who moves knows what it can do.
            alike = moves[0, :widest].tolist()
            ties.draw(alike)
            self._listed = [alike] * worlds
            self._rows.orders[:] = ties.order(alike)
            return
        rows = zip(moves, counts.tolist(), strict=True)
        self._listed = [row[:count].tolist() for row, count in rows]
        ties.draw(move for listed in self._listed for move in listed)
        self._rows.orders[:] = _NO_MOVE
        for order, listed in zip(self._rows.orders, self._listed, strict=True):
            order[: len(listed)] = ties.order(listed)

    def shares(self, threads: int) -> list[range]:
        """What threads take at a time: less and less, so that they end together."""
        taken: list[range] = []
        at, end = 0, len(self._worlds)
        while at < end:
            size = math.ceil((end - at) / (2 * threads)) if threads > 1 else end
            taken.append(range(at, at + size))
            at += size
        return taken

    def search(
        self, workspace: CompiledWorkspace, share: range, plan: Plan, goal: Goal, watch: Watch
    ) -> None:
        """Search some of the worlds, one after the other."""
        at, end = share.start, share.stop
        workspace.load(self._worlds[at], plan, goal)
        watch.guard(workspace, math.inf, patient=True)
        try:
            while True:
                rest = slice(at, end)
                done, standing = workspace.run_many(self._states[rest], self._rows.part(rest))
                at += done
                if at == end:
                    return
                check_halt(standing.halted)
                if not standing.crowded:
                    raise AbortedError
                make_room(workspace)
        finally:
            watch.release(workspace)

    def results(self) -> list[WorldResult]:
        """What was found in each world."""
        standings = [Ended(*standing) for standing in self._rows.standings.tolist()]
        for standing in standings:
            if not standing.completed:
                raise no_result(standing)
        return [
            WorldResult(
                root=seat,
                listed=listed,
                found=found,
                best=standing.choice,
                nodes=standing.nodes,
                depth=standing.completed,
            )
            for seat, listed, found, standing in zip(
                self._seats, self._listed, self._found(), standings, strict=True
            )
        ]

    def _found(self) -> Iterator[Found]:
        """What was found in each world: numbers of all of them are read at once."""
        banks, standings = self._rows.banks, self._rows.standings
        last = np.arange(len(banks)), standings[:, Ended._fields.index("bank")]
        parts = (
            frozen_array(banks["value"][last]),
            banks["exact"][last].tolist(),
            map(operator.getitem, banks["line"], last[1].tolist()),
            banks["length"][last].tolist(),
        )
        for *found, listed in zip(*parts, self._listed, strict=True):
            if len(listed) < banks.shape[2]:
                found = [part[: len(listed)] for part in found]
            yield Found(*found)
