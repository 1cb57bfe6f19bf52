"""Engines: the tree search for a game with an evaluator and a branching.

An engine makes workspaces. A workspace is the memory of one running search, used by one thread at
a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts import Move, SearchSpace, State
from mpsearch.errors import ContractError
from mpsearch.search.pruning.local_plan import (
    LOCAL_TECHNIQUES,
    NEAREST,
    NEVER,
    LocalPlan,
    most_slopes,
)
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree import backup
from mpsearch.search.tree.alpha_beta import BAD_MOVER, BAD_MOVES, BAD_OUTCOMES
from mpsearch.search.tree.iterative_deepening import NO_LIMIT, Ended
from mpsearch.search.tree.move_ordering import ORDERINGS

if TYPE_CHECKING:
    from mpsearch.search.tree.batch import Batch

_FAULTS = {
    BAD_MOVES: "the rules or the branching listed no move, or more moves than most_moves",
    BAD_OUTCOMES: "the rules listed more outcomes of chance than most_moves, or less than none",
    BAD_MOVER: "the rules named a mover who is neither a seat nor CHANCE nor OVER",
}


class Goal(NamedTuple):
    """How far to search."""

    #: The first depth and the last.
    depth: int
    deepest: int
    most_nodes: int = NO_LIMIT
    #: Whether every root move is to get its exact value.
    exact: bool = False


class Workspace(ABC):
    """The frames of one search, and the context they share.

    Fields of `context`, besides those of the plan: `nodes` visited so far, `node_limit`, `stop`
    (set by another thread), `halted` (the search ended early), `crowded` (because it ran out
    of frames), `horizon` (some leaf was evaluated only because the depth was reached), `cares`
    (whether each seat's row has any entry), `only` and its `weight` (the one seat whose value it
    counts; else -1), `won` and `lost` (see `Plan`; of the column `top` and `bottom`), where the
    loop over the root's moves stands (`PROGRESS`) and the move ordering (`ORDERING`). With local
    bounds also the tables of `local_fields`, `nearest` (the least depth at which a box is asked
    for) and a switch for each of LOCAL_TECHNIQUES.
    """

    frames: Any
    context: Any
    #: Whose memory it is, while somebody searches in it.
    engine: Any
    #: The seat that moves at the root.
    root: int

    @property
    def tried(self) -> int:
        """How many root moves were tried at the depth that is being searched."""
        return int(self.context.tried)

    @abstractmethod
    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        """Begin a search from `state`; the root's moves in the branching's order."""

    @abstractmethod
    def grow(self, room: int) -> None:
        """Have `room` frames; the root's stays."""

    @abstractmethod
    def run(self, order: list[int], moves: int) -> Ended:
        """Search the root's moves in `order`, of `moves` that it has, until done or halted."""

    def inspect(self) -> None:  # noqa: B027  # Python notices by itself
        """ContractError if anything was written beyond the end of a field."""

    @abstractmethod
    def found(self, bank: int, moves: int) -> Found:
        """What the last completed depth found behind the root's moves; see `Ended`."""


def check_halt(halted: int) -> None:
    """ContractError if a search ended because rules or branching did what they must not."""
    if halted in _FAULTS:
        raise ContractError(_FAULTS[halted])


class Found(NamedTuple):
    """What was found behind each of the root's N moves."""

    #: Shape (N, P).
    values: Array
    #: Whether each value is more than a bound. Shape (N,).
    exact: list[int]
    #: The moves expected behind each, and how many of these entries are.
    lines: Any
    lengths: list[int]
    #: The ply at which each line ends the game, or `backup.NEVER`.
    ends: list[int]

    def line(self, index: int) -> tuple[Move, ...]:
        """The moves expected behind one."""
        line = self.lines[index][: self.lengths[index]]
        return tuple(line.tolist() if isinstance(line, np.ndarray) else line)

    def with_entry(self, index: int, other: Found) -> Found:
        """The same with what `other` found behind one move."""
        mine, its = ([*self.parts()], [*other.parts()])
        for part, new in zip(mine, its, strict=True):
            part[index] = new[index]
        return Found(*mine)

    def of_tried(self, tried: list[int], left: list[int]) -> Found:
        """The same where only some moves were tried: the others have their mean, inexactly."""
        values = self.values.copy()
        values[left] = values[tried].mean(axis=0)
        found = Found(frozen_array(values), *[*self.parts()][1:])
        for index in left:
            found.exact[index] = found.lengths[index] = 0
            found.ends[index] = backup.NEVER
        return found

    def parts(self) -> Iterator[Any]:
        """Copies of what it consists of."""
        return (part.copy() for part in self)


class Engine(ABC):
    """A search made for one game, evaluator and branching."""

    #: Whether it runs natively: then it holds neither the interpreter nor much of the stack.
    native = False

    def __init__(self) -> None:
        self._spare: list[Workspace] = []

    @abstractmethod
    def workspace(self) -> Workspace:
        """Memory for one thread to search in."""

    def borrow(self) -> Workspace:
        """A workspace for one thread, to be given back unless a search in it failed."""
        try:
            workspace = self._spare.pop()
        except IndexError:
            return self.workspace()
        workspace.engine = self
        return workspace

    def give_back(self, workspace: Workspace) -> None:
        """The workspace is inspected, and used again."""
        workspace.inspect()
        # Or else engine and workspace would hold each other, and be left to Python's collector. It
        # does not see how much memory they have, and experiments make thousands of them.
        workspace.engine = None
        self._spare.append(workspace)

    def batch(self, worlds: Sequence[State]) -> Batch | None:
        """These worlds, to be searched many at a time; None: one at a time."""
        return None

    def is_ready_for(self, plan: Plan) -> bool:
        """Whether nothing would be compiled for a search with a plan."""
        return True

    def prepare(self, state: State, plan: Plan) -> None:  # noqa: B027  # most have nothing to do
        """Compile what a plan needs, so that no search is charged with it."""


def make_engine(space: SearchSpace, *, interpret: bool = False) -> Engine:
    """The fastest engine for a space; `interpret` asks for the plain one."""
    if space.compiles and not interpret:
        from mpsearch.search.tree.compiled import CompiledEngine

        return CompiledEngine(space)
    from mpsearch.search.tree.interpreted import InterpretedEngine

    return InterpretedEngine(space)


def load_plan(context: Any, plan: Plan) -> None:
    """Write what a plan says into a context, but for its tables."""
    context.prune = int(plan.prune)
    context.exact_ends = int(plan.exact_ends)
    context.column = plan.column
    context.slack = plan.slack
    context.gap = plan.gap
    context.top, context.bottom = plan.top, plan.bottom
    for name in ORDERINGS:
        setattr(context, name, int(name in plan.ordering))
    load_matrix(context, plan.matrix)


def load_matrix(context: Any, matrix: Any) -> None:
    """Write into a context whom each seat cares about."""
    for seat, row in enumerate(matrix.tolist()):
        cares = [other for other, weight in enumerate(row) if weight]
        context.cares[seat] = int(bool(cares))
        context.only[seat] = cares[0] if len(cares) == 1 else -1
        context.weight[seat] = row[cares[0]] if len(cares) == 1 else 0.0


def local_fields(players: int) -> dict[str, tuple[int, ...]]:
    """The tables of a local plan in a context, with their shapes."""
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


def asks_for_boxes(depth: int | None) -> bool:
    """Whether a search to this depth, or to any, asks for the box of any node."""
    return depth is None or depth > NEAREST


def load_local(context: Any, plan: Plan) -> LocalPlan | None:
    """Write which local techniques a plan uses into a context; the tables are for the engine."""
    local = plan.local
    techniques = frozenset() if local is None else local.techniques
    context.nearest = NEVER if local is None else NEAREST
    for name in LOCAL_TECHNIQUES:
        setattr(context, name, int(name in techniques))
    if local is not None:
        context.stray = local.stray
    return local


def check_count(count: int, most: int) -> None:
    """No list of moves may be empty or longer than the rules declare."""
    if not 0 < count <= most:
        raise ContractError(f"{count} moves were listed; the rules declare 1 to {most}")
