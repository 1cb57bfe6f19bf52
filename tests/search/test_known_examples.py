"""Examples and facts from the papers and the textbooks."""

import math

import numpy as np
import pytest
from support.hashtree import HashTree, hash_evaluator
from support.trees import WIDTH, LeafValues, OrderedTree, WrittenTree

from mpsearch.contracts import (
    OVER,
    Array,
    Bounds,
    Evaluator,
    Game,
    Limits,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.jit import jit_enabled
from mpsearch.search import search
from mpsearch.social import identity, offensive, paranoid, social_matrix

# Figure 1 of the MP-Mix paper: player 2 goes left in all three subtrees (3 > 2, 5 > 4, 4 > 3),
# and the root, attacking player 3, picks c (0 < 2). Values of player 1 are not printed; these
# make MaxN prefer b, so that the two strategies differ.
FIGURE_1 = (
    0,
    (1, [5, 3, 2], [1, 2, 9]),
    (1, [9, 5, 2], [1, 4, 9]),
    (1, [2, 4, 0], [1, 3, 9]),
)


def decide(tree: object, matrix: Array, *, players: int = 3, depth: int = 9) -> int:
    game = WrittenTree(tree, players=players)
    space = SearchSpace(game=game, evaluator=LeafValues(game, Bounds(least=0, greatest=20)))
    stance = Stance(matrix=matrix, label="test")
    moves = {
        search(space, [()], stance, Limits(depth=depth), prune=prune).move
        for prune in (False, True)
    }
    assert len(moves) == 1
    return moves.pop()


def test_offensive_picks_branch_c_in_figure_1_of_the_mpmix_paper() -> None:
    assert decide(FIGURE_1, offensive(3, 0, 2)) == 2


def test_maxn_picks_another_branch_in_the_same_tree() -> None:
    assert decide(FIGURE_1, identity(3)) == 1


def test_offensive_opponents_play_for_themselves() -> None:
    """Were player 2 to minimise the target too, branch a would lead to 0 for player 3."""
    tree = (0, (1, [5, 3, 2], [1, 2, 0]), (1, [9, 5, 1], [1, 4, 9]))
    assert decide(tree, offensive(3, 0, 2)) == 1


def test_sos_picks_by_perceived_utility() -> None:
    """As in figure 4 of the SOS paper: friends prefer what is good for both."""
    friends = social_matrix([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])
    tree = (
        0,
        (1, [6, 1, 9], [0, 2, 0]),  # a friend goes left: 6 + 0.5 * 1
        (1, [5, 6, 0], [7, 0, 0]),  # 5 + 0.5 * 6 = 8, the best
        (1, [7, 1, 9], [1, 2, 9]),  # a friend goes left: 7 + 0.5 * 1
        (1, [6, 0, 0], [6, 0, 0]),
    )
    assert decide(tree, friends) == 1
    assert decide(tree, identity(3)) == 3


def maxn_textbook(game: HashTree, evaluator: Evaluator, state: bytes, depth: int) -> list[float]:
    """MaxN, written for itself: the mover takes the child with its greatest own value."""
    seat = game.mover(state)
    if seat == OVER or depth == 0:
        return evaluator.values(state).tolist()
    children = [
        maxn_textbook(game, evaluator, game.play(state, m), depth - 1) for m in game.moves(state)
    ]
    return max(children, key=lambda value: value[seat])


def paranoid_textbook(
    game: HashTree, evaluator: Evaluator, state: bytes, depth: int, root: int
) -> float:
    """Paranoid, written for itself: the root maximises its value, all others minimise it."""
    seat = game.mover(state)
    if seat == OVER or depth == 0:
        return evaluator.values(state).tolist()[root]
    children = [
        paranoid_textbook(game, evaluator, game.play(state, m), depth - 1, root)
        for m in game.moves(state)
    ]
    return max(children) if seat == root else min(children)


def negamax(
    game: HashTree, evaluator: Evaluator, state: bytes, depth: int, alpha: float, beta: float
) -> float:
    """Negamax with alpha-beta for two players in turn, in the textbook's form."""
    seat = game.mover(state)
    if seat == OVER or depth == 0:
        values = evaluator.values(state).tolist()
        ply = int(game.record(state).ply)
        return values[ply % 2] - values[1 - ply % 2]
    best = -math.inf
    for move in game.moves(state):
        child = game.play(state, move)
        best = max(best, -negamax(game, evaluator, child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize("players", range(2, 7))
def test_properties_1_and_2_identity_is_maxn_and_the_paranoid_matrix_is_paranoid(
    players: int,
) -> None:
    for key in range(1, 25):
        game = HashTree(key * 7919, players=players)
        evaluator = hash_evaluator(game, levels=50)
        evaluator.short_wins = False  # the textbook takes the first of equal moves
        start = game.new()
        space = SearchSpace(game=game, evaluator=evaluator)
        seat = game.mover(start)
        selfish = search(
            space, [start], Stance(matrix=identity(players), label="maxn"), Limits(depth=5)
        )
        assert selfish.value.tolist() == maxn_textbook(game, evaluator, start, 5)
        afraid = search(
            space, [start], Stance(matrix=paranoid(players, seat), label="p"), Limits(depth=5)
        )
        assert afraid.value[seat] == paranoid_textbook(game, evaluator, start, 5, seat)


def test_with_two_players_and_constant_sum_all_are_minimax() -> None:
    for key in range(1, 60):
        game = HashTree(key * 104729, players=2, in_turn=True)
        evaluator = hash_evaluator(game, levels=30, total=40.0)
        start = game.new()
        space = SearchSpace(game=game, evaluator=evaluator)
        expected = negamax(game, evaluator, start, 6, -math.inf, math.inf)
        for matrix in (identity(2), paranoid(2, 0)):
            report = search(space, [start], Stance(matrix=matrix, label="m"), Limits(depth=6))
            assert report.value[0] - report.value[1] == expected


@pytest.mark.parametrize("matrix", [paranoid(2, 0), identity(2)], ids=["deep", "shallow"])
def test_deep_pruning_visits_the_minimal_tree_in_perfect_order(matrix: np.ndarray) -> None:
    """Knuth and Moore: b^ceil(k/2) + b^floor(k/2) - 1 nodes at depth k, 1999 leaves here."""
    depth = 6 if jit_enabled() else 4  # as plain Python a million nodes take minutes
    game = OrderedTree(depth)
    space = SearchSpace(game=game, evaluator=game.evaluator())
    report = search(space, [game.new()], Stance(matrix=matrix, label="m"), Limits(depth=depth))
    by_depth = [WIDTH ** ((k + 1) // 2) + WIDTH ** (k // 2) - 1 for k in range(depth + 1)]
    leaves, ideal = by_depth[-1], 2 * WIDTH ** (depth / 2)
    print(f"{report.pruning}: {report.nodes} nodes; minimal {sum(by_depth)}, {leaves} leaves")
    if report.pruning == "deep":
        assert report.nodes == sum(by_depth)
        assert leaves <= 1.5 * ideal
    else:
        # Shallow pruning cannot look past one level, but two players leave nothing deeper.
        assert sum(by_depth) <= report.nodes < WIDTH**depth
    full = search(
        space, [game.new()], Stance(matrix=matrix, label="m"), Limits(depth=depth), prune=False
    )
    assert full.nodes == sum(WIDTH**k for k in range(depth + 1))
    assert (full.move, full.value.tolist()) == (report.move, report.value.tolist())


def test_a_tie_that_is_not_won_is_cut() -> None:
    """All leaves are equal and no move wins a tie: again the minimal tree of Knuth and Moore."""
    tree: object = [3, 3]
    for ply in reversed(range(4)):
        tree = (ply % 2, tree, tree, tree)
    game = WrittenTree(tree, players=2)
    space = SearchSpace(game=game, evaluator=LeafValues(game, Bounds(least=0, greatest=6)))
    stance = Stance(matrix=paranoid(2, 0), label="paranoid")
    report = search(space, [()], stance, Limits(depth=4), ordering=frozenset())
    assert report.nodes == sum(3 ** ((k + 1) // 2) + 3 ** (k // 2) - 1 for k in range(5))


def test_shallow_pruning_cuts_where_the_seat_above_can_only_get_as_much_as_it_has() -> None:
    """Korf 1991: of 10 points seat 0 has 5 for sure, and seat 1 finds 5 for itself."""
    game = WrittenTree((0, [5, 5], (1, [5, 5], [4, 6], [3, 7])), players=2)
    bounds = Bounds(least=0, greatest=10, total=(10, 10), step=1)
    space = SearchSpace(game=game, evaluator=LeafValues(game, bounds))
    report = search(space, [()], Stance(matrix=identity(2), label="maxn"), Limits(depth=2))
    assert (report.move, report.pruning, report.nodes) == (0, "shallow", 4)


def test_nothing_is_a_bound_to_a_root_that_does_not_care() -> None:
    """Seat 1 wants most for seat 0, which wants nothing: no move is beaten."""
    tree = (0, (1, [5, 0], [3, 0]), (1, [4, 0], [2, 0]), (1, [6, 0], [1, 0]))
    game = WrittenTree(tree, players=2)
    space = SearchSpace(game=game, evaluator=LeafValues(game, Bounds(least=0, greatest=20)))
    stance = Stance(matrix=np.array([[0.0, 0.0], [1.0, 0.0]]), label="any")
    report = search(space, [()], stance, Limits(depth=2))
    assert [(m.exact, m.value[0]) for m in report.moves] == [(True, 5), (True, 4), (True, 6)]


def test_no_seat_gains_by_deviating_alone() -> None:
    """Theorem 1: the line found is a perceived equilibrium of the tree that was searched."""
    rng = np.random.default_rng(5)
    for key in range(1, 15):
        game = HashTree(key * 611953, players=3)
        evaluator = hash_evaluator(game, levels=20)
        matrix = rng.uniform(-1, 1, (3, 3))
        start = game.new()
        strategy: dict[tuple[State, int], int] = {}
        value = _solve(game, evaluator, start, 4, matrix, strategy)
        for deviator in range(3):
            best = _best_response(game, evaluator, start, 4, matrix, strategy, deviator)
            assert matrix[deviator] @ value >= best - 1e-9
        space = SearchSpace(game=game, evaluator=evaluator)
        found = search(space, [start], Stance(matrix=matrix, label="s"), Limits(depth=4))
        assert found.value.tolist() == value.tolist()


def _solve(
    game: Game,
    evaluator: Evaluator,
    state: State,
    depth: int,
    matrix: Array,
    strategy: dict[tuple[State, int], int],
) -> Array:
    seat = game.mover(state)
    if seat == OVER or depth == 0:
        return evaluator.values(state)
    values = [
        _solve(game, evaluator, game.play(state, m), depth - 1, matrix, strategy)
        for m in game.moves(state)
    ]
    best = max(range(len(values)), key=lambda i: float(sum(matrix[seat] * values[i])))
    strategy[state, depth] = best
    return values[best]


def _best_response(
    game: Game,
    evaluator: Evaluator,
    state: State,
    depth: int,
    matrix: Array,
    strategy: dict[tuple[State, int], int],
    deviator: int,
) -> float:
    seat = game.mover(state)
    if seat == OVER or depth == 0:
        return float(matrix[deviator] @ evaluator.values(state))
    moves = game.moves(state)
    tried = moves if seat == deviator else [moves[strategy[state, depth]]]
    return max(
        _best_response(game, evaluator, game.play(state, m), depth - 1, matrix, strategy, deviator)
        for m in tried
    )
