"""One world: the loop over the root's moves, and iterative deepening around it."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Sequence

import attrs
import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.game import State
from mpsearch.errors import MpsearchError
from mpsearch.search.engine import NO_LIMIT, Workspace
from mpsearch.search.plan import NO_COLUMN, Plan
from mpsearch.search.report import Limits, RootMove


class Watch:
    """Stops running searches from another thread: at their deadline, or all at once.

    A search is guarded by its deadline only once depth 1 is complete, so that there is always
    a move; `abort` stops it anywhere.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, tuple[Workspace, float]] = {}
        self._aborted = False

    def guard(self, workspace: Workspace, deadline: float = math.inf) -> None:
        """Stop this search when its deadline has passed."""
        with self._lock:
            self._running[id(workspace)] = (workspace, deadline)
            if self._aborted:
                workspace.job.stop = 1

    def release(self, workspace: Workspace) -> None:
        """Forget a search that has ended."""
        with self._lock:
            self._running.pop(id(workspace), None)

    def check(self) -> None:
        """Stop what is past its deadline; called every few milliseconds."""
        now = time.monotonic()
        with self._lock:
            for workspace, deadline in self._running.values():
                if now >= deadline:
                    workspace.job.stop = 1

    def abort(self) -> None:
        """Stop everything at once."""
        with self._lock:
            self._aborted = True
            for workspace, _ in self._running.values():
                workspace.job.stop = 1


@attrs.frozen(kw_only=True)
class Outcome:
    """The search of one world."""

    #: The root's moves, in the branching's order.
    moves: tuple[RootMove, ...]
    #: Index of the chosen one.
    best: int
    nodes: int
    depth: int


def search_world(
    workspace: Workspace,
    state: State,
    plan: Plan,
    *,
    limits: Limits,
    priority: dict[object, float],
    watch: Watch,
    exact: bool = False,
    seconds: float | None = None,
) -> Outcome:
    """Search one world. Ties at the root go to the move with the least priority number.

    `exact` gives every root move its true value instead of a bound.
    """
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    watch.guard(workspace)
    try:
        moves = workspace.load(state, plan)
        order = sorted(range(len(moves)), key=lambda i: priority[moves[i]])
        depths = itertools.count(1) if limits.deepens else itertools.count(limits.depth or 1)
        outcome: Outcome | None = None
        nodes = 0
        for depth in depths:
            first = order[0] if outcome is None else outcome.best
            job = workspace.job
            job.horizon = 0
            job.nodes = nodes + 1  # the root itself
            found = _sweep(workspace, moves, plan, order, first=first, depth=depth, exact=exact)
            nodes = int(job.nodes)
            if found is None:
                break
            outcome = Outcome(moves=found[0], best=found[1], nodes=nodes, depth=depth)
            if depth == limits.depth or job.horizon == 0:
                break
            job.node_limit = NO_LIMIT if limits.nodes is None else limits.nodes
            if nodes >= job.node_limit or time.monotonic() >= deadline:
                break
            watch.guard(workspace, deadline)
        workspace.check()
        if outcome is None:
            raise AbortedError
        return attrs.evolve(outcome, nodes=nodes)
    finally:
        watch.release(workspace)


class AbortedError(MpsearchError):
    """The search was stopped before it had any result."""


def _sweep(
    workspace: Workspace,
    moves: Sequence[object],
    plan: Plan,
    order: list[int],
    *,
    first: int,
    depth: int,
    exact: bool,
) -> tuple[tuple[RootMove, ...], int] | None:
    """All root moves to one depth, `first` tried first; None if the search was stopped.

    Ties go by `order`, not by the order of trying: a move that would win a tie against the
    best so far is searched with a window that admits equality.
    """
    root = workspace.root
    rank = {index: k for k, index in enumerate(order)}
    found: dict[int, RootMove] = {}
    best: int | None = None
    best_seen = -math.inf
    for index in [first, *(i for i in order if i != first)]:
        wins_tie = best is not None and rank[index] < rank[best]
        low, high = -math.inf, math.inf
        if best is not None and not exact:
            low, high = _window(plan, root, found[best].value, best_seen, wins_tie=wins_tie)
        if not _try(workspace, index, depth, low, high):
            return None
        value, line, cut = workspace.result()
        inside = plan.column == NO_COLUMN or low < value[plan.column] < high
        found[index] = RootMove(
            move=moves[index], value=value, line=tuple(line), exact=inside and not cut
        )
        seen = sum(c * v for c, v in zip(plan.matrix[root].tolist(), value.tolist(), strict=True))
        if best is None or seen > best_seen or (wins_tie and seen == best_seen):
            best, best_seen = index, seen
    assert best is not None
    return tuple(found[i] for i in range(len(moves))), best


def _try(workspace: Workspace, index: int, depth: int, low: float, high: float) -> bool:
    """Search behind one root move, with more frames if it needs them; False if stopped."""
    job = workspace.job
    before = int(job.nodes)
    while True:
        workspace.try_root(workspace.frames, workspace.jobs, 0, index, depth, low, high)
        if not job.crowded:
            return not job.halted
        workspace.grow()
        job.nodes = before
        job.crowded = job.halted = 0


def _window(
    plan: Plan, root: int, best: Array, best_seen: float, *, wins_tie: bool
) -> tuple[float, float]:
    """The window in which a further root move must lie to be chosen."""
    if plan.column == NO_COLUMN:
        return (np.nextafter(best_seen, -math.inf) if wins_tie else best_seen), math.inf
    sign = plan.matrix[root, plan.column]
    if sign > 0:
        low = float(best[plan.column]) - plan.slack
        return (np.nextafter(low, -math.inf) if wins_tie else low), math.inf
    if sign < 0:
        high = float(best[plan.column]) + plan.slack
        return -math.inf, (np.nextafter(high, math.inf) if wins_tie else high)
    return -math.inf, math.inf
