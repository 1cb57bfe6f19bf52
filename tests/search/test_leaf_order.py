"""In which order leaves are come to: the expected line first, all else as the game lists it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.drawn import GREATEST, DrawnTree, Node, NodeValues
from support.matrices import MATRICES

from mpsearch.contracts import Array, Bounds, Limits, SearchSpace, Stance
from mpsearch.search import search


class Seen(NodeValues):
    """Remembers what it was asked for."""

    def __init__(self, game: DrawnTree) -> None:
        super().__init__(game, Bounds(least=0, greatest=GREATEST))
        self.states: list[tuple[int, ...]] = []

    def values(self, state: tuple[int, ...]) -> Array:
        self.states.append(state)
        return super().values(state)


def even(rng: np.random.Generator, depth: int) -> Node:
    """Three seats in turn with three moves each, to one depth everywhere."""
    children = tuple(even(rng, depth - 1) for _ in range(3 if depth else 0))
    return Node((-depth) % 3, tuple(rng.integers(0, GREATEST + 1, 3).tolist()), children)


def leaves(kind: str, ordering: frozenset[str]) -> Iterator[tuple[list[Any], tuple[Any, ...]]]:
    """What each depth of some searches comes to, in turn, and the line of the depth before.

    A state is the path to it.
    """
    rng = np.random.default_rng(8)
    stance = Stance(matrix=MATRICES[kind](3, rng), label=kind)
    for _ in range(5):
        game = DrawnTree(even(rng, 5), players=3, lists_chance=False)
        seen = Seen(game)
        space = SearchSpace(game=game, evaluator=seen)
        search(space, [()], stance, Limits(depth=5, nodes=10**9), ordering=ordering)
        states = seen.states.copy()
        for depth in range(2, 6):
            before = search(space, [()], stance, Limits(depth=depth - 1))
            yield [state for state in states if len(state) == depth], before.line


@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
def test_the_line_of_the_depth_before_is_tried_first(kind: str) -> None:
    for found, line in leaves(kind, frozenset({"line"})):
        assert found[0][:-1] == line


@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
def test_without_orderings_every_move_is_tried_in_its_turn(kind: str) -> None:
    """But for the root, where the best move of the depth before comes first."""
    for found, line in leaves(kind, frozenset()):
        assert found == sorted(found, key=lambda state: (state[0] != line[0], state))
