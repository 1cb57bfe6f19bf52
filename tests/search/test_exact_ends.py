"""Where a game knows how it ends, every search finds what it would find by looking to the end."""

from typing import Any

import attrs
import numpy as np
import pytest
from support.matrices import MATRICES
from support.take_away import HIGHEST, PlainTakeAway, TakeAway, guessing

from mpsearch.contracts import Array, Bounds, Evaluator, Limits, Report, SearchSpace, Stance
from mpsearch.jit import jit_enabled
from mpsearch.search import make_engine, search
from mpsearch.search.best_reply.search import make_replies
from mpsearch.search.horizon.search import shallow_space
from mpsearch.search.mcts.engine import Sampling, Start, make_uct_engine
from mpsearch.search.tree.one_ply import make_scratch
from mpsearch.social import identity, paranoid

#: Deeper than any game takes.
DEEP = 20
#: Whether the tree is searched as plain Python.
WAYS = [True, pytest.param(False, marks=pytest.mark.skipif(not jit_enabled(), reason="no jit"))]
WANTS_TO_WIN = {
    "maxn": identity(2),
    "paranoid 0": paranoid(2, 0),
    "paranoid 1": paranoid(2, 1),
    "spiteful": np.array([[1.0, -0.5], [-0.25, 0.5]]),
    "kind": np.array([[1.0, 0.5], [0.9, 1.0]]),
}


class Guess(Evaluator):
    """`guessing`, of the plain game."""

    bounds = Bounds(total=(100, 100))

    def values(self, state: Any) -> Array:
        left, mover = state
        mine = 0.0 if left == 0 else 10.0 * ((7 * left * left + 3) % 10) + 1.0
        return np.array([mine, 100 - mine] if mover == 0 else [100 - mine, mine])


def space_of(height: int, known: int, *, exact_ends: bool = True) -> SearchSpace:
    game = TakeAway(height, known)
    return SearchSpace(game=game, evaluator=guessing(game), exact_ends=exact_ends)


def told(report: Report) -> Any:
    return report.move, report.value.tolist(), [m.value.tolist() for m in report.moves if m.exact]


def searched(space: SearchSpace, matrix: Any, depth: int, **how: Any) -> Report:
    engine = make_engine(space, interpret=how.pop("interpret", False))
    stance = Stance(matrix=matrix, label="any")
    return search(space, [space.game.new()], stance, Limits(depth=depth), engine=engine, **how)


@pytest.mark.parametrize("interpret", WAYS)
@pytest.mark.parametrize("name", WANTS_TO_WIN)
@pytest.mark.parametrize("prune", [False, True])
def test_one_ply_is_as_good_as_all(interpret: bool, name: str, prune: bool) -> None:
    differs = 0
    for height in range(2, 13):
        how = {"prune": prune, "exact": True, "interpret": interpret}
        matrix = WANTS_TO_WIN[name]
        whole = told(searched(space_of(height, 0), matrix, DEEP, **how))
        assert told(searched(space_of(height, HIGHEST), matrix, 1, **how)) == whole, height
        differs += told(searched(space_of(height, 0), matrix, 1, **how)) != whole
    assert differs  # what is guessed is not what is known


@pytest.mark.parametrize("interpret", WAYS)
@pytest.mark.parametrize("name", MATRICES)
def test_whole_searches_find_the_same_with_any_matrix(interpret: bool, name: str) -> None:
    """Who does not want to win does not play to the ends that are known: nobody asks for them."""
    rng = np.random.default_rng(7)
    for height in range(2, 10):
        matrix = MATRICES[name](2, rng)
        found, whole = (
            told(searched(space_of(height, known), matrix, DEEP, interpret=interpret, exact=True))
            for known in (HIGHEST, 0)
        )
        assert found == whole, (height, matrix)


def test_ends_are_asked_for_only_where_they_are_right() -> None:
    space = space_of(9, HIGHEST)
    assert all(space.solves(matrix) for matrix in WANTS_TO_WIN.values())
    generous, aimless = np.array([[0.5, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    assert not space.solves(generous)
    assert not space.solves(aimless)
    game = space.game
    points = attrs.evolve(space, evaluator=guessing(game))  # type: ignore[arg-type]
    points.evaluator.bounds = Bounds()
    assert not points.solves(identity(2))
    assert not attrs.evolve(space, exact_ends=False).solves(identity(2))
    assert not shallow_space(space, 0, identity(2), (1, 1)).solves(identity(2))


@pytest.mark.parametrize("interpret", WAYS)
@pytest.mark.parametrize("others", ["ordered", "greedy"])
def test_best_reply_search_knows_ends_too(interpret: bool, others: str) -> None:
    for height in range(2, 13):
        found = []
        for known, depth in ((HIGHEST, 1), (0, DEEP)):
            tree = make_replies(space_of(height, known), 0, others, interpret=interpret)
            report = search(
                tree.space,
                [tree.enter(space_of(height, known).game.new())],
                Stance(matrix=paranoid(2, 0), label="paranoid"),
                Limits(depth=depth),
                engine=make_engine(tree.space, interpret=interpret),
            )
            found.append((tree.taken_apart(report.move)[0], report.value.tolist()))
        assert found[0] == found[1]


@pytest.mark.parametrize("interpret", WAYS)
@pytest.mark.parametrize("information_sets", [False, True])
@pytest.mark.parametrize("cut", [0, 3, 1000])
def test_monte_carlo_search_plays_no_further_than_ends_that_are_known(
    interpret: bool, information_sets: bool, cut: int
) -> None:
    sampling = Sampling(cut=cut, information_sets=information_sets)
    for height in range(2, 13):
        space = space_of(height, HIGHEST)
        report = search(
            space,
            [Start(space.game.new(), np.random.default_rng(1), 400)],
            Stance(matrix=identity(2), label="maxn"),
            Limits(nodes=60),
            engine=make_uct_engine(space, sampling, interpret=interpret),
        )
        whole = searched(space_of(height, 0), identity(2), DEEP, exact=True)
        assert [m.value.tolist() for m in report.moves] == [m.value.tolist() for m in whole.moves]
        assert report.move == whole.move


def test_games_in_plain_python_may_know_their_end() -> None:
    for height in range(2, 11):
        game = PlainTakeAway(height)
        space = SearchSpace(game=game, evaluator=Guess())
        whole = attrs.evolve(space, exact_ends=False)
        assert told(searched(space, identity(2), 1)) == told(searched(whole, identity(2), DEEP))


@pytest.mark.skipif(not jit_enabled(), reason="no jit")
def test_native_play_of_one_ply_knows_ends() -> None:
    stances = [Stance(matrix=identity(2), label="maxn")] * 2
    for exact_ends in (False, True):
        _, lay = make_scratch(space_of(9, 9, exact_ends=exact_ends), stances, shuffles=False)
        scratch = np.zeros(1, [(n, "i8") for n in ("frames", "context", "rank", "shuffles")])[0]
        loan = lay(scratch, 0)
        assert int(loan._memory.contexts[0].exact_ends) == int(exact_ends)
