"""Whatever is tried first, value, move and line are those of the plain search."""

import itertools

import numpy as np
import pytest
from support.drawn import GREATEST, DrawnTree, Node, NodeValues
from support.hashtree import EVALUATORS, HashTree, hash_evaluator
from support.matrices import MATRICES
from support.problems import Box, drawn_problems
from support.reference import reference, result
from support.trees import OrderedTree

from mpsearch.contracts import (
    Array,
    Bounds,
    Branching,
    Game,
    Limits,
    Move,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.search import make_engine, search
from mpsearch.search.tree.move_ordering import ORDERINGS, pending, turn

SEATS = (2, 3, 4)
#: For each kind of matrix, evaluator and number of seats: 14 * 8 * 3 * 3 = 1,008 trees,
#: beside the 6,000 and more of test_search_against_reference.py and test_reach.py.
TREES_EACH = 3
NONE: frozenset[str] = frozenset()


def trees(kind: str, evaluator: str, players: int) -> list[tuple[SearchSpace, Array, int]]:
    """Search problems with and without boxes and chance."""

    def box(rng: np.random.Generator, number: int) -> Box:
        drawn = (float(rng.choice([0, 1])), bool(rng.integers(2)), bool(rng.integers(2)))
        return drawn if number % 2 else None

    return drawn_problems(
        *(kind, evaluator, players),
        count=TREES_EACH,
        salt=[23],
        ends=[9, 50, 500],
        chances=[0, 0, 0, 6],
        most=6,
        depths=(2, 6),
        box=box,
    )


@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("kind", MATRICES)
def test_the_order_of_trying_changes_nothing(kind: str, evaluator: str, players: int) -> None:
    for space, matrix, depth in trees(kind, evaluator, players):
        start = space.game.new()
        stance = Stance(matrix=matrix, label=kind)
        value, _, line = reference(space.game, space.evaluator, start, depth, matrix)
        expected = (line[0], value, tuple(line))
        engines = (make_engine(space), make_engine(space, interpret=True))
        # To the depth at once, and one depth after the other, which has a line to follow.
        for limits in (Limits(depth=depth), Limits(depth=depth, nodes=10**9)):
            reports = [search(space, [start], stance, limits, engine=e) for e in engines]
            assert result(reports[0]) == expected
            assert reports[1] == reports[0]


class WorstFirst(Branching):
    """All moves of a tree in perfect order, backwards."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moves(self, state: State) -> list[Move]:
        return list(reversed(self.game.moves(state)))


#: Ordering: whether depths are searched one after the other, so that it has something to go by.
DEEPENS = {"killers": False, "line": True}


def test_every_ordering_has_a_case() -> None:
    assert set(DEEPENS) == ORDERINGS


@pytest.mark.parametrize("ordering", DEEPENS)
def test_each_ordering_saves_nodes_by_itself(ordering: str) -> None:
    game = OrderedTree(4)
    space = SearchSpace(game=game, evaluator=game.evaluator(), branching=WorstFirst(game))
    stance = Stance(matrix=MATRICES["paranoid"](2, np.random.default_rng(1)), label="paranoid")
    limits = Limits(depth=4, nodes=10**9 if DEEPENS[ordering] else None)
    plain, alone, together = (
        search(space, [game.new()], stance, limits, ordering=names)
        for names in (NONE, frozenset({ordering}), ORDERINGS)
    )
    assert result(plain) == result(alone) == result(together)
    print(f"{ordering}: {alone.nodes} of {plain.nodes} nodes, all together {together.nodes}")
    assert alone.nodes < plain.nodes
    assert together.nodes <= alone.nodes


#: Rows of seats 0 and 1, to whom seat 2 means nothing.
INDIFFERENT = {
    "maxn": np.eye(3),
    "paranoid": np.array([[1.0, 0, 0], [-1, 0, 0], [-1, 0, 0]]),
    "general": np.array([[1.0, 0.25, 0], [-0.5, 1, 0], [0.5, 0, 1]]),
}


@pytest.mark.parametrize("step", [1, None])
@pytest.mark.parametrize("kind", INDIFFERENT)
def test_a_move_that_is_tried_later_wins_a_tie_if_it_comes_first_in_the_game(
    kind: str, step: int | None
) -> None:
    """Depth 2 prefers the second move of seat 1, so depth 3 tries it first; there both tie."""
    equal = (4, 4)
    tree = Node(
        0,
        (0, 0, 0),
        (
            Node(1, (0, 0, 0), (Node(0, (0, 0, 1)),)),
            Node(
                1,
                (0, 0, 0),
                (
                    Node(2, (5, 1, 0), (Node(0, (*equal, 1)),)),
                    Node(2, (3, 5, 0), (Node(0, (*equal, 2)),)),
                    Node(2, (3, 4, 0), (Node(0, (*equal, 3)),)),
                ),
            ),
        ),
    )
    game = DrawnTree(tree, players=3, lists_chance=False)
    bounds = Bounds(least=0, greatest=GREATEST, step=step)
    space = SearchSpace(game=game, evaluator=NodeValues(game, bounds))
    stance = Stance(matrix=INDIFFERENT[kind], label=kind)
    before = search(space, [()], stance, Limits(depth=2))
    assert before.line == (1, 1)
    found = search(space, [()], stance, Limits(depth=3, nodes=10**9))
    assert result(found) == (1, [*equal, 1], (1, 0, 0))


def test_what_is_cut_is_no_tie() -> None:
    """Seat 1 keeps seat 0 at 4 by its second move, tried first; the first one starts with 4 too."""
    first = Node(0, (5, 0, 0), (Node(0, (4, 0, 1)), Node(0, (6, 0, 1))))
    second = Node(0, (3, 0, 0), (Node(0, (4, 0, 2)),))
    tree = Node(0, (0, 0, 0), (Node(1, (0, 0, 0), (first, second)),))
    game = DrawnTree(tree, players=3, lists_chance=False)
    space = SearchSpace(
        game=game, evaluator=NodeValues(game, Bounds(least=0, greatest=2 * GREATEST))
    )
    stance = Stance(matrix=INDIFFERENT["paranoid"], label="paranoid")
    found = search(space, [()], stance, Limits(depth=3, nodes=10**9))
    assert result(found) == (0, [4, 0, 2], (0, 1, 0))


@pytest.mark.parametrize("kind", ["paranoid", "random", "maxn"])
def test_more_frames_in_the_middle_of_a_search_change_no_node(kind: str) -> None:
    """The second search has the frames that the first had to ask for."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        game = HashTree(int(rng.integers(1, 2**31)), players=3, ends=60, in_turn=True, most=2)
        values = hash_evaluator(game, **EVALUATORS["shared fine sum"])
        space = SearchSpace(game=game, evaluator=values)
        stance = Stance(matrix=MATRICES[kind](3, rng), label=kind)
        for limits in (Limits(depth=18), Limits(depth=18, nodes=10**9)):
            engine = make_engine(space)
            first, second = (
                search(space, [game.new()], stance, limits, engine=engine) for _ in range(2)
            )
            assert first == second


@pytest.mark.parametrize("count", range(1, 7))
def test_every_move_has_one_turn_and_those_that_win_ties_are_known(count: int) -> None:
    """For any two moves in front: all in turn, the others in their own order."""
    fronts = [(-1, -1), *itertools.product(range(count), [-1, *range(count)])]
    for first, second in fronts:
        if first == second and first >= 0:
            continue
        turns = [turn(k, first, second) for k in range(count)]
        front = [i for i in (first, second) if i >= 0]
        assert turns == [*front, *(i for i in range(count) if i not in front)]
        for k, chosen in itertools.product(range(count), range(count)):
            if chosen in turns[: k + 1]:
                left = any(i < chosen for i in turns[k + 1 :])
                assert pending(k, count, chosen, first, second) == left


def test_an_unknown_ordering_is_named() -> None:
    game = HashTree(5, players=2)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game))
    stance = Stance(matrix=np.eye(2), label="any")
    with pytest.raises(ValueError, match="'guessing'"):
        search(space, [game.new()], stance, Limits(depth=1), ordering=frozenset({"guessing"}))
