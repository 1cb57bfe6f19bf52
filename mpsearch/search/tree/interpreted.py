"""Tree search over Python objects, for games without compiled rules and as a reference."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from mpsearch._util import frozen_array, snap
from mpsearch.contracts import CHANCE, OVER, Move, SearchSpace, State
from mpsearch.errors import ContractError
from mpsearch.jit import bind
from mpsearch.search.pruning import local_bounds, shallow_bound
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree import alpha_beta, backup, iterative_deepening, move_ordering
from mpsearch.search.tree.alpha_beta import BAD_MOVER, HERE
from mpsearch.search.tree.backup import LINE, NEVER
from mpsearch.search.tree.engine import (
    Engine,
    Found,
    Goal,
    Workspace,
    load_local,
    load_plan,
    local_fields,
)
from mpsearch.search.tree.iterative_deepening import Ended
from mpsearch.search.tree.move_ordering import KILLERS

_ROOM = 16

Visit: TypeAlias = "Callable[[Frame, Frame, int, Context, int], int]"


class Frame:
    """One level of the tree."""

    __slots__ = (
        *("below", "last", "ply", "state", "seat", "moves", "value", "low", "high", "end", "cut"),
        *("line", "killers", "known", "kept", "kept_known"),
    )

    def __init__(self, players: int, ply: int = 0) -> None:
        self.below: Frame = self  # until there is one
        self.last = 1
        self.ply = ply
        self.end = NEVER
        self.state: State = None
        self.value = [0.0] * players
        self.low = [0.0] * (players + 1)
        self.high = [0.0] * (players + 1)
        #: A seat's moves; at a chance node its outcomes, each with its probability.
        self.moves: Sequence[Any] = ()
        #: The first move of the line and the rest of it, likewise; None where it ends.
        self.line: tuple[Move, Any] | None = None
        self.seat = 0
        self.cut = 0
        self.killers: list[Move] = [None] * KILLERS
        self.known = 0
        self.kept: list[Move] = [None] * KILLERS
        self.kept_known = 0


class Context:
    """What all levels share. Tables are dicts by index: faster to read than arrays here."""

    #: What nodes ask for, quicker than the rest.
    __slots__ = (
        *("nodes", "node_limit", "stop", "halted", "horizon", "prune", "column", "players"),
        *("matrix", "weights", "only", "weight", "most", "won", "lost", "cares", "chains"),
        *("corners", "killers", "cutting", "exact_ends"),
        "__dict__",
    )

    players: int
    nodes: int
    node_limit: int
    stop: int
    halted: int
    horizon: int
    exact_ends: int

    def __init__(self) -> None:
        self.matrix: dict[tuple[int, int], float] = {}
        #: Of every row of the matrix what is not 0: for whom, and how much. The rest would add 0
        #: to a merit, and no bit of it would change.
        self.weights: list[list[tuple[int, float]]] = []
        self.only: dict[int, int] = {}
        self.weight: dict[int, float] = {}
        self.most: list[float] = []
        self.won: list[float] = []
        self.lost: list[float] = []
        self.cares: dict[int, int] = {}


class Entry:
    """What is found behind one root move."""

    __slots__ = ("end", "exact", "length", "line", "value")

    def __init__(self, players: int) -> None:
        self.value = [0.0] * players
        self.line: list[Move] = [None] * LINE
        self.length = 0
        self.end = NEVER
        self.exact = 0


def no_moves(seat: int) -> NoReturn:
    """For a seat to move there is at least one move."""
    raise ContractError(f"no moves for seat {seat}, which is to move")


def _find_move(f: Frame, count: int, move: Move) -> int:
    try:
        return f.moves.index(move)
    except ValueError:
        return -1


def _probability_at(f: Frame, i: int) -> float:
    share: float = f.moves[i][1]
    return share


def _merit(context: Context, seat: int, g: Frame) -> Any:
    seen, value = 0.0, g.value
    for j, weight in context.weights[seat]:
        seen += weight * value[j]
    return snap(seen)


def _take(f: Frame, g: Frame, i: int) -> None:
    # Shared, not copied: nobody changes a value but who made it.
    f.value = g.value
    f.end = g.end
    f.line = f.moves[i], g.line


def _clear(f: Frame) -> None:
    f.end = 0
    f.value = [0.0] * len(f.value)


def _keep_entry(entry: Entry, g: Frame) -> None:
    # Shared as well: a frame gets a new one with its next node.
    entry.value, entry.end = g.value, g.end
    entry.line, rest = [], g.line
    while rest is not None and len(entry.line) < LINE:
        move, rest = rest
        entry.line.append(move)
    entry.length = len(entry.line)


class InterpretedEngine(Engine):
    """An engine for any game."""

    def __init__(self, space: SearchSpace) -> None:
        super().__init__()
        game, evaluator = space.game, space.evaluator
        listing = space.listing
        self.players = players = game.players
        mover, play, listed, values = game.mover, game.play, game.tree_chance, evaluator.values
        solve = game.solve
        seats = range(players)

        def expand(f: Frame, i: int, depth: int, context: Context) -> int:
            if i == HERE:
                f.seat = mover(f.state)
                f.moves = listing(f.state)
                return len(f.moves) or no_moves(f.seat)
            raise AssertionError("`visit` does it for all other nodes")

        # The step down in one function, because Python's calls are dear.
        def visit(f: Frame, g: Frame, i: int, context: Context, depth: int) -> int:
            context.nodes = nodes = context.nodes + 1
            if nodes > context.node_limit or context.stop:
                context.halted = 1
                return 0
            g.state = None  # so that the next one has its memory
            g.state = state = play(f.state, f.moves[i] if f.seat >= 0 else f.moves[i][0])
            g.seat = seat = mover(state)
            g.line = None
            g.end = NEVER
            if 0 <= seat < players:
                if context.exact_ends and g.ply == 1 and (ending := solve(state)):
                    g.state, plies = ending
                    g.seat, g.end = OVER, min(g.ply + plies, NEVER - 1)
                    g.value = values(g.state).tolist()
                    return 0
                if depth > 0:
                    g.moves = moves = listing(state)
                    return len(moves) or no_moves(seat)
                context.horizon = 1
            elif seat == CHANCE:
                g.moves = outcomes = listed(state)
                if outcomes:
                    return len(outcomes)
            elif seat == OVER:
                g.end = g.ply
            else:
                context.halted = BAD_MOVER
                return 0
            g.value = values(state).tolist()
            return 0

        def add(f: Frame, g: Frame, i: int) -> None:
            value, its, share = f.value, g.value, f.moves[i][1]
            for j in seats:
                value[j] += share * its[j]
            if g.end > f.end:
                f.end = g.end

        def reach(f: Frame, depth: int, context: Context) -> None:
            f.value = [0.0] * players  # its own: the box may be written to it
            low, high = evaluator.box(f.state, depth)
            f.low[: len(low)] = low.tolist()
            f.high[: len(high)] = high.tolist()

        bound = bind(
            (
                *backup.FUNCTIONS,
                *move_ordering.FUNCTIONS,
                *shallow_bound.FUNCTIONS,
                *local_bounds.FUNCTIONS,
                *alpha_beta.FUNCTIONS,
                *iterative_deepening.FUNCTIONS,
            ),
            expand=expand,
            below=operator.attrgetter("below"),
            visit=self.noticed(visit),
            reach=reach,
            merit=_merit,
            take=_take,
            clear=_clear,
            add=add,
            keep_entry=_keep_entry,
            find_move=_find_move,
            probability_at=_probability_at,
        )
        self.open_root, self.search_root = bound["open_root"], bound["search_root"]

    def noticed(self, visit: Visit) -> Visit:
        """The step down as it is searched with; for those who want to know of every one."""
        return visit

    def workspace(self) -> Workspace:
        return InterpretedWorkspace(self)


class InterpretedWorkspace(Workspace):
    """Frames as Python objects."""

    def __init__(self, engine: InterpretedEngine) -> None:
        self.players = engine.players
        self.open_root, self.search_root = engine.open_root, engine.search_root
        self.frames: list[Frame] = []
        self.context = Context()
        self.context.players = engine.players
        self.grow(_ROOM)
        self.banks: list[list[Entry]] = [[], []]
        self._plan: Plan | None = None

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        if plan is not self._plan:
            self._load(plan)
        self.frames[0].state = state
        self.context.stop = 0
        self.open_root(self.frames, self.context, *goal)
        self.root = self.frames[0].seat
        return list(self.frames[0].moves)

    def _load(self, plan: Plan) -> None:
        context = self.context
        rows = list(enumerate(plan.matrix.tolist()))
        context.matrix = {(p, q): weight for p, row in rows for q, weight in enumerate(row)}
        context.weights = [
            [(q, weight) for q, weight in enumerate(row) if weight] for _, row in rows
        ]
        context.most, context.won, context.lost = (
            table.tolist() for table in (plan.most, plan.won, plan.lost)
        )
        context.corners, context.chains = {}, {}
        if plan.kind == "shallow":
            for p, q in itertools.product(range(self.players), repeat=2):
                context.corners[p, q] = count = int(plan.corners[p, q])
                for k, (u, f) in enumerate(plan.chains[p, q, :count].tolist()):
                    context.chains[p, q, k, 0], context.chains[p, q, k, 1] = u, f
        local = load_local(context, plan)
        if local is not None:
            for name in local_fields(self.players):
                setattr(context, name, getattr(local, name).tolist())
        load_plan(context, plan)
        self._plan = plan

    def grow(self, room: int) -> None:
        self.frames += [Frame(self.players, ply) for ply in range(len(self.frames), room)]
        for f, g in itertools.pairwise(self.frames):
            f.below, f.last = g, 0

    def run(self, order: list[int], moves: int) -> Ended:
        if moves > len(self.banks[0]):
            self.banks = [[Entry(self.players) for _ in range(moves)] for _ in self.banks]
        rank: dict[int, int] = {}
        return Ended(*self.search_root(self.frames, self.context, self.banks, order, rank))

    def found(self, bank: int, moves: int) -> Found:
        entries = self.banks[bank][:moves]
        return Found(
            frozen_array([entry.value for entry in entries]),
            [entry.exact for entry in entries],
            [entry.line for entry in entries],
            [entry.length for entry in entries],
            [entry.end for entry in entries],
        )
