"""Tree search as machine code: compiled once for all games, and kept.

Rules, branching and evaluator of a game are behind one function, `expand`, which the search calls
by its address.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mpsearch._util import frozen_array
from mpsearch.contracts import Move, SearchSpace, State
from mpsearch.jit import (
    bind,
    call_limits,
    call_nothing,
    call_number,
    carray,
    entry,
    njit,
    pointer,
    record_at,
)
from mpsearch.search.pruning import local_bounds, shallow_bound
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree import alpha_beta, backup, batch, iterative_deepening, move_ordering
from mpsearch.search.tree.batch import Batch, Rows
from mpsearch.search.tree.compiled_parts import NativeEngine
from mpsearch.search.tree.engine import (
    Found,
    Goal,
    Workspace,
    check_count,
    load_local,
    load_plan,
    local_fields,
)
from mpsearch.search.tree.expand import (
    branch_address,
    chance_address,
    expand_address,
    reach_address,
)
from mpsearch.search.tree.frames import (
    Blocks,
    Outputs,
    context_type,
    frame_type,
    native_address,
    root_type,
    seats_for,
)
from mpsearch.search.tree.iterative_deepening import Ended

#: Frames of a new workspace; it grows when a search goes deeper.
_ROOM = 16


def _move_at(f: Any, i: int) -> Any:
    return carray(pointer(f.moves), (i + 1,), np.int64)[i]


def _probability_at(f: Any, i: int) -> Any:
    return carray(pointer(f.probabilities), (i + 1,), np.float64)[i]


def _copy_state(f: Any, state: Any) -> None:
    there = carray(pointer(f.state), (len(state),), np.uint8)
    for k in range(len(state)):
        there[k] = state[k]


def _below(f: Any) -> Any:
    return record_at(f.below, f)


# What is called by its address, from the context, is compiled by itself: the rules for each game,
# the rest once for all, and none of it before it is needed.


def _expand(f: Any, i: int, depth: int, context: Any) -> Any:
    return call_number(context.expand, (f, i, depth, context))


def _reach(f: Any, depth: int, context: Any) -> Any:
    return call_number(context.reach, (f, depth, context))


def _search(
    f: Any, context: Any, above: int, depth: int, count: int, low: float, high: float
) -> None:
    call_nothing(context.search, (f, context, above, depth, count, low, high))


def _average(
    f: Any, context: Any, above: int, depth: int, count: int, low: float, high: float
) -> None:
    call_nothing(context.average, (f, context, above, depth, count, low, high))


def _local_limits(
    f: Any,
    context: Any,
    depth: int,
    above: int,
    most: float,
    enough: float,
    low: float,
    high: float,
) -> Any:
    limits = (f, context, depth, above, most, enough, low, high)
    return call_limits(context.local_limits, limits)


# Where no box is asked for, outcomes of chance have no bounds, and what works them out is not
# compiled.


def _hope(f: Any, context: Any, depth: int, above: int, low: float, high: float) -> Any:
    return -math.inf, math.inf


def _doomed(
    f: Any, context: Any, above: int, least: float, greatest: float, low: float, high: float
) -> bool:
    return False


def _share(
    context: Any, chance_of: float, least: float, greatest: float, low: float, high: float
) -> Any:
    return -math.inf, math.inf


def _inner(function: Callable[..., Any]) -> Any:
    """A function that is only called from machine code: what calls it is kept with it."""
    return njit(function, cached=False)


@functools.cache
def native_functions() -> dict[str, Any]:
    """The parts of the search as machine code, with frames that name things by their address."""
    by_address = (_expand, _reach, _search, _average, _local_limits)
    here = (_below, _move_at, _probability_at, _copy_state)
    return bind(
        (
            *backup.FUNCTIONS,
            *move_ordering.FUNCTIONS,
            *shallow_bound.FUNCTIONS,
            *local_bounds.FUNCTIONS,
            *alpha_beta.FUNCTIONS,
            *iterative_deepening.FUNCTIONS,
        ),
        decorate=_inner,
        **_instead(*by_address, *here),
    )


def _instead(*functions: Callable[..., Any]) -> dict[str, Any]:
    """Machine code for parts of the search, by the names that they have there."""
    return {function.__name__[1:]: _inner(function) for function in functions}


@functools.cache
def _entries() -> tuple[Callable[..., Any], ...]:
    """`begin`, `search_roots` and `list_roots` as machine code."""
    outer = bind(batch.FUNCTIONS, decorate=entry, **native_functions())
    return tuple(outer[function.__name__] for function in batch.FUNCTIONS)


@functools.cache
def _search_address(function: Callable[..., Any], players: int, *, boxes: bool = True) -> int:
    """Where the machine code of a part of the search is that is called by its address."""
    name = function.__name__
    parts = {key: part for key, part in native_functions().items() if key != name}
    if not boxes:
        parts |= _instead(_hope, _doomed, _share)
    decorate = functools.partial(njit, internal=True)
    made = bind((function,), decorate=decorate, **parts)[name]
    return native_address(made, players)


class CompiledEngine(NativeEngine):
    """The engine of the tree search over compiled rules."""

    def __init__(self, space: SearchSpace) -> None:
        super().__init__(space)
        self.reach = self.evaluator.reach
        self.outcomes = 1 if self.rules.tree_chance is None else self.rules.most_moves
        if self.reach is not None:
            self.writers["low"] = self.writers["high"] = self.reach.where

    def load_addresses(self, context: Any) -> None:
        """Write into a context where the functions of the game and their parameters are."""
        seats = seats_for(self.players)
        context.players = self.players
        self.load_parameters(context)
        context.expand = expand_address(self.rules, seats, self.evaluator.leaf, self.branch)
        if self.branch is not None:
            context.branching = branch_address(self.rules, self.branch)
        if self.rules.tree_chance is not None:
            context.outcomes = chance_address(self.rules, self.rules.tree_chance)

    def load_search(self, context: Any) -> None:
        """Write into a context where the parts of the search are that this game needs."""
        seats = seats_for(self.players)
        context.search = _search_address(alpha_beta.search, seats)
        if self.rules.tree_chance is not None:
            context.average = _search_address(alpha_beta.average, seats, boxes=False)

    def load_local(self, context: Any) -> None:
        """Write into a context what only local bounds need."""
        if self.reach is not None:
            seats = seats_for(self.players)
            context.local_limits = _search_address(local_bounds.local_limits, seats)
            if self.rules.tree_chance is not None:
                context.average = _search_address(alpha_beta.average, seats)
            context.reach = reach_address(self.rules, seats, self.reach)

    def workspace(self) -> Workspace:
        return CompiledWorkspace(self)

    def batch(self, worlds: Sequence[State]) -> Batch:
        return Batch(self, worlds)

    def rows(self, worlds: int, moves: int) -> Rows:
        """Rows for so many worlds with so many root moves."""
        return Rows(
            np.empty((worlds, moves), dtype=np.int64),
            np.empty((worlds, 2, moves), root_type(self.players)),
            np.zeros((worlds, len(Ended._fields)), dtype=np.int64),
        )


class CompiledWorkspace(Workspace):
    """Frames as one array of records."""

    def __init__(self, engine: CompiledEngine) -> None:
        self.engine = engine
        self.open_root, self.search_roots, self.list_roots = _entries()
        #: The context in a list of one, as machine code takes it.
        self.contexts = np.zeros(1, context_type(engine.players))
        self.context = context = self.contexts[0]
        engine.load_addresses(context)
        engine.load_search(context)
        self._outputs = Outputs(engine.players)
        self._outputs.place(context)
        self._set_frames(_ROOM)
        self._plan: Plan | None = None
        self._kind = root_type(engine.players)
        #: Of a single world: its state is in the frames already, and how it stands is answered.
        self._no_states = np.empty((0, 0), np.uint8)
        self._standings = np.empty((1, len(Ended._fields)), dtype=np.int64)

    def _set_frames(self, room: int) -> None:
        rules = self.engine.rules
        self.frames = np.zeros(room, frame_type(self.engine.players))
        self._blocks = Blocks(room, rules.state, rules.most_moves, self.engine.outcomes)
        self._blocks.place(self.frames)
        self._seat = self.frames["seat"][:1]

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        if plan is not self._plan:
            self._load(plan)
        self._blocks.root_state[:] = state
        count = self.open_root(self.frames, self.contexts, *goal)
        self.root = int(self._seat[0])
        check_count(count, self.engine.rules.most_moves)
        # New ones, which the results keep; they stay while the search is run further and further.
        self._banks = np.zeros((1, 2, count), self._kind)
        moves: list[Move] = self._blocks.moves[0, :count].tolist()
        return moves

    def _load(self, plan: Plan) -> None:
        context, players = self.context, self.engine.players
        context.matrix[:players, :players] = plan.matrix
        for name in ("most", "won", "lost"):
            context[name][:players] = getattr(plan, name)
        context.chains[:players, :players, : players**2] = plan.chains
        context.corners[:players, :players] = plan.corners
        local = load_local(context, plan)
        if local is not None:
            self.engine.load_local(context)
            for name, shape in local_fields(players).items():
                context[name][tuple(map(slice, shape))] = getattr(local, name)
        load_plan(context, plan)
        self._plan = plan

    def grow(self, room: int) -> None:
        frames, blocks = self.frames, self._blocks
        self._set_frames(room)
        self._blocks.copy_from(blocks)
        self.frames[: len(frames)] = frames
        self._blocks.place(self.frames)

    def run(self, order: list[int], moves: int) -> Ended:
        orders = np.array(order, ndmin=2)
        _, standing = self.search_roots(
            self.frames, self.contexts, self._no_states, orders, self._banks, self._standings
        )
        return Ended(*standing)

    def run_many(self, states: Any, rows: Rows) -> tuple[int, Ended]:
        """Search the root that was loaded, which is that of states[0], and those of the others.

        How many are done, and how the last one stands that was searched.
        """
        done, standing = self.search_roots(self.frames, self.contexts, states, *rows)
        return done, Ended(*standing)

    def inspect(self) -> None:
        self._blocks.check(self.engine.writers)
        self._outputs.check(self.engine.writers)

    def found(self, bank: int, moves: int) -> Found:
        found = self._banks[0, bank]
        return Found(
            frozen_array(found["value"][:, : self.engine.players]),
            found["exact"].tolist(),
            found["line"],
            found["length"].tolist(),
            found["end"].tolist(),
        )
