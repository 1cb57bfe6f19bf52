"""The same search over Python objects, for games without compiled rules and for reference."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mpsearch.contracts.arrays import frozen_array
from mpsearch.contracts.equality import SHIFT, snap
from mpsearch.contracts.game import CHANCE, OVER, Move, State
from mpsearch.search.backup import LINE, Backup
from mpsearch.search.kernel import make_kernel
from mpsearch.search.order import KILLERS, make_order
from mpsearch.search.plan import Plan
from mpsearch.search.root import Ended, make_root
from mpsearch.search.visit import BAD_MOVER
from mpsearch.search.whole import make_whole, no_moves
from mpsearch.search.workshop import (
    Found,
    Goal,
    SearchSpace,
    Workshop,
    Workspace,
    load_local,
    load_plan,
    local_fields,
)

_ROOM = 16

Visit: TypeAlias = "Callable[[Frame, Frame, int, Slate, int], int]"


class Frame:
    """One level of the tree."""

    __slots__ = (
        "cut",
        "high",
        "kept",
        "kept_known",
        "killers",
        "known",
        "length",
        "line",
        "low",
        "moves",
        "probabilities",
        "seat",
        "state",
        "value",
    )

    def __init__(self, players: int) -> None:
        self.state: State = None
        self.value = [0.0] * players
        self.low = [0.0] * (players + 1)
        self.high = [0.0] * (players + 1)
        self.moves: Sequence[Move] = ()
        self.probabilities: Sequence[float] = ()
        self.line: list[Move] = [None] * LINE
        self.length = 0
        self.seat = 0
        self.cut = 0
        self.killers: list[Move] = [None] * KILLERS
        self.known = 0
        self.kept: list[Move] = [None] * KILLERS
        self.kept_known = 0


class Slate:
    """What all levels share. Tables are dicts by index: faster to read than arrays here."""

    #: What nodes ask for, quicker than the rest.
    __slots__ = (
        *("nodes", "node_limit", "stop", "halted", "horizon", "room", "prune", "column"),
        *("matrix", "weights", "only", "most", "cares", "chains", "corners", "killers", "cutting"),
        "__dict__",
    )

    nodes: int
    node_limit: int
    stop: int
    halted: int
    horizon: int

    def __init__(self) -> None:
        self.matrix: dict[tuple[int, int], float] = {}
        #: Of every row of the matrix what is not 0: for whom, and how much. The rest would add 0
        #: to a merit, and no bit of it would change.
        self.weights: list[list[tuple[int, float]]] = []
        #: Where a row is 1 for one seat and 0 for all others: that seat; -1 where it is not.
        self.only: list[int] = []
        self.most: list[float] = []
        self.cares: dict[int, int] = {}
        self.room = _ROOM


class Entry:
    """What is found behind one root move."""

    __slots__ = ("exact", "length", "line", "value")

    def __init__(self, players: int) -> None:
        self.value = [0.0] * players
        self.line: list[Move] = [None] * LINE
        self.length = 0
        self.exact = 0


def _plain(function: Any) -> Any:
    return function


def _find(f: Frame, count: int, move: Move) -> int:
    try:
        return f.moves.index(move)
    except ValueError:
        return -1


def _merit(slate: Slate, seat: int, g: Frame) -> Any:
    only = slate.only[seat]
    if only >= 0:
        # Snapped; written out, because a call would take longer than all the rest.
        return (g.value[only] + SHIFT) - SHIFT
    seen, value = 0.0, g.value
    for j, weight in slate.weights[seat]:
        seen += weight * value[j]
    return snap(seen)


def _take(f: Frame, g: Frame, i: int) -> None:
    # The list is shared, not copied: nobody changes one but who made it.
    f.value = g.value
    line = [f.moves[i]]
    if g.length:
        line += g.line[: min(g.length, LINE - 1)]
    f.line = line
    f.length = len(line)


def _clear(f: Frame) -> None:
    f.value = [0.0] * len(f.value)


def _add(f: Frame, g: Frame, share: float) -> None:
    value = f.value
    for j, its in enumerate(g.value):
        value[j] += share * its


def _keep(entry: Entry, g: Frame) -> None:
    # Shared as well: a frame gets new ones with its next node.
    entry.value, entry.line, entry.length = g.value, g.line, g.length


class InterpretedWorkshop(Workshop):
    """A workshop for any game."""

    def __init__(self, space: SearchSpace) -> None:
        super().__init__()
        game, evaluator = space.game, space.evaluator
        listing = space.listing
        self.players = players = game.players
        mover, play, listed, values = game.mover, game.play, game.tree_chance, evaluator.values

        def begin(f: Frame, slate: Slate) -> int:
            f.seat = mover(f.state)
            f.moves = listing(f.state)
            return len(f.moves) or no_moves(f.seat)

        def visit(f: Frame, g: Frame, i: int, slate: Slate, depth: int) -> int:
            slate.nodes = nodes = slate.nodes + 1
            if nodes > slate.node_limit or slate.stop:
                slate.halted = 1
                return 0
            g.state = None  # so that the next one has its memory
            g.state = state = play(f.state, f.moves[i])
            g.seat = seat = mover(state)
            g.length = g.cut = 0
            if 0 <= seat < players:
                if depth > 0:
                    g.moves = moves = listing(state)
                    return len(moves) or no_moves(seat)
                slate.horizon = 1
            elif seat == CHANCE:
                outcomes = listed(state)
                if outcomes:
                    g.moves, g.probabilities = zip(*outcomes, strict=True)
                    return len(outcomes)
            elif seat != OVER:
                slate.halted = BAD_MOVER
                return 0
            g.value = values(state).tolist()
            return 0

        def reach(f: Frame, slate: Slate, depth: int) -> None:
            f.value = [0.0] * players  # its own: the box may be written to it
            low, high = evaluator.box(f.state, depth)
            f.low[: len(low)] = low.tolist()
            f.high[: len(high)] = high.tolist()

        order = make_order(find=_find, jit=_plain)
        backup = Backup(_merit, _take, _clear, _add, _keep)
        self.kernel = make_kernel(
            players=players,
            begin=begin,
            visit=self.noticed(visit),
            backup=backup,
            order=order,
            reach=reach if evaluator.reaches else None,
            jit=_plain,
            entry=_plain,
        )
        list_root, try_root = self.kernel
        #: By whether the plan prunes.
        self.roots = {
            prune: make_root(
                list_root=list_root,
                try_root=search_behind,
                backup=backup,
                order=order,
                jit=_plain,
                entry=_plain,
            )
            for prune, search_behind in ((True, try_root), (False, make_whole(space)))
        }

    def noticed(self, visit: Visit) -> Visit:
        """The step down as it is searched with; for those who want to know of every one."""
        return visit

    def workspace(self) -> Workspace:
        return InterpretedWorkspace(self)


class InterpretedWorkspace(Workspace):
    """Frames as Python objects."""

    def __init__(self, workshop: InterpretedWorkshop) -> None:
        self.players = workshop.players
        self.roots = workshop.roots
        self.frames = [Frame(self.players) for _ in range(_ROOM)]
        self.slate = Slate()
        self.slates = [self.slate]
        self.banks: list[list[Entry]] = [[], []]
        self._plan: Plan | None = None

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        if plan is not self._plan:
            self._load(plan)
        self.frames[0].state = state
        self.slate.stop = 0
        self.open_root(self.frames, self.slates, *goal)
        self.root = self.frames[0].seat
        return list(self.frames[0].moves)

    def _load(self, plan: Plan) -> None:
        slate = self.slate
        rows = list(enumerate(plan.matrix.tolist()))
        slate.matrix = {(p, q): weight for p, row in rows for q, weight in enumerate(row)}
        slate.weights = [[(q, weight) for q, weight in enumerate(row) if weight] for _, row in rows]
        slate.only = [
            row[0][0] if len(row) == 1 and row[0][1] == 1.0 else -1 for row in slate.weights
        ]
        slate.most = plan.most.tolist()
        slate.corners, slate.chains = {}, {}
        if plan.kind == "shallow":
            for p, q in itertools.product(range(self.players), repeat=2):
                slate.corners[p, q] = count = int(plan.corners[p, q])
                for k, (u, f) in enumerate(plan.chains[p, q, :count].tolist()):
                    slate.chains[p, q, k, 0], slate.chains[p, q, k, 1] = u, f
        self.open_root, self.search_root = self.roots[plan.prune]
        local = load_local(slate, plan)
        if local is not None:
            for name in local_fields(self.players):
                setattr(slate, name, getattr(local, name).tolist())
        load_plan(slate, plan)
        self._plan = plan

    def grow(self, room: int) -> None:
        self.frames += [Frame(self.players) for _ in range(room - len(self.frames))]
        self.slate.room = room

    def run(self, order: list[int], moves: int) -> Ended:
        if moves > len(self.banks[0]):
            self.banks = [[Entry(self.players) for _ in range(moves)] for _ in self.banks]
        rank: dict[int, int] = {}
        return Ended(*self.search_root(self.frames, self.slates, self.banks, order, rank, 0))

    def found(self, bank: int, moves: int) -> Found:
        entries = self.banks[bank][:moves]
        return Found(
            frozen_array([entry.value for entry in entries]),
            [entry.exact for entry in entries],
            [entry.line for entry in entries],
            [entry.length for entry in entries],
        )
