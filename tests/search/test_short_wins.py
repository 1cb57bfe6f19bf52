"""Of wins the shortest is taken and of losses the longest; values stay as they are."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.hashtree import HashTree, hash_evaluator
from support.matrices import MATRICES
from support.reference import reference, result
from support.trees import LeafValues, WrittenTree

from mpsearch.contracts import Array, Bounds, Limits, SearchSpace, Stance
from mpsearch.search import make_engine, search
from mpsearch.search.mcts.engine import Sampling, Start, make_uct_engine
from mpsearch.social import identity

WIN, LOSS, DRAW = [100.0, 0.0], [0.0, 100.0], [50.0, 50.0]


class BoxedValues(LeafValues):
    """Knows the least and the greatest value of all leaves below a node."""

    reaches = True

    def box(self, state: tuple[int, ...], depth: int) -> tuple[Array, Array]:
        leaves = np.array(list(self._leaves(self.game.node(state))))
        return leaves.min(axis=0), leaves.max(axis=0)

    def _leaves(self, node: Any) -> Iterator[list[float]]:
        if isinstance(node, list):
            yield node
        else:
            for child in node[1:]:
                yield from self._leaves(child)


def written(tree: Any, values: type[LeafValues] = LeafValues) -> SearchSpace:
    game = WrittenTree(tree, players=2)
    return SearchSpace(game=game, evaluator=values(game, Bounds(total=(100, 100))))


def chosen(tree: Any, matrix: Any) -> set[Any]:
    """The root move by every way to search: pruned or not, with boxes or without, any ties."""
    found = set()
    ways = itertools.product((LeafValues, BoxedValues), (False, True), range(4))
    for values, prune, seed in ways:
        space = written(tree, values)
        report = search(
            space,
            [space.game.new()],
            Stance(matrix=np.array(matrix), label="any"),
            Limits(depth=8),
            prune=prune,
            rng=np.random.default_rng(seed),
        )
        found.add(report.move)
    return found


MATRIX = {"maxn": identity(2), "paranoid": np.array([[1.0, 0.0], [-1.0, 0.0]])}


def then(end: Any) -> Any:
    """One move of seat 1 and one of seat 0, and the end."""
    return (1, (0, end))


@pytest.mark.parametrize("kind", MATRIX)
def test_the_shorter_win_is_taken_and_the_longer_loss(kind: str) -> None:
    assert chosen((0, then(WIN), WIN), MATRIX[kind]) == {1}
    assert chosen((0, then(LOSS), LOSS), MATRIX[kind]) == {0}
    assert chosen((0, WIN, then(WIN)), MATRIX[kind]) == {0}
    assert chosen((0, LOSS, then(LOSS)), MATRIX[kind]) == {1}
    # The same one ply down: seat 1 wins as soon as it can, and loses as late.
    assert chosen((0, (1, LOSS, then(LOSS)), (1, then(LOSS))), MATRIX[kind]) == {1}
    assert chosen((0, (1, WIN, then(WIN)), (1, WIN)), MATRIX[kind]) == {1}
    later = then(then(then(WIN)))
    assert chosen((0, (1, WIN, then(WIN)), later), MATRIX[kind]) == {0}
    assert chosen((0, later, (1, WIN, then(WIN))), MATRIX[kind]) == {1}
    # Inside the tree the win at once is taken too, though another move is listed first.
    assert chosen((0, (1, (0, then(WIN), WIN)), (1, (0, then(WIN)))), MATRIX[kind]) == {0}
    # The other seat delays what it cannot prevent.
    assert chosen((0, (1, (0, WIN), (0, then(then(WIN)))), then(then(WIN))), MATRIX[kind]) == {1}


@pytest.mark.parametrize("kind", MATRIX)
def test_games_that_are_neither_won_nor_lost_tie_whenever_they_end(kind: str) -> None:
    assert chosen((0, then(DRAW), DRAW), MATRIX[kind]) == {0, 1}


def test_points_are_neither_won_nor_lost() -> None:
    space = written((0, then(WIN), WIN))
    space.evaluator.short_wins = False
    found = {
        search(
            space,
            [space.game.new()],
            Stance(matrix=identity(2), label="any"),
            Limits(depth=4),
            rng=np.random.default_rng(seed),
        ).move
        for seed in range(8)
    }
    assert found == {0, 1}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("kind", MATRICES)
def test_trees_with_many_wins_are_searched_as_plainly(kind: str, players: int) -> None:
    """Every value is an extreme, every third node ends the game, and chance has its say."""
    rng = np.random.default_rng([players, len(kind)])
    shorter = 0
    for number in range(6):
        game = HashTree(
            int(rng.integers(2**30)), players=players, ends=3, chances=4 * (number % 2), most=4
        )
        space = SearchSpace(
            game=game,
            evaluator=hash_evaluator(game, levels=2, box=(1.0, True, True) if number % 3 else None),
        )
        matrix = MATRICES[kind](players, rng)
        start, stance = game.new(), Stance(matrix=matrix, label=kind)
        value, _, line = reference(game, space.evaluator, start, 6, matrix)
        for engine, prune in itertools.product(
            (make_engine(space), make_engine(space, interpret=True)), (False, True)
        ):
            for limits in (Limits(depth=6), Limits(depth=6, nodes=10**9)):
                report = search(space, [start], stance, limits, prune=prune, engine=engine)
                assert result(report) == (line[0], value, tuple(line))
        space.evaluator.short_wins = False
        shorter += reference(game, space.evaluator, start, 6, matrix)[2] != line
    assert shorter > 0 or kind not in ("maxn", "paranoid")


def test_sampling_takes_the_shorter_of_two_sure_wins() -> None:
    space = written((0, then(then(WIN)), then(WIN)))
    for seed in range(4):
        engine = make_uct_engine(space, Sampling())
        start = Start(space.game.new(), np.random.default_rng(seed), 400)
        stance = Stance(matrix=identity(2), label="any")
        report = search(space, [start], stance, Limits(nodes=41), engine=engine)
        assert report.move == 1
