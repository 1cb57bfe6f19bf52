"""One world: a search of its root, with a watch over it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable

import attrs
import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.game import Move, State
from mpsearch.errors import ContractError, MpsearchError
from mpsearch.search.limits import GREATEST_DEPTH, MOST_LEVELS, Limits
from mpsearch.search.plan import Plan
from mpsearch.search.report import RootMove
from mpsearch.search.root import NO_LIMIT, Ended
from mpsearch.search.workshop import Found, Goal, Workspace, check_halt


class Watch:
    """Stops running searches from another thread: at their deadline, or all at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, tuple[Workspace, float, bool]] = {}
        self.aborted = False

    def guard(self, workspace: Workspace, deadline: float, *, patient: bool) -> None:
        """Stop this search, which has been loaded, when its deadline has passed.

        If `patient`, not before some depth is complete, so that there is always a move.
        """
        with self._lock:
            self._running[id(workspace)] = (workspace, deadline, patient)
            if self.aborted:
                workspace.slate.stop = 1

    def release(self, workspace: Workspace) -> None:
        """Forget a search that has ended."""
        with self._lock:
            self._running.pop(id(workspace), None)

    def check(self) -> None:
        """Stop what is past its deadline; called every few milliseconds."""
        now = time.monotonic()
        with self._lock:
            for workspace, deadline, patient in self._running.values():
                if now >= deadline and (workspace.slate.completed or not patient):
                    workspace.slate.stop = 1

    def abort(self) -> None:
        """Stop everything at once."""
        with self._lock:
            self.aborted = True
            for workspace, _, _ in self._running.values():
                workspace.slate.stop = 1


class Ties:
    """Which of two equal root moves is taken: the one with the lesser rank.

    With a generator ranks are drawn, as soon as the moves are known; without, moves rank as they
    are listed.
    """

    def __init__(self, rng: np.random.Generator | None = None) -> None:
        self._rng = rng
        self.rank: dict[Move, int] = {}

    def draw(self, moves: Iterable[Move]) -> None:
        """Rank the moves of all worlds, which may be listed again and again."""
        union = list(dict.fromkeys(moves))
        ranks = (
            range(len(union)) if self._rng is None else self._rng.permutation(len(union)).tolist()
        )
        self.rank = dict(zip(union, ranks, strict=True))

    def order(self, moves: list[Move]) -> list[int]:
        """The indices of moves by their rank. Where there is but one world its moves are drawn."""
        if not self.rank:
            if self._rng is None:
                return list(range(len(moves)))
            self.draw(moves)
        ranks = list(map(self.rank.__getitem__, moves))
        return sorted(range(len(moves)), key=ranks.__getitem__)


@attrs.frozen(kw_only=True)
class WorldResult:
    """What the search of one world found."""

    #: The seat that moves at the root.
    root: int
    #: The root's moves, in the branching's order, and what is behind each.
    listed: list[Move]
    found: Found
    #: Index of the chosen one.
    best: int
    nodes: int
    depth: int

    @property
    def move(self) -> Move:
        """The chosen one."""
        return self.listed[self.best]

    def behind(self, index: int) -> tuple[Array, bool, tuple[Move, ...]]:
        """What was found behind one of the moves: value, whether it is exact, and line."""
        found = self.found
        return found.values[index], bool(found.exact[index]), found.line(index)

    def entry(self, index: int) -> RootMove:
        """One of the moves as a search of this world alone reports it."""
        value, exact, line = self.behind(index)
        move, votes = self.listed[index], int(index == self.best)
        return RootMove(move=move, value=value, exact=exact, line=line, votes=votes)

    def is_bound(self, move: Move) -> bool:
        """Whether a move is there and its value only a bound."""
        return move in self.listed and not self.found.exact[self.listed.index(move)]


def goal_of(limits: Limits, *, exact: bool) -> Goal:
    """How far to search with these limits, but for time."""
    deepest = limits.depth or GREATEST_DEPTH
    first = 1 if limits.deepens else deepest
    return Goal(first, deepest, limits.nodes or NO_LIMIT, exact)


def search_world(
    workspace: Workspace,
    state: State,
    plan: Plan,
    *,
    limits: Limits,
    ties: Ties,
    watch: Watch,
    exact: bool = False,
    seconds: float | None = None,
) -> WorldResult:
    """Search one world. `exact` gives every root move its true value instead of a bound."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    goal = goal_of(limits, exact=exact)
    last = deepest = goal.deepest
    if seconds is not None:
        deepest = goal.depth
        goal = goal._replace(deepest=deepest)
    moves = workspace.load(state, plan, goal)
    order = ties.order(moves)
    standing = _run(workspace, order, len(moves), watch, deadline, patient=True)
    while standing.completed == deepest < last and time.monotonic() < deadline:
        # Native code has no clock. What is done already, the search will see by itself.
        deepest += 1
        workspace.slate.deepest = deepest
        standing = _run(workspace, order, len(moves), watch, deadline, patient=True)
    if not standing.completed:
        raise no_result(standing)
    return WorldResult(
        root=workspace.root,
        listed=moves,
        found=workspace.found(standing.bank, len(moves)),
        best=standing.choice,
        nodes=standing.nodes,
        depth=standing.completed,
    )


def search_move(
    workspace: Workspace,
    state: State,
    plan: Plan,
    result: WorldResult,
    move: Move,
    *,
    watch: Watch,
    seconds: float | None = None,
) -> WorldResult:
    """The result with the exact value of one root move, unless time ran out."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    moves = workspace.load(state, plan, Goal(result.depth, result.depth))
    index = moves.index(move)
    standing = _run(workspace, [index], len(moves), watch, deadline, patient=False)
    found = result.found
    if standing.completed:
        found = found.with_entry(index, workspace.found(standing.bank, len(moves)))
    # The root was counted before.
    return attrs.evolve(result, found=found, nodes=result.nodes + standing.nodes - 1)


def _run(
    workspace: Workspace,
    order: list[int],
    moves: int,
    watch: Watch,
    deadline: float,
    *,
    patient: bool,
) -> Ended:
    """Search what was loaded, with more frames if it needs them."""
    watch.guard(workspace, deadline, patient=patient)
    try:
        standing = workspace.run(order, moves)
        while standing.crowded and len(workspace.frames) < MOST_LEVELS:
            make_room(workspace)
            standing = workspace.run(order, moves)
    finally:
        watch.release(workspace)
    check_halt(standing.halted)
    return standing


def make_room(workspace: Workspace) -> None:
    """More frames for a search that ran out of them; it goes on where it was."""
    workspace.grow(min(2 * len(workspace.frames), MOST_LEVELS))
    slate = workspace.slate
    slate.nodes = slate.before
    slate.crowded = slate.halted = 0


class AbortedError(MpsearchError):
    """The search was stopped before it had any result."""


def no_result(standing: Ended) -> MpsearchError:
    """Why not even one depth was completed."""
    if standing.crowded:
        return ContractError(
            f"the search went more than {MOST_LEVELS} levels deep, outcomes of chance included; "
            "ask for less depth"
        )
    return AbortedError()
