"""The same search over Python objects, for games without compiled rules and for reference."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from mpsearch.contracts.game import Move, State
from mpsearch.errors import ContractError
from mpsearch.search.engine import (
    Engine,
    Found,
    Goal,
    SearchSpace,
    Workspace,
    load_local,
    load_plan,
    local_fields,
)
from mpsearch.search.kernel import LINE, make_kernel
from mpsearch.search.plan import Plan
from mpsearch.search.root import Standing, make_root

_ROOM = 16

Descend: TypeAlias = "Callable[[Frame, Frame, int], None]"


class Frame:
    """One level of the tree."""

    __slots__ = (
        "cut",
        "high",
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
        self.moves: list[Move] = []
        self.probabilities: list[float] = []
        self.line: list[Move] = [None] * LINE
        self.length = 0
        self.seat = 0
        self.cut = 0


class Job:
    """What all levels share. Tables are dicts by index: faster to read than arrays here."""

    def __init__(self) -> None:
        self.matrix: dict[tuple[int, int], float] = {}
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


class InterpretedEngine(Engine):
    """An engine for any game."""

    def __init__(self, space: SearchSpace) -> None:
        super().__init__()
        game, evaluator = space.game, space.evaluator
        listing = game.moves if space.branching is None else space.branching.moves
        self.players = game.players

        def branch(f: Frame, job: Job) -> int:
            f.moves = list(listing(f.state))
            if not f.moves:
                raise ContractError(f"no moves for seat {f.seat}, which is to move")
            return len(f.moves)

        def chance(f: Frame) -> int:
            outcomes = game.tree_chance(f.state)
            f.moves = [outcome for outcome, _ in outcomes]
            f.probabilities = [probability for _, probability in outcomes]
            return len(outcomes)

        def descend(f: Frame, g: Frame, i: int) -> None:
            g.state = game.play(f.state, f.moves[i])

        def evaluate(f: Frame, job: Job) -> None:
            f.value[:] = evaluator.values(f.state).tolist()

        def reach(f: Frame, job: Job, depth: int) -> None:
            low, high = evaluator.box(f.state, depth)
            f.low[: len(low)] = low.tolist()
            f.high[: len(high)] = high.tolist()

        self.kernel = make_kernel(
            players=game.players,
            widest=sys.maxsize,
            mover=lambda f: game.mover(f.state),
            branch=branch,
            chance=chance,
            descend=self.noticed(descend),
            evaluate=evaluate,
            reach=reach if evaluator.reaches else None,
            jit=_plain,
            entry=_plain,
        )
        list_root, try_root = self.kernel
        self.root = make_root(
            players=game.players,
            list_root=list_root,
            try_root=try_root,
            jit=_plain,
            entry=_plain,
        )

    def noticed(self, descend: Descend) -> Descend:
        """The step down as it is searched with; for those who want to know of every one."""
        return descend

    def workspace(self) -> Workspace:
        return InterpretedWorkspace(self)


class InterpretedWorkspace(Workspace):
    """Frames as Python objects."""

    def __init__(self, engine: InterpretedEngine) -> None:
        self.players = engine.players
        self.open_root, self.search_root = engine.root
        self.frames = [Frame(self.players) for _ in range(_ROOM)]
        self.job = Job()
        self.jobs = [self.job]
        self.banks: list[list[Entry]] = [[], []]

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        job = self.job
        seats = range(self.players)
        job.matrix = {(p, q): float(plan.matrix[p, q]) for p in seats for q in seats}
        job.most = plan.most.tolist()
        job.chains = plan.chains
        job.corners = plan.corners
        local = load_local(job, plan)
        if local is not None:
            for name in local_fields(self.players):
                setattr(job, name, getattr(local, name).tolist())
        load_plan(job, plan)
        self.frames[0].state = state
        self.open_root(self.frames, self.jobs, *goal)
        self.root = self.frames[0].seat
        return list(self.frames[0].moves)

    def grow(self, room: int) -> None:
        self.frames += [Frame(self.players) for _ in range(room - len(self.frames))]
        self.job.room = room

    def run(self, order: list[int], moves: int) -> Standing:
        for bank in self.banks:
            bank += [Entry(self.players) for _ in range(moves - len(bank))]
        rank: dict[int, int] = {}
        return Standing(*self.search_root(self.frames, self.jobs, self.banks, order, rank, 0))

    def found(self, bank: int, moves: int) -> Found:
        entries = self.banks[bank][:moves]
        return Found(
            np.array([entry.value for entry in entries]),
            [entry.exact for entry in entries],
            [list(entry.line) for entry in entries],
            [entry.length for entry in entries],
        )
