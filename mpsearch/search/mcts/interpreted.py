"""Monte-Carlo tree search over Python objects, for any game and for reference."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from mpsearch.contracts import Move, SearchSpace, turn_of
from mpsearch.search.mcts.engine import (
    MOST_KEPT_MOVES,
    MOST_TREE_NODES,
    Sampling,
    Start,
    UctWorkspace,
)
from mpsearch.search.mcts.uct import COUNTS, make_uct
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree.backup import NEVER
from mpsearch.search.tree.engine import Engine, Found, Workspace
from mpsearch.search.tree.interpreted import Entry, Frame


class UctNode:
    """A node of the tree."""

    __slots__ = (
        *("available", "ends", "kept", "listed", "merit", "move", "newest", "older", "parent"),
        *("seat", "total", "tried", "visits"),
    )

    def __init__(self, players: int) -> None:
        self.total = [0.0] * players


class UctFrame(Frame):
    """The state of the root, or the one that an iteration has come to."""

    __slots__ = ("probabilities",)

    probabilities: list[float]


class UctContext:
    """What the iterations share."""

    def __init__(self, players: int) -> None:
        for name in COUNTS:
            setattr(self, name, 0)
        self.players = players
        self.matrix: dict[tuple[int, int], float] = {}
        self.root = 0
        self.exact_ends = 0
        self.won: list[float] = []
        self.lost: list[float] = []
        self.low = [0.0] * players
        self.high = [0.0] * players
        self.explore = 0.0
        self.room = MOST_TREE_NODES
        self.keep_room = MOST_KEPT_MOVES


def _plain(function: Any) -> Any:
    return function


class InterpretedUct(Engine):
    """An engine for any game."""

    def __init__(self, space: SearchSpace, sampling: Sampling) -> None:
        super().__init__()
        self.space = space
        self.sampling = sampling
        game, evaluator, player = space.game, space.evaluator, sampling.player

        def branch(f: UctFrame, context: UctContext) -> int:
            f.moves = list(space.listing(f.state))
            return len(f.moves)

        def legal(f: UctFrame, context: UctContext) -> int:
            f.moves = list(game.moves(f.state))
            return len(f.moves)

        def chance(f: UctFrame) -> int:
            outcomes = game.tree_chance(f.state)
            f.moves = [outcome for outcome, _ in outcomes]
            f.probabilities = [probability for _, probability in outcomes]
            return len(outcomes)

        def restart(frames: list[UctFrame], context: UctContext, rng: np.random.Generator) -> None:
            frames[1].state = frames[0].state
            if sampling.information_sets:
                frames[1].state = game.world(game.view(frames[0].state, context.root), rng)

        def step(f: UctFrame, move: Move) -> None:
            f.state = game.play(f.state, move)

        def solve(f: UctFrame, context: UctContext) -> int:
            ending = game.solve(f.state) if context.exact_ends else None
            if ending is None:
                return 0
            f.state, plies = ending
            return plies

        def evaluate(f: UctFrame, context: UctContext) -> None:
            f.value[:] = evaluator.values(f.state).tolist()

        def anything(
            frames: list[UctFrame], count: int, seat: int, rng: np.random.Generator
        ) -> int:
            return below(rng, count)

        def policy(frames: list[UctFrame], count: int, seat: int, rng: np.random.Generator) -> int:
            assert player is not None
            f = frames[1]
            turn = turn_of(game, f.state, f.moves)
            return f.moves.index(player.choose(turn, None, rng).move)

        def below(rng: np.random.Generator, count: int) -> int:
            return int(rng.integers(count))

        def fresh(nodes: list[UctNode], k: int) -> None:
            nodes.append(UctNode(game.players))

        def keep(moves: list[Move], first: int, f: UctFrame, count: int) -> None:
            moves.extend(f.moves)

        self.kernel = make_uct(
            widest=sys.maxsize,
            mover=lambda f: game.mover(f.state),
            branch=branch,
            chance=chance,
            restart=restart,
            step=step,
            solve=solve,
            evaluate=evaluate,
            legal=branch if player is None else legal,
            policy=anything if player is None else policy,
            fresh=fresh,
            keep=keep,
            below=below,
            information_sets=sampling.information_sets,
            jit=_plain,
            entry=_plain,
        )

    def workspace(self) -> Workspace:
        return InterpretedUctWorkspace(self)


class InterpretedUctWorkspace(UctWorkspace):
    """Nodes as Python objects."""

    def __init__(self, engine: InterpretedUct) -> None:
        super().__init__(engine.space, engine.sampling)
        self._players = players = engine.space.game.players
        self._iterate, self._collect = engine.kernel
        self.frames = [UctFrame(players) for _ in range(2)]
        self.context = UctContext(players)
        self.contexts = [self.context]
        self.nodes: list[UctNode] = []
        self.moves: list[Move] = []
        self.entries: list[Entry] = []

    def begin(self, start: Start, plan: Plan) -> None:
        rows = enumerate(plan.matrix.tolist())
        self.context.matrix = {(p, q): its for p, row in rows for q, its in enumerate(row)}
        self.context.won, self.context.lost = plan.won.tolist(), plan.lost.tolist()
        self.frames[0].state = start.state
        self._rng = start.rng
        self.nodes.clear()
        self.moves.clear()

    def iterate(self, order: list[int]) -> tuple[int, int]:
        found: tuple[int, int] = self._iterate(
            self.nodes, self.moves, self.frames, self.contexts, order, self._rng
        )
        return found

    def collect(self, order: list[int], moves: int) -> int:
        self.entries = [Entry(self._players) for _ in range(moves)]
        choice: int = self._collect(self.nodes, self.contexts, order, self.entries)
        return choice

    def found(self, bank: int, moves: int) -> Found:
        return Found(
            np.array([entry.value for entry in self.entries]),
            [entry.exact for entry in self.entries],
            [list(entry.line) for entry in self.entries],
            [entry.length for entry in self.entries],
            [NEVER] * len(self.entries),
        )
