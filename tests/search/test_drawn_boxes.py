"""Boxes over small drawn trees with values on both sides of 0: nothing is found but the true value,
and who is called what, or stands where, changes no node."""

from collections.abc import Iterator

import numpy as np
import pytest
from support.drawn import GREATEST, DrawnTree, Node, NodeValues, permuted
from support.matrices import MATRICES
from support.reference import reference, result

from mpsearch.contracts import CHANCE, Array, Bounds, Limits, Report, SearchSpace, Stance
from mpsearch.search import search
from mpsearch.search.pruning.local_plan import LOCAL_TECHNIQUES
from mpsearch.search.tree import engine as engine
from mpsearch.social import identity, paranoid

DEPTH = 4


class Boxed(NodeValues):
    """Values moved down by so much, with the true box of every node."""

    reaches = True

    def __init__(self, game: DrawnTree, shift: int) -> None:
        super().__init__(game, Bounds(least=-shift, greatest=GREATEST - shift))
        self.shift = shift

    def values(self, state: tuple[int, ...]) -> Array:
        return super().values(state) - self.shift

    def box(self, state: tuple[int, ...], depth: int) -> tuple[Array, Array]:
        leaves = np.array(list(self._leaves(state, depth)))
        with_total = np.column_stack([leaves, leaves.sum(axis=1)])
        return with_total.min(axis=0), with_total.max(axis=0)

    def _leaves(self, state: tuple[int, ...], depth: int) -> Iterator[Array]:
        node = self.game.node(state)
        if not node.children or (depth == 0 and node.seat != CHANCE):
            yield self.values(state)
            return
        for move in range(len(node.children)):
            yield from self._leaves((*state, move), depth - (node.seat != CHANCE))


def drawn(rng: np.random.Generator, players: int, chances: float, depth: int = DEPTH) -> Node:
    """A tree whose root is a choice; the values of a node sum to GREATEST or to anything."""
    cuts = np.sort(rng.integers(0, GREATEST + 1, players - 1))
    values = np.diff([0, *cuts, GREATEST]) if players > 2 else rng.integers(0, GREATEST + 1, 2)
    if depth == 0:
        return Node(0, tuple(values.tolist()))
    dice = depth < DEPTH and rng.random() < chances
    below = depth if dice and rng.random() < 0.3 else depth - 1
    children = tuple(
        drawn(rng, players, 0.0 if below == depth else chances, below)
        for _ in range(int(rng.integers(2, 4)))
    )
    seat = CHANCE if dice else int(rng.integers(players))
    weights = tuple(rng.integers(1, 5, len(children)).tolist()) if dice else ()
    return Node(seat, tuple(values.tolist()), children, weights)


def look(tree: Node, matrix: Array, shift: int, *, chance: bool, **keywords: object) -> Report:
    """A search with a box at every node."""
    players = len(matrix)
    game = DrawnTree(tree, players=players, lists_chance=chance)
    space = SearchSpace(game=game, evaluator=Boxed(game, shift))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "NEAREST", 1)
        stance = Stance(matrix=matrix, label="any")
        return search(space, [()], stance, Limits(depth=DEPTH), **keywords)  # type: ignore[arg-type]


@pytest.mark.parametrize("chances", [0.0, 0.4])
@pytest.mark.parametrize("kind", ["maxn", "paranoid", "offensive", "random"])
def test_boxes_change_nothing_where_values_are_below_0(kind: str, chances: float) -> None:
    rng = np.random.default_rng(sorted(MATRICES).index(kind))
    saved = 0
    for number in range(40):
        players = 2 + number % 2
        tree, shift = drawn(rng, players, chances), int(rng.integers(0, GREATEST + 1))
        matrix = MATRICES[kind](players, rng)
        found = look(tree, matrix, shift, chance=chances > 0)
        game = DrawnTree(tree, players=players, lists_chance=chances > 0)
        values = Boxed(game, shift)
        value, nodes, line = reference(game, values, (), DEPTH, matrix)
        assert result(found) == (line[0], value, tuple(line))
        saved += nodes - found.nodes
    assert saved > 0


@pytest.mark.parametrize("chances", [0.0, 0.4])
def test_what_seats_are_called_changes_no_node(chances: float) -> None:
    """Of every technique: matrices of whole numbers, so that sums are exact in any order."""
    rng = np.random.default_rng(6)
    cut = dict.fromkeys(LOCAL_TECHNIQUES, 0)
    for _ in range(30):
        tree, order = drawn(rng, 3, chances), rng.permutation(3)
        back = np.argsort(order)
        for matrix in (identity(3), paranoid(3, 0), paranoid(3, tree.seat)):
            for technique in sorted(LOCAL_TECHNIQUES):
                local = frozenset({technique})
                first = look(tree, matrix, 3, chance=chances > 0, local=local)
                second = look(
                    permuted(tree, order.tolist()),
                    matrix[np.ix_(back, back)],
                    3,
                    chance=chances > 0,
                    local=local,
                )
                assert (second.line, second.nodes) == (first.line, first.nodes)
                without = look(tree, matrix, 3, chance=chances > 0, local=frozenset())
                cut[technique] += without.nodes - first.nodes
    assert all(cut[technique] > 0 for technique in cut if technique != "chance" or chances)


def test_what_can_only_be_as_good_as_the_window_is_not_searched() -> None:
    """Seat 1 holds seat 0 at 3; what is behind its second move is worth 3 or more to seat 0."""
    second = Node(0, (0, 0), (Node(0, (3, 0)), Node(0, (4, 0))))
    tree = Node(0, (0, 0), (Node(1, (0, 0), (Node(0, (3, 0)), second)),))
    found = look(tree, paranoid(2, 0), 0, chance=False, local=frozenset({"futility"}))
    assert (found.value[0], found.nodes) == (3, 4)
