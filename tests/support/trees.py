"""Small games written out: trees of tuples, and a tree in perfect order."""

from typing import Any

import numpy as np

from mpsearch.contracts import (
    OVER,
    Array,
    Bounds,
    CompiledEvaluator,
    CompiledGame,
    Evaluator,
    Game,
    Rules,
    compiled,
)
from mpsearch.errors import MoveError


class WrittenTree(Game):
    """A tree of tuples: (seat, child, child, ...) or, at the leaves, a list of values.

    A state is the path from the root.
    """

    def __init__(self, tree: Any, *, players: int) -> None:
        self.tree = tree
        self.players = players

    def node(self, state: tuple[int, ...]) -> Any:
        node = self.tree
        for move in state:
            node = node[1 + move]
        return node

    def new(self) -> tuple[int, ...]:
        return ()

    def mover(self, state: tuple[int, ...]) -> int:
        node = self.node(state)
        return OVER if isinstance(node, list) else node[0]

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return list(range(len(self.node(state)) - 1))

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def payoff(self, state: tuple[int, ...]) -> Array:
        return np.array(self.node(state), dtype=float)

    def read(self, text: str) -> int:
        if not text.isdecimal():
            raise MoveError(f"{text!r} is not a number")
        return int(text)


class LeafValues(Evaluator):
    """The values written at the leaves."""

    def __init__(self, game: WrittenTree, bounds: Bounds) -> None:
        self.game = game
        self.bounds = bounds

    def values(self, state: tuple[int, ...]) -> Array:
        return self.game.payoff(state)


WIDTH = 10

ORDERED = np.dtype([("ply", "i8"), ("score", "i8"), ("depth", "i8")], align=True)


@compiled
def ordered_mover(s: Any) -> int:
    return OVER if s.ply == s.depth else s.ply % 2


@compiled
def ordered_moves(s: Any, out: Any) -> int:
    for i in range(WIDTH):
        out[i] = i
    return WIDTH


@compiled
def ordered_play(s: Any, move: int) -> None:
    s.score += move if s.ply % 2 else -move
    s.ply += 1


@compiled
def ordered_payoff(s: Any, out: Any) -> None:
    out[0] = s.score
    out[1] = -s.score


@compiled
def ordered_values(s: Any, parameters: Any, out: Any) -> None:
    out[0] = 50.0 + s.score
    out[1] = 50.0 - s.score


class OrderedTree(CompiledGame):
    """Ten moves everywhere, and the first is always the best for whoever moves."""

    rules = Rules(
        state=ORDERED,
        mover=ordered_mover,
        moves=ordered_moves,
        play=ordered_play,
        payoff=ordered_payoff,
        most_moves=WIDTH,
    )
    players = 2

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def setup(self, s: Any) -> None:
        s.depth = self.depth

    def read(self, text: str) -> int:
        if not text.isdecimal():
            raise MoveError(f"{text!r} is not a number")
        return int(text)

    def evaluator(self) -> CompiledEvaluator:
        bounds = Bounds(least=-50, greatest=150, total=(100, 100), step=1)
        return CompiledEvaluator(self, ordered_values, bounds=bounds)
