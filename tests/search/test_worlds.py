"""Hidden information: many worlds, one decision."""

import numpy as np
import pytest
from support.trees import LeafValues, WrittenTree

from mpsearch.catalog import load_catalog
from mpsearch.contracts import Bounds, Stance
from mpsearch.search import Limits, SearchSpace, make_engine, search
from mpsearch.social import identity


class Worlds(WrittenTree):
    """The first step of the path says which of several trees is the real one."""

    def node(self, state: tuple[int, ...]) -> object:
        node = self.tree[state[0]]
        for move in state[1:]:
            node = node[1 + move]
        return node


#: Move 0 is best in two worlds of three, move 1 is far better in the third.
TREES = [(0, [5, 0], [4, 0]), (0, [5, 0], [4, 0]), (0, [0, 0], [9, 0])]


def space() -> SearchSpace:
    game = Worlds(TREES, players=2)
    return SearchSpace(game=game, evaluator=LeafValues(game, Bounds(least=0, greatest=10)))


STANCE = Stance(matrix=identity(2), label="maxn")


def test_vote_and_mean_choose_as_they_say() -> None:
    worlds = [(0,), (1,), (2,)]
    vote = search(space(), worlds, STANCE, Limits(depth=1), pool="vote")
    mean = search(space(), worlds, STANCE, Limits(depth=1), pool="mean")
    assert (vote.move, [m.votes for m in vote.moves]) == (0, [2, 1])
    assert mean.move == 1
    assert [m.value[0] for m in mean.moves] == [10 / 3, 17 / 3]
    assert vote.worlds == mean.worlds == 3


def test_ties_are_broken_uniformly_at_the_root_and_by_order_without_a_generator() -> None:
    game = WrittenTree((0, [5, 0], [5, 1], [5, 2], [4, 9]), players=2)
    tied = SearchSpace(game=game, evaluator=LeafValues(game, Bounds(least=0, greatest=10)))
    counts = np.zeros(4)
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        counts[search(tied, [()], STANCE, Limits(depth=1), rng=rng).move] += 1
    # Chi-square with 2 degrees of freedom; 13.8 is exceeded by chance once in a thousand.
    assert counts[3] == 0
    assert ((counts[:3] - 1000) ** 2 / 1000).sum() < 13.8
    assert search(tied, [()], STANCE, Limits(depth=1)).move == 0


@pytest.mark.parametrize("name", ["scramble", "plunder"])
def test_threads_and_engines_do_not_change_the_result(name: str) -> None:
    catalog = load_catalog()
    game = catalog.game(name)
    evaluator = catalog.evaluator_offer(name).make(game)
    problem = SearchSpace(game=game, evaluator=evaluator)
    rng = np.random.default_rng(3)
    state = game.new()
    while game.mover(state) < 0:
        state = game.play(state, game.draw(state, rng))
    view = game.view(state, game.mover(state))
    worlds = [game.world(view, rng) for _ in range(7)]
    stance = Stance(matrix=identity(game.players), label="maxn")
    engines = [make_engine(problem), make_engine(problem, interpret=True)]
    reports = [
        search(
            problem,
            worlds,
            stance,
            Limits(depth=3, nodes=5000),
            rng=np.random.default_rng(9),
            pool=pool,
            threads=threads,
            engine=engine,
        )
        for pool in ("vote",)
        for threads in (1, 2, 5)
        for engine in engines
    ]
    assert all(report == reports[0] for report in reports)


def test_an_error_in_a_game_reaches_the_caller() -> None:
    class Broken(Worlds):
        def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
            raise RuntimeError("the dog ate the board")

    game = Broken(TREES, players=2)
    broken = SearchSpace(game=game, evaluator=LeafValues(game, Bounds(least=0, greatest=10)))
    with pytest.raises(RuntimeError, match="the dog ate the board"):
        search(broken, [(0,), (1,)], STANCE, Limits(depth=1), threads=2)
