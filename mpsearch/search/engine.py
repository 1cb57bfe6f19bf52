"""Engines: the one search, made for a game with an evaluator and a branching.

An engine holds what a specialised search needs and makes workspaces for it. A workspace is
the memory of one running search: it is used by one thread at a time.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.evaluator import Evaluator
from mpsearch.contracts.game import Branching, Game, Move, State
from mpsearch.contracts.rules import CompiledBranching, CompiledEvaluator
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.search.kernel import BAD_MOVER, BAD_MOVES, BAD_OUTCOMES
from mpsearch.search.local import LOCAL_TECHNIQUES, NEAREST, NEVER, LocalPlan, most_slopes
from mpsearch.search.plan import Plan

_FAULTS = {
    BAD_MOVES: "the rules or the branching listed no move, or more moves than most_moves",
    BAD_OUTCOMES: "the rules listed more outcomes of chance than most_moves, or less than none",
    BAD_MOVER: "the rules named a mover who is neither a seat nor CHANCE nor OVER",
}

#: Node limit of a search that has none.
NO_LIMIT = sys.maxsize


class Workspace(ABC):
    """The frames of one search, and the job they share.

    Fields of `job`, besides those of the plan: `nodes` visited so far, `node_limit`, `stop`
    (set by another thread), `halted` (the search ended early), `crowded` (because it ran out
    of frames), `horizon` (some leaf was evaluated only because the depth was reached), `room`
    (number of frames), `cares` (whether each seat's row has any entry). With local bounds also the
    tables of `local_fields`, `nearest` (the least depth at which a box is asked for) and a switch
    for each of LOCAL_TECHNIQUES.
    """

    frames: Any
    job: Any
    #: The job again, in a list of one, as the search takes it.
    jobs: Any
    #: The seat that moves at the root.
    root: int
    open_root: Callable[..., Any]
    try_root: Callable[..., Any]

    @abstractmethod
    def load(self, state: State, plan: Plan) -> list[Move]:
        """Begin a search from `state`; the root's moves in the branching's order."""

    @abstractmethod
    def grow(self, room: int) -> None:
        """Have `room` frames; the root's stays."""

    def check(self) -> None:
        """ContractError if the rules, the branching or the evaluator did what they must not."""
        if self.job.halted in _FAULTS:
            raise ContractError(_FAULTS[int(self.job.halted)])

    @abstractmethod
    def result(self) -> tuple[Array, list[Move], bool]:
        """Behind the last root move tried: value, expected moves, whether it is a bound."""


class Engine(ABC):
    """A search made for one game, evaluator and branching."""

    @abstractmethod
    def workspace(self) -> Workspace:
        """Memory for one thread to search in."""

    def prepare(self, state: State, plan: Plan) -> None:  # noqa: B027  # most have nothing to do
        """Compile what is not compiled yet, so that no search is charged with it."""


@attrs.frozen(kw_only=True)
class SearchSpace:
    """What is searched: a game, the moves worth trying and what leaves are worth."""

    game: Game
    evaluator: Evaluator
    #: None: every legal move.
    branching: Branching | None = None

    @property
    def compiles(self) -> bool:
        """Whether rules, evaluator and branching can all be machine code."""
        return (
            jit_enabled()
            and self.game.rules is not None
            and isinstance(self.evaluator, CompiledEvaluator)
            and (self.branching is None or isinstance(self.branching, CompiledBranching))
        )


def make_engine(space: SearchSpace, *, interpret: bool = False) -> Engine:
    """The fastest engine for a space; `interpret` asks for the plain one."""
    if space.compiles and not interpret:
        from mpsearch.search.compiled import CompiledEngine

        return CompiledEngine(space)
    from mpsearch.search.interpreted import InterpretedEngine

    return InterpretedEngine(space)


def load_job(job: Any, plan: Plan, *, node_limit: int = NO_LIMIT) -> None:
    """Write what a plan says into a job that begins."""
    job.prune = int(plan.prune)
    job.column = plan.column
    job.slack = plan.slack
    job.nodes = 0
    job.node_limit = node_limit
    job.stop = job.halted = job.crowded = job.horizon = 0
    for seat, row in enumerate(plan.matrix):
        job.cares[seat] = int(row.any())


def local_fields(players: int) -> dict[str, tuple[int, ...]]:
    """The tables of a local plan in a job, with their shapes."""
    pair, slopes = (players, players), most_slopes(players)
    return {
        "low": (players + 1,),
        "high": (players + 1,),
        "rows": pair,
        "ranks": pair,
        "margin": (players,),
        "ahead": (players,),
        "behind": (players,),
        "mixed": (*pair, 2),
        "slopes": (*pair, slopes),
        "mixes": (*pair, slopes, players),
        "orders": (*pair, slopes, players),
    }


def load_local(job: Any, plan: Plan) -> LocalPlan | None:
    """Write which local techniques a plan uses into a job; the tables are for the engine."""
    local = plan.local
    techniques = frozenset() if local is None else local.techniques
    job.nearest = NEVER if local is None else NEAREST
    for name in LOCAL_TECHNIQUES:
        setattr(job, name, int(name in techniques))
    if local is not None:
        job.stray = local.stray
    return local


def check_count(count: int, most: int) -> None:
    """No list of moves may be empty or longer than the rules declare."""
    if not 0 < count <= most:
        raise ContractError(f"{count} moves were listed; the rules declare 1 to {most}")


def own(values: Any) -> Array:
    """A copy of a value vector that outlives the workspace."""
    return np.array(values, dtype=np.float64)
