"""The search as machine code, made for one combination of rules, branching and evaluator."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mpsearch.contracts.arrays import frozen_array
from mpsearch.contracts.game import Move, State
from mpsearch.contracts.rules import Rules, StateRecord
from mpsearch.jit import Compiled
from mpsearch.jit.native import entry
from mpsearch.search.backup import LINE
from mpsearch.search.batch import Batch, Rows, make_batch
from mpsearch.search.guards import Guards, guarded_frame, make_frames
from mpsearch.search.kernel import make_kernel
from mpsearch.search.local import LOCAL_TECHNIQUES
from mpsearch.search.native import NativeWorkshop, make_steps
from mpsearch.search.native import inner as _inner
from mpsearch.search.order import KILLERS, ORDERING, find_move, make_order
from mpsearch.search.plan import Plan
from mpsearch.search.root import MERITS, PROGRESS, Ended, make_root
from mpsearch.search.workshop import (
    Found,
    Goal,
    SearchSpace,
    Workspace,
    check_count,
    load_local,
    load_plan,
    local_fields,
)

#: Frames of a new workspace; it grows when a search goes deeper.
_ROOM = 16


# The types of records are made once: numba knows at once what is the same object, and compares
# equal ones field by field, which takes as long as a list of moves.


@functools.lru_cache(maxsize=64)
def frame_type(rules: Rules, players: int, *, boxed: bool) -> np.dtype[Any]:
    """One level of the tree as a record, with a box if the evaluator knows its reach."""
    box = [("low", "f8", players + 1), ("high", "f8", players + 1)] if boxed else []
    written: list[Any] = [
        ("state", rules.state),
        ("value", "f8", players),
        ("moves", "i8", rules.most_moves),
        ("probabilities", "f8", rules.most_moves if rules.chance is not None else 1),
        *box,
    ]
    own: list[Any] = [("line", "i8", LINE), ("length", "i8"), ("seat", "i8"), ("cut", "i8")]
    own += [("killers", "i8", KILLERS), ("known", "i8"), ("kept", "i8", KILLERS)]
    own += [("kept_known", "i8")]
    return np.dtype(guarded_frame(written) + own, align=True)


@functools.lru_cache(maxsize=64)
def slate_type(
    players: int, parameters: int, branch_parameters: int, *, boxed: bool
) -> np.dtype[Any]:
    """What all levels share as a record."""
    limits = ["nodes", "node_limit", "room", "column", "prune"]
    signals = ["stop", "halted", "crowded", "horizon"]
    fields: list[Any] = [
        ("matrix", "f8", (players, players)),
        ("most", "f8", players),
        ("cares", "i8", players),
        ("slack", "f8"),
        ("chains", "f8", (players, players, players * players, 2)),
        ("corners", "f8", (players, players)),
        ("parameters", "f8", max(parameters, 1)),
        ("branch_parameters", "f8", max(branch_parameters, 1)),
        *((name, "i8") for name in (*limits, *signals, *PROGRESS, *ORDERING)),
        *((name, "f8") for name in MERITS),
    ]
    if boxed:
        fields += [(name, "f8", shape) for name, shape in local_fields(players).items()]
        fields += [(name, "i8") for name in ["nearest", *sorted(LOCAL_TECHNIQUES)]]
        fields += [("stray", "f8")]
    return np.dtype((StateRecord, np.dtype(fields, align=True)))


@functools.lru_cache(maxsize=64)
def root_type(players: int) -> np.dtype[Any]:
    """What is found behind one root move as a record."""
    return np.dtype(
        [("value", "f8", players), ("line", "i8", LINE), ("length", "i8"), ("exact", "i8")]
    )


@functools.lru_cache(maxsize=64)
def _kernel(
    rules: Rules,
    players: int,
    evaluate: Compiled,
    reach: Compiled | None,
    branch: Compiled | None,
) -> tuple[Callable[..., Any], ...]:
    """The entries of the search for these parts, as `make_batch` names them; one compilation for
    all matrices."""
    rules_mover = rules.mover
    (_, listing, _, _), visit, backup = make_steps(rules, players, evaluate, branch)

    box = None
    if reach is not None:

        @_inner
        def box(f: Any, slate: Any, depth: Any) -> Any:
            reach(f.state, depth, slate.parameters, f.low, f.high)

    @_inner
    def begin(f: Any, slate: Any) -> Any:
        f.seat = rules_mover(f.state)
        return listing(f, slate)

    order = make_order(find=_inner(find_move), jit=_inner)
    list_root, try_root = make_kernel(
        players=players,
        begin=begin,
        visit=visit,
        backup=backup,
        order=order,
        reach=box,
        lists_chance=rules.tree_chance is not None,
        jit=_inner,
        entry=_inner,
    )
    open_root, search_root = make_root(
        list_root=list_root,
        try_root=try_root,
        backup=backup,
        order=order,
        jit=_inner,
        entry=_inner,
    )
    return make_batch(
        widest=rules.most_moves,
        list_root=list_root,
        open_root=open_root,
        search_root=search_root,
        entry=entry,
    )


class CompiledWorkshop(NativeWorkshop):
    """A workshop for compiled rules."""

    def __init__(self, space: SearchSpace) -> None:
        super().__init__(space)
        reach = self.evaluator.reach
        self.boxed = self.evaluator.reaches
        if reach is not None:
            self.writers |= {"low": reach.where, "high": reach.where}
        self.kernel = _kernel(self.rules, self.players, self.evaluator.evaluate, reach, self.branch)

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

    def prepare(self, state: State, plan: Plan) -> None:
        if not self.ready:
            workspace = self.workspace()
            moves = workspace.load(state, plan, Goal(1, 1))
            workspace.slate.stop = 1  # it is the call that compiles; there is nothing to find
            workspace.run([0], len(moves))
            self.ready = True


class CompiledWorkspace(Workspace):
    """Frames as one array of records."""

    def __init__(self, workshop: CompiledWorkshop) -> None:
        self.workshop = workshop
        self.open_root, self.search_roots, self.list_roots = workshop.kernel
        kind = frame_type(workshop.rules, workshop.players, boxed=workshop.boxed)
        self._set_frames(make_frames(kind, _ROOM))
        slate = slate_type(
            workshop.players,
            len(workshop.parameters),
            len(workshop.branch_parameters),
            boxed=workshop.boxed,
        )
        self.slates = np.zeros(1, slate)
        self.slate = self.slates[0]
        workshop.load_parameters(self.slate)
        self.slate.room = _ROOM
        self._plan: Plan | None = None
        self._kind = root_type(workshop.players)
        #: Of a single world: its state is in the frames already, and how it stands is answered.
        self._no_states = np.empty(0, workshop.rules.record)
        self._standings = np.empty((1, len(Ended._fields)), dtype=np.int64)

    def _set_frames(self, frames: np.ndarray[Any, Any]) -> None:
        self.frames = frames
        #: The root's state, seat and moves as they lie in memory.
        self._state = frames[:1].view(np.uint8)[: self.workshop.rules.state.itemsize].data
        self._seat = frames["seat"][:1]
        self._moves = frames["moves"][0]
        self._guards = Guards(frames, self.workshop.writers)

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        if plan is not self._plan:
            self._load(plan)
        self._state[:] = state
        count = self.open_root(self.frames, self.slates, *goal)
        self.root = int(self._seat[0])
        check_count(count, self.workshop.rules.most_moves)
        # New ones, which the results keep; they stay while the search is run further and further.
        self._banks = np.zeros((1, 2, count), self._kind)
        moves: list[Move] = self._moves[:count].tolist()
        return moves

    def _load(self, plan: Plan) -> None:
        slate = self.slate
        slate.matrix[:] = plan.matrix
        slate.most[:] = plan.most
        slate.chains[:] = plan.chains
        slate.corners[:] = plan.corners
        if self.workshop.boxed:
            local = load_local(slate, plan)
            if local is not None:
                for name in local_fields(self.workshop.players):
                    slate[name][:] = getattr(local, name)
        load_plan(slate, plan)
        self._plan = plan

    def grow(self, room: int) -> None:
        more = make_frames(self.frames.dtype, room)
        more[: len(self.frames)] = self.frames
        self._set_frames(more)
        self.slate.room = room

    def run(self, order: list[int], moves: int) -> Ended:
        orders = np.array(order, ndmin=2)
        _, standing = self.search_roots(
            self.frames, self.slates, 0, self._no_states, orders, self._banks, self._standings
        )
        return Ended(*standing)

    def run_many(self, states: Any, rows: Rows) -> tuple[int, Ended]:
        """Search the root that was loaded, which is that of states[0], and those of the others.

        How many are done, and how the last one stands that was searched.
        """
        done, standing = self.search_roots(self.frames, self.slates, 0, states, *rows)
        return done, Ended(*standing)

    def inspect(self) -> None:
        self._guards.check()

    def found(self, bank: int, moves: int) -> Found:
        found = self._banks[0, bank]
        return Found(
            frozen_array(found["value"]),
            found["exact"].tolist(),
            found["line"],
            found["length"].tolist(),
        )
