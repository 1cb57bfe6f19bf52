"""Monte-Carlo tree search as an engine, so that decisions treat all searches alike.

What is searched is a `Start`: a world with its own random numbers, so that the result does not
depend on who searches which world. Since every iteration leaves a result, a search that is stopped
keeps all it has found.
"""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from typing import Any, NamedTuple

import attrs
import numpy as np

from mpsearch.contracts import Move, Player, SearchSpace, State
from mpsearch.errors import ContractError
from mpsearch.search.mcts.uct import BAD_CHOICE, ENDLESS, MOST_CHAINED
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree.engine import Engine, Goal, Workspace
from mpsearch.search.tree.iterative_deepening import Ended

_FAULTS = {
    BAD_CHOICE: "a policy chose a move that it was not given",
    ENDLESS: f"a play-out met more than {MOST_CHAINED} outcomes of chance in a row",
}
#: The most nodes of one tree. Iterations behind it add none.
MOST_TREE_NODES = 500_000
#: The most moves kept with nodes; others are listed anew each time one of them is tried.
MOST_KEPT_MOVES = 4_000_000
#: Plies of a play-out that is not cut.
TO_THE_END = sys.maxsize


class Start(NamedTuple):
    """Where a search begins."""

    state: State
    rng: np.random.Generator
    #: How many levels the tree may have.
    depth: int


@attrs.frozen(kw_only=True)
class Sampling:
    """How play goes on behind the tree, and how much is tried within."""

    #: Who plays; None: any move of the branching, all with the same probability.
    player: Player | None = None
    cut: int = TO_THE_END
    #: Whether there is one tree over information sets, with a world drawn for every iteration.
    information_sets: bool = False
    explore: float = 0.5


class UctWorkspace(Workspace):
    """The nodes of one tree. `frames` are the root, where an iteration is, and what a seat sees."""

    nodes: Any

    def __init__(self, space: SearchSpace, sampling: Sampling) -> None:
        self.space = space
        self.sampling = sampling

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        start: Start = state
        self.root = self.space.game.mover(start.state)
        self.begin(start, plan)
        context = self.context
        for seat in range(len(plan.matrix)):
            context.low[seat], context.high[seat] = math.inf, -math.inf
        context.root = self.root
        context.exact_ends = int(plan.exact_ends)
        context.explore = self.sampling.explore
        context.cut = self.sampling.cut
        context.depth = start.depth
        context.node_limit = goal.most_nodes
        context.nodes = context.used = context.reached = context.stop = context.halted = (
            context.completed
        ) = context.kept = 0
        return list(self.space.listing(start.state))

    @property
    def tried(self) -> int:
        return int(self.context.completed)

    @abstractmethod
    def begin(self, start: Start, plan: Plan) -> None:
        """Take over state, random numbers and matrix, and forget the tree that was there."""

    def grow(self, room: int) -> None:
        raise AssertionError("a tree with a fixed room is never crowded")

    def run(self, order: list[int], moves: int) -> Ended:
        completed, halted = self.iterate(order)
        if halted in _FAULTS:
            raise ContractError(_FAULTS[halted])
        choice = self.collect(order, moves) if completed else 0
        reached = max(1, int(self.context.reached)) if completed else 0
        return Ended(reached, choice, 0, int(self.context.nodes), halted, 0)

    @abstractmethod
    def iterate(self, order: list[int]) -> tuple[int, int]:
        """Go on; whether there is a result, and what halted the search, if anything did."""

    @abstractmethod
    def collect(self, order: list[int], moves: int) -> int:
        """Keep what was found; the index of the chosen root move."""


def make_uct_engine(space: SearchSpace, sampling: Sampling, *, interpret: bool = False) -> Engine:
    """The fastest engine for a space; `interpret` asks for the plain one."""
    rules = space.game.rules
    blind = space.game.hidden and (rules is None or rules.hide is None)
    blind = blind and sampling.player is not None
    if space.game.hidden and sampling.information_sets:
        blind = rules is None or rules.hide is None or rules.world is None
    if space.compiles and not interpret and not blind:
        from mpsearch.search.mcts.compiled import CompiledUct

        return CompiledUct(space, sampling)
    from mpsearch.search.mcts.interpreted import InterpretedUct

    return InterpretedUct(space, sampling)
