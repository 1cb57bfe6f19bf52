"""One world: the loop over the root's moves, and iterative deepening around it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.equality import GRID, snap
from mpsearch.contracts.game import State
from mpsearch.errors import ContractError, MpsearchError
from mpsearch.search.engine import NO_LIMIT, Workspace
from mpsearch.search.limits import MOST_LEVELS, Limits
from mpsearch.search.plan import NO_COLUMN, Plan
from mpsearch.search.report import RootMove


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
class WorldResult:
    """What the search of one world found."""

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
) -> WorldResult:
    """Search one world. Ties at the root go to the move with the least priority number.

    `exact` gives every root move its true value instead of a bound.
    """
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    watch.guard(workspace)
    try:
        moves = workspace.load(state, plan)
        order = sorted(range(len(moves)), key=lambda i: priority[moves[i]])
        result: WorldResult | None = None
        job = workspace.job
        nodes = 0
        for depth in limits.depths:
            first = order[0] if result is None else result.best
            job.horizon = 0
            job.nodes = nodes + 1  # the root itself
            found = _sweep(workspace, moves, plan, order, first=first, depth=depth, exact=exact)
            nodes = int(job.nodes)
            if found is None:
                break
            result = WorldResult(moves=found[0], best=found[1], nodes=nodes, depth=depth)
            if job.horizon == 0:
                break
            job.node_limit = NO_LIMIT if limits.nodes is None else limits.nodes
            if nodes >= job.node_limit or time.monotonic() >= deadline:
                break
            watch.guard(workspace, deadline)
        workspace.check()
        if result is None:
            raise _no_result(job)
        return attrs.evolve(result, nodes=nodes)
    finally:
        watch.release(workspace)


def search_move(
    workspace: Workspace,
    state: State,
    plan: Plan,
    move: object,
    *,
    depth: int,
    watch: Watch,
    seconds: float | None = None,
) -> tuple[RootMove | None, int]:
    """The exact value of one root move of a world, and the nodes it took; None if time ran out."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    watch.guard(workspace, deadline)
    try:
        index = workspace.load(state, plan).index(move)
        finished = _try(workspace, index, depth, -math.inf, math.inf)
        nodes = int(workspace.job.nodes)
        workspace.check()
        if not finished:
            return None, nodes
        value, line, _ = workspace.result()
        return RootMove(move=move, value=value, line=tuple(line)), nodes
    finally:
        watch.release(workspace)


class AbortedError(MpsearchError):
    """The search was stopped before it had any result."""


def _no_result(job: Any) -> MpsearchError:
    if job.crowded:
        return ContractError(
            f"the search went more than {MOST_LEVELS} levels deep, outcomes of chance included; "
            "ask for less depth"
        )
    return AbortedError()


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
    best_merit = -math.inf
    for index in [first, *(i for i in order if i != first)]:
        wins_tie = best is not None and rank[index] < rank[best]
        low, high = -math.inf, math.inf
        if best is not None and not exact:
            low, high = _window(plan, root, found[best].value, wins_tie=wins_tie)
        if not _try(workspace, index, depth, low, high):
            return None
        value, line, cut = workspace.result()
        inside = plan.column == NO_COLUMN or low < snap(value[plan.column]) < high
        found[index] = RootMove(
            move=moves[index], value=value, line=tuple(line), exact=inside and not cut
        )
        merit = plan.merit(root, value)
        if best is None or merit > best_merit or (wins_tie and merit == best_merit):
            best, best_merit = index, merit
    assert best is not None
    return tuple(found[i] for i in range(len(moves))), best


def _try(workspace: Workspace, index: int, depth: int, low: float, high: float) -> bool:
    """Search behind one root move, with more frames if it needs them; False if stopped."""
    job = workspace.job
    before = int(job.nodes)
    while True:
        workspace.try_root(workspace.frames, workspace.jobs, 0, index, depth, low, high)
        if not job.crowded or len(workspace.frames) == MOST_LEVELS:
            return not job.halted
        workspace.grow(min(2 * len(workspace.frames), MOST_LEVELS))
        job.nodes = before
        job.crowded = job.halted = 0


def _window(plan: Plan, root: int, best: Array, *, wins_tie: bool) -> tuple[float, float]:
    """The window in which a further root move must lie to be chosen."""
    if plan.column == NO_COLUMN:
        return plan.merit(root, best) - (plan.gap if wins_tie else 0.0), math.inf
    value = float(snap(best[plan.column]))
    # Slack admits equality by itself.
    room = plan.slack or (GRID if wins_tie else 0.0)
    sign = plan.matrix[root, plan.column]
    return (value - room if sign > 0 else -math.inf), (value + room if sign < 0 else math.inf)
