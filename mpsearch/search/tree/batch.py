"""Worlds in batches: one native call searches as many of them as a thread takes at once.

Between two worlds of a call there is no Python, so nothing for which threads would wait for each
other. What is found lies in rows, one for each world, and is read when all are done.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from mpsearch._util import frozen_array
from mpsearch.contracts import MOST_LEVELS, State
from mpsearch.search.deadline import Watch
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.ties import Ties
from mpsearch.search.tree.alpha_beta import HERE, expand
from mpsearch.search.tree.backup import move_at
from mpsearch.search.tree.engine import Found, Goal, check_count, check_halt
from mpsearch.search.tree.iterative_deepening import Ended, open_root, search_root
from mpsearch.search.world_search import AbortedError, WorldResult, make_room, no_result

if TYPE_CHECKING:
    from mpsearch.search.tree.compiled import CompiledEngine, CompiledWorkspace

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


def copy_state(f: Any, state: Any) -> None:
    """Put the bytes of a state into a frame; bound to machine code."""
    raise NotImplementedError


def begin(
    frames: Any, contexts: Any, depth: int, deepest: int, most_nodes: int, exact: bool
) -> int:
    """Open the root in frames[0]; the number of its moves.

    The context comes in a list of one, because numba takes an array ten times faster than a record.
    """
    contexts[0].stop = 0
    return int(open_root(frames, contexts[0], depth, deepest, most_nodes, int(exact)))


def search_roots(
    frames: Any, contexts: Any, states: Any, orders: Any, banks: Any, standings: Any
) -> Any:
    """Search the root that was opened, and then those of states[1:].

    How many are done, and how the last one stands: if not all are done, that is one more,
    which was stopped, is at fault or needs more frames.
    """
    context = contexts[0]
    rank = np.empty(banks.shape[2], np.int64)
    standing = (0, 0, 0, 0, 0, 0)
    for world in range(len(orders)):
        if world > 0:
            copy_state(frames[0], states[world])
            open_root(
                frames,
                context,
                context.start,
                context.deepest,
                context.most_nodes,
                context.exact,
            )
        count = 0
        while count < orders.shape[1] and orders[world, count] >= 0:
            count += 1
        standing = search_root(frames, context, banks[world], orders[world, :count], rank)
        for k in range(len(standing)):
            standings[world, k] = standing[k]
        if (
            context.stop != 0
            or context.halted > 1
            or (context.crowded != 0 and len(frames) < MOST_LEVELS)
        ):
            return world, standing
    return len(orders), standing


def list_roots(
    frames: Any, contexts: Any, states: Any, moves: Any, counts: Any, seats: Any
) -> None:
    """Who moves at the root of every state, and what; the last count may be a wrong one."""
    f = frames[0]
    for world in range(len(states)):
        copy_state(f, states[world])
        count = int(expand(f, HERE, 1, contexts[0]))
        counts[world] = count
        seats[world] = f.seat
        if count < 1:
            return
        for k in range(count):
            moves[world, k] = move_at(f, k)


#: For `bind`.
FUNCTIONS = (begin, search_roots, list_roots)


class Batch:
    """The worlds of a decision, and what was found in each."""

    def __init__(self, engine: CompiledEngine, worlds: Sequence[State]) -> None:
        self._engine = engine
        self._worlds = worlds
        # To be written to, as others are: for an array that is not, all would be compiled again.
        states = np.frombuffer(bytearray(b"".join(worlds)), np.uint8)
        self._states = states.reshape(len(worlds), -1)

    def list_moves(self, ties: Ties) -> None:
        """List the root moves of all worlds, and rank them."""
        engine, worlds = self._engine, len(self._worlds)
        most = engine.rules.most_moves
        moves = np.empty((worlds, most), dtype=np.int64)
        counts, seats = np.ones((2, worlds), dtype=np.int64)
        workspace = cast("CompiledWorkspace", engine.borrow())
        workspace.list_roots(
            workspace.frames, workspace.contexts, self._states, moves, counts, seats
        )
        for count in set(counts.tolist()):
            check_count(count, most)
        engine.give_back(workspace)
        widest = int(counts.max())
        self._seats: list[int] = seats.tolist()
        self._rows = engine.rows(worlds, widest)
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
        self, workspace: CompiledWorkspace, share: range, watch: Watch, *, plan: Plan, goal: Goal
    ) -> None:
        """Search some of the worlds, one after the other."""
        at, end = share.start, share.stop
        workspace.load(self._worlds[at], plan, goal)
        watch.guard(workspace)
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
            frozen_array(banks["value"][last][..., : self._engine.players]),
            banks["exact"][last].tolist(),
            map(operator.getitem, banks["line"], last[1].tolist()),
            banks["length"][last].tolist(),
            banks["end"][last].tolist(),
        )
        for *found, listed in zip(*parts, self._listed, strict=True):
            if len(listed) < banks.shape[2]:
                found = [part[: len(listed)] for part in found]
            yield Found(*found)
