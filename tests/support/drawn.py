"""Any small game tree, and any matrix, as hypothesis draws them."""

from __future__ import annotations

import os
from typing import Any

import attrs
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator, Game
from mpsearch.errors import MoveError

#: `MPSEARCH_FUZZ=10` tries ten times as many; the examples are the same in every run.
TRIED = settings(
    max_examples=max(1, int(50 * float(os.environ.get("MPSEARCH_FUZZ", "1")))),
    deadline=None,
    derandomize=True,
    database=None,
)
#: Values are whole numbers from 0 to this.
GREATEST = 6


@attrs.frozen
class Node:
    """A position: who moves, what it is worth, and what follows; an end has no children."""

    seat: int
    values: tuple[int, ...]
    children: tuple[Node, ...] = ()
    #: For chance: how often each child comes, of the sum of all.
    weights: tuple[int, ...] = ()


class DrawnTree(Game):
    """A game over nodes. A state is the path from the root."""

    def __init__(self, root: Node, *, players: int, lists_chance: bool) -> None:
        self.root = root
        self.players = players
        self._lists_chance = lists_chance

    @property
    def lists_chance(self) -> bool:
        return self._lists_chance

    def node(self, state: tuple[int, ...]) -> Node:
        node = self.root
        for move in state:
            node = node.children[move]
        return node

    def new(self) -> tuple[int, ...]:
        return ()

    def mover(self, state: tuple[int, ...]) -> int:
        node = self.node(state)
        return node.seat if node.children else OVER

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return list(range(len(self.node(state).children)))

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def payoff(self, state: tuple[int, ...]) -> Array:
        return np.array(self.node(state).values, dtype=np.float64)

    def chance(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        weights = self.node(state).weights
        return [(i, weight / sum(weights)) for i, weight in enumerate(weights)]

    def read(self, text: str) -> int:
        if not text.isdecimal():
            raise MoveError(f"{text!r} is not a number")
        return int(text)


class NodeValues(Evaluator):
    """What is written at the nodes."""

    def __init__(self, game: DrawnTree, bounds: Bounds) -> None:
        self.game = game
        self.bounds = bounds

    def values(self, state: tuple[int, ...]) -> Array:
        return self.game.payoff(state)


@attrs.frozen(kw_only=True)
class Case:
    """Something to search: a tree, a matrix, a depth."""

    game: DrawnTree = attrs.field(repr=False)
    root: Node
    bounds: Bounds
    matrix: Array
    depth: int

    @property
    def evaluator(self) -> NodeValues:
        return NodeValues(self.game, self.bounds)


def _values(players: int, *, shared: bool) -> st.SearchStrategy[tuple[int, ...]]:
    if not shared:
        return st.tuples(*[st.integers(0, GREATEST)] * players)
    # Cuts of a whole: the values sum to GREATEST.
    cuts = st.lists(st.integers(0, GREATEST), min_size=players - 1, max_size=players - 1)
    return cuts.map(
        lambda c: tuple(b - a for a, b in zip([0, *sorted(c)], [*sorted(c), GREATEST], strict=True))
    )


def nodes(players: int, *, shared: bool, chance: bool) -> st.SearchStrategy[Node]:
    """Trees whose root is a choice of some seat."""
    values, seats = _values(players, shared=shared), st.integers(0, players - 1)
    leaves = st.builds(Node, seats, values)

    def inner(below: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = st.lists(below, min_size=1, max_size=4).map(tuple)
        choice = st.builds(Node, seats, values, several)
        if not chance:
            return choice
        weighed = st.lists(st.tuples(below, st.integers(1, 5)), min_size=1, max_size=3)
        dice = st.builds(
            lambda value, pairs: Node(
                CHANCE, value, tuple(n for n, _ in pairs), tuple(w for _, w in pairs)
            ),
            values,
            weighed,
        )
        return choice | dice

    trees = st.recursive(leaves, inner, max_leaves=25)
    return st.builds(Node, seats, values, st.lists(trees, min_size=1, max_size=5).map(tuple))


#: Entries that make ties, cancel each other and have no exact float, and all others.
ENTRIES = st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0, 1 / 3, -0.1, 1e-3, 1e-17]) | st.floats(-1, 1)


def matrices(players: int, entries: st.SearchStrategy[float] = ENTRIES) -> st.SearchStrategy[Array]:
    row = st.lists(entries, min_size=players, max_size=players)
    return st.lists(row, min_size=players, max_size=players).map(np.array)


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    entries: st.SearchStrategy[float] = ENTRIES,
    chance: bool | None = None,
) -> Case:
    """Any search; with chance, without, or either."""
    players = draw(st.integers(2, 4))
    shared = draw(st.booleans())
    dice = draw(st.booleans()) if chance is None else chance
    root = draw(nodes(players, shared=shared, chance=dice))
    bounds = Bounds(
        least=0,
        greatest=GREATEST,
        total=(GREATEST, GREATEST) if shared and draw(st.booleans()) else None,
        step=1 if draw(st.booleans()) else None,
    )
    return Case(
        game=DrawnTree(root, players=players, lists_chance=dice),
        root=root,
        bounds=bounds,
        matrix=draw(matrices(players, entries)),
        depth=draw(st.integers(1, 5)),
    )


def permuted(node: Node, order: Any) -> Node:
    """The same tree with seat `s` called `order[s]`."""
    values = [0] * len(node.values)
    for seat, value in enumerate(node.values):
        values[order[seat]] = value
    return Node(
        node.seat if node.seat < 0 else order[node.seat],
        tuple(values),
        tuple(permuted(child, order) for child in node.children),
        node.weights,
    )
