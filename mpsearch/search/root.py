"""The root: all its moves to one depth after the other, in one call.

Like the kernel it is one source for compiled records and for Python objects. Where it stands is in
the job, so that a search which ran out of frames goes on where it was once there are more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from mpsearch.contracts.equality import GRID
from mpsearch.contracts.equality import snap as snap_number
from mpsearch.search.order import Order

#: Node limit of a search that has none.
NO_LIMIT = sys.maxsize

#: Where a search stands, in its job. Whole numbers: the first depth, the one being searched and
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


class Standing(NamedTuple):
    """How a search stands when it is done or halted: some of its job."""

    completed: int
    choice: int
    bank: int
    nodes: int
    halted: int
    crowded: int


def make_root(
    *,
    players: int,
    list_root: Callable[..., Any],
    try_root: Callable[..., Any],
    order: Order,
    jit: Callable[..., Any],
    entry: Callable[..., Any],
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`open_root` and `search_root` around what a kernel does with the root."""
    snap = jit(snap_number)
    note, forget, hold, restore = order.note, order.forget, order.keep, order.restore

    @jit
    def window(job: Any, root: int, best: Any, wins_tie: bool) -> Any:
        """The window in which a further root move must lie to be chosen."""
        if job.column < 0:
            return job.merit - (job.gap if wins_tie else 0.0), math.inf
        value = snap(best.value[job.column])
        # Slack admits equality by itself.
        room = job.slack if job.slack > 0.0 else (GRID if wins_tie else 0.0)
        sign = job.matrix[root, job.column]
        low = value - room if sign > 0 else -math.inf
        high = value + room if sign < 0 else math.inf
        return low, high

    @jit
    def keep(job: Any, entry: Any, g: Any, low: float, high: float) -> None:
        """Write what was found behind a root move, which is in frame g."""
        for j in range(players):
            entry.value[j] = g.value[j]
        entry.length = g.length
        for k in range(g.length):
            entry.line[k] = g.line[k]
        inside = True
        if job.column >= 0:
            seen = snap(g.value[job.column])
            inside = low < seen and seen < high
        entry.exact = 1 if inside and g.cut == 0 else 0

    @jit
    def expect(frames: Any, ply: int, entry: Any) -> None:
        """Let the line that the last depth found behind a root move be tried first."""
        for k in range(entry.length):
            note(frames[ply + 1 + k], entry.line[k])

    @jit
    def sweep(
        frames: Any, jobs: Any, found: Any, last: Any, order: Any, rank: Any, ply: int
    ) -> bool:
        """Try the root moves that are left at this depth; False if the search was halted.

        Ties go by `order`, not by the order of trying: a move that would win a tie against the
        best so far is searched with a window that admits equality. `last` is what the depth
        before this one found.
        """
        job = jobs[0]
        root = frames[ply].seat
        while job.tried < len(order):
            index = job.first
            if job.tried > 0:
                # The first one has had its turn: those ranked before it are one try behind.
                at = job.tried - 1 if job.tried <= rank[job.first] else job.tried
                index = order[at]
            wins_tie = job.tried > 0 and rank[index] < rank[job.best]
            low, high = -math.inf, math.inf
            if job.tried > 0 and job.exact == 0:
                low, high = window(job, root, found[job.best], wins_tie)
            job.before = job.nodes
            ordered = job.killers != 0 or job.line != 0
            if ordered:
                hold(frames, job)
            if job.line != 0 and job.completed > 0:
                expect(frames, ply, last[index])
            try_root(frames, jobs, ply, index, job.depth, low, high)
            if job.halted != 0:
                if job.crowded != 0 and ordered:
                    # It is tried again with more frames, and must then go the same way.
                    restore(frames, job)
                return False
            g = frames[ply + 1]
            keep(job, found[index], g, low, high)
            merit = 0.0
            for j in range(players):
                merit += job.matrix[root, j] * g.value[j]
            merit = snap(merit)
            if job.tried == 0 or merit > job.merit or (wins_tie and merit == job.merit):
                job.best = index
                job.merit = merit
            job.tried += 1
        return True

    @entry
    def open_root(
        frames: Any, jobs: Any, depth: int, deepest: int, most_nodes: int, exact: int
    ) -> int:
        """Begin a search of the root in frames[0] and list its moves; their number.

        Whoever begins the first of several clears `stop`: a signal may come between them. The job
        comes in a list of one, because numba takes an array ten times faster than a record.
        """
        job = jobs[0]
        job.start = job.depth = depth
        job.deepest = deepest
        job.most_nodes = most_nodes
        job.exact = exact
        job.nodes = 1  # the root itself
        job.node_limit = NO_LIMIT  # until there is a result
        job.halted = 0
        job.crowded = 0
        job.horizon = 0
        job.tried = 0
        job.completed = 0
        job.choice = 0
        job.bank = 0
        forget(frames, job)
        return int(list_root(frames, jobs))

    @jit
    def deepen(frames: Any, jobs: Any, banks: Any, order: Any, rank: Any, ply: int) -> None:
        """Search to one depth after the other until the search is done or halted."""
        job = jobs[0]
        while True:
            if job.completed == job.depth:
                if job.horizon == 0 or job.depth >= job.deepest:
                    return
                if job.stop != 0 or job.nodes >= job.node_limit:
                    return
                job.depth += 1
                job.tried = 0
                job.first = job.choice
                job.horizon = 0
                job.nodes += 1  # the root itself
            found, last = banks[1 - job.bank], banks[job.bank]
            if not sweep(frames, jobs, found, last, order, rank, ply):
                return
            job.bank = 1 - job.bank
            job.completed = job.depth
            job.choice = job.best
            job.node_limit = job.most_nodes

    @entry
    def search_root(
        frames: Any, jobs: Any, banks: Any, order: Any, rank: Any, ply: int
    ) -> tuple[int, int, int, int, int, int]:
        """Search the root at `ply` (always 0; see `try_root`); how it stands when done or halted.

        `order` lists the indices of the root moves to be tried, the one that wins ties first, and
        `rank` is filled with where in `order` each index is. What was found at the last completed
        depth is in banks[job.bank], by index; the depth under way writes to the other bank.
        """
        job = jobs[0]
        for place in range(len(order)):
            rank[order[place]] = place
        if job.completed == 0 and job.tried == 0:
            job.first = order[0]
        deepen(frames, jobs, banks, order, rank, ply)
        # All at once: Python takes longer to read one of these from the job.
        return job.completed, job.choice, job.bank, job.nodes, job.halted, job.crowded

    return open_root, search_root
