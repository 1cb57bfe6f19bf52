"""The search of one world, under a watch that can stop it."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from mpsearch._util import Array
from mpsearch.contracts import GREATEST_DEPTH, MOST_LEVELS, Limits, Move, RootMove, State
from mpsearch.errors import ContractError, MpsearchError
from mpsearch.search.deadline import NO_TIME_LIMIT, TimeShare, Watch
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.ties import Ties
from mpsearch.search.tree.engine import Found, Goal, Workspace, check_halt
from mpsearch.search.tree.iterative_deepening import NO_LIMIT, Ended


class WorldResult(NamedTuple):
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
    watch: Watch,
    *,
    plan: Plan,
    limits: Limits,
    ties: Ties,
    exact: bool = False,
    share: TimeShare = NO_TIME_LIMIT,
) -> WorldResult | None:
    """Search one world; None if time is over and another world has a result.

    `exact` gives every root move its true value instead of a bound. Where time was over before the
    first depth was complete, the move is the best of those tried, and the depth is 0.
    """
    if share.over:
        return None
    seconds = share.take()
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    goal = goal_of(limits, exact=exact)
    last = deepest = goal.deepest
    if seconds is not None:
        deepest = goal.depth
        goal = goal._replace(deepest=deepest)
    moves = workspace.load(state, plan, goal)
    order = ties.order(moves)
    standing = _run(workspace, order, len(moves), watch, deadline, share.end)
    while standing.completed == deepest < last and time.monotonic() < deadline:
        # Native code has no clock. What is done already, the search will see by itself.
        deepest += 1
        workspace.context.deepest = deepest
        standing = _run(workspace, order, len(moves), watch, deadline, share.end)
    best, bank, tried = standing.choice, standing.bank, len(moves)
    if not standing.completed:
        tried = workspace.tried
        if standing.crowded or watch.aborted or not (tried or watch.answered):
            raise no_result(standing)
        if watch.answered:
            return None
        best, bank = int(workspace.context.best), 1 - bank
    watch.answered = True
    found = workspace.found(bank, len(moves))
    if tried < len(moves):
        found = found.of_tried(order[:tried], order[tried:])
    return WorldResult(
        root=workspace.root,
        listed=moves,
        found=found,
        best=best,
        nodes=standing.nodes,
        depth=standing.completed,
    )


def search_move(
    workspace: Workspace,
    found_in: tuple[State, WorldResult],
    watch: Watch,
    *,
    plan: Plan,
    move: Move,
    share: TimeShare = NO_TIME_LIMIT,
) -> WorldResult:
    """What was found in a world, with the exact value of one root move unless time ran out."""
    state, result = found_in
    if share.over:
        return result
    seconds = share.take()
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    depth = max(result.depth, 1)
    moves = workspace.load(state, plan, Goal(depth, depth))
    index = moves.index(move)
    standing = _run(workspace, [index], len(moves), watch, deadline, deadline)
    found = result.found
    if standing.completed:
        found = found.with_entry(index, workspace.found(standing.bank, len(moves)))
    # The root was counted before.
    return result._replace(found=found, nodes=result.nodes + standing.nodes - 1)


def _run(
    workspace: Workspace,
    order: list[int],
    moves: int,
    watch: Watch,
    deadline: float,
    latest: float,
) -> Ended:
    """Search what was loaded, with more frames if it needs them."""
    watch.guard(workspace, deadline, latest)
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
    context = workspace.context
    context.nodes = context.before
    context.crowded = context.halted = 0


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
