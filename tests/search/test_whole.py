"""Without pruning Python searches in a loop of its own: beside the kernel, node by node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawn import TRIED, Case, DrawnTree, Node, NodeValues, cases
from support.trees import LeafValues, WrittenTree

from mpsearch.contracts import CHANCE, Array, Bounds, Stance
from mpsearch.errors import ContractError
from mpsearch.search import Limits, SearchSpace, make_plan, search
from mpsearch.search.backup import LINE
from mpsearch.search.deepen import goal_of
from mpsearch.search.interpreted import InterpretedWorkshop, InterpretedWorkspace
from mpsearch.search.root import Ended
from mpsearch.search.traced import trace
from mpsearch.social import identity

#: Something to be done whenever a node is evaluated, with how many were before.
Then = Callable[[InterpretedWorkspace, int], None]


class Noted(NodeValues):
    """Knows which nodes it was asked for, in their order."""

    def __init__(self, game: DrawnTree, bounds: Bounds) -> None:
        super().__init__(game, bounds)
        self.asked: list[tuple[int, ...]] = []
        self.then: Callable[[int], None] = lambda before: None

    def values(self, state: tuple[int, ...]) -> Array:
        self.then(len(self.asked))
        self.asked.append(state)
        return super().values(state)


def run(case: Case, limits: Limits, *, kernel: bool, then: Then | None = None) -> Any:
    """All that a search without pruning leaves behind, and the leaves it looked at."""
    evaluator = Noted(case.game, case.bounds)
    workshop = InterpretedWorkshop(SearchSpace(game=case.game, evaluator=evaluator))
    workspace = workshop.workspace()
    assert isinstance(workspace, InterpretedWorkspace)
    if then is not None:
        evaluator.then = lambda before: then(workspace, before)
    plan = make_plan(case.matrix, case.bounds, lists_chance=case.game.lists_chance, prune=False)
    moves = workspace.load((), plan, goal_of(limits, exact=False))
    if kernel:
        workspace.open_root, workspace.search_root = workshop.roots[True]
    ended = workspace.run(list(range(len(moves))), len(moves))
    found = workspace.found(ended.bank, len(moves)) if ended.completed else None
    lines = found and [found.line(index) for index in range(len(moves))]
    values = found and found.values.tolist()
    return ended, workspace.slate.horizon, values, lines, evaluator.asked


@TRIED
@given(cases())
def test_a_limit_of_nodes_ends_it_at_the_same_node(case: Case) -> None:
    whole, *_ = run(case, Limits(nodes=10**9, depth=case.depth), kernel=True)
    for nodes in range(1, whole.nodes + 1):
        limits = Limits(nodes=nodes, depth=case.depth)
        assert run(case, limits, kernel=False) == run(case, limits, kernel=True)


@TRIED
@given(cases(), st.integers(0, 40))
def test_a_signal_to_stop_is_heard_before_the_next_node(case: Case, leaves: int) -> None:
    def stop(workspace: InterpretedWorkspace, before: int) -> None:
        workspace.slate.stop = int(before >= leaves)

    limits = Limits(depth=case.depth)
    found, expected = (run(case, limits, kernel=kernel, then=stop) for kernel in (False, True))
    assert found == expected
    assert len(found[-1]) <= leaves + 1


@TRIED
@given(cases())
def test_a_trace_sees_every_node_in_the_order_of_the_search(case: Case) -> None:
    first, second = (Noted(case.game, case.bounds) for _ in range(2))
    stance = Stance(matrix=case.matrix, label="any")
    spaces = [SearchSpace(game=case.game, evaluator=evaluator) for evaluator in (first, second)]
    report = search(spaces[0], [()], stance, Limits(depth=case.depth), prune=False)
    root = trace(spaces[1], (), stance, depth=case.depth, prune=False)
    assert first.asked == second.asked
    assert report.value.tolist() == root.value.tolist()


def leaf(*values: int, seat: int = 0) -> Node:
    return Node(seat, values)


#: Seat 0 moves, then seat 1, chance, or nobody. Whatever has children is cut off at depth 1.
MIXED = Node(
    0,
    (0, 0),
    (
        Node(1, (4, 4), (leaf(1, 5), leaf(6, 5), leaf(2, 4))),
        Node(CHANCE, (9, 9), (Node(1, (3, 0), (leaf(0, 0),)), leaf(4, 6)), (1, 3)),
        leaf(2, 2),
    ),
)


@pytest.mark.parametrize(
    ("matrix", "depth", "value", "line", "nodes"),
    [
        # The horizon is behind chance: its outcomes are looked at.
        ([[1, 0], [0, 1]], 1, [4.0, 4.0], (0,), 6),
        # Seat 1 takes the first of two that tie, and so chance is better for seat 0.
        ([[1, 0], [0, 1]], 2, [3.0, 4.5], (1,), 10),
        # Seat 1 cares for nothing, and takes the first.
        ([[1, 0], [0, 0]], 2, [3.0, 4.5], (1,), 10),
        ([[0, 1], [0, 0]], 2, [1.0, 5.0], (0, 0), 10),
        # Who wants others to lose, and a sum of both.
        ([[0, 1], [-1, 0]], 2, [1.0, 5.0], (0, 0), 10),
        ([[1, 1], [1, 1]], 2, [6.0, 5.0], (0, 1), 10),
        # Nobody cares.
        ([[0, 0], [0, 0]], 2, [1.0, 5.0], (0, 0), 10),
    ],
)
def test_rows_of_leaves_of_every_kind(
    matrix: list[list[float]], depth: int, value: list[float], line: tuple[int, ...], nodes: int
) -> None:
    game = DrawnTree(MIXED, players=2, lists_chance=True)
    space = SearchSpace(game=game, evaluator=NodeValues(game, Bounds(least=0, greatest=9)))
    stance = Stance(matrix=np.array(matrix, dtype=float), label="any")
    report = search(space, [()], stance, Limits(depth=depth), prune=False)
    assert (report.value.tolist(), report.line, report.nodes) == (value, line, nodes)


@pytest.mark.parametrize("prune", [False, True])
def test_a_line_is_as_long_as_is_kept(prune: bool) -> None:
    tree: Any = [1, 2]
    for _ in range(LINE + 9):
        tree = (0, tree)
    game = WrittenTree(tree, players=2)
    space = SearchSpace(game=game, evaluator=LeafValues(game, Bounds()))
    stance = Stance(matrix=identity(2), label="maxn")
    report = search(space, [()], stance, Limits(depth=LINE + 9), prune=prune)
    assert report.line == (0,) * (1 + LINE)


@pytest.mark.parametrize("prune", [False, True])
def test_a_seat_without_moves_is_an_error(prune: bool) -> None:
    game = WrittenTree((0, (1,), [1, 2]), players=2)
    space = SearchSpace(game=game, evaluator=LeafValues(game, Bounds()))
    stance = Stance(matrix=identity(2), label="maxn")
    with pytest.raises(ContractError, match="no moves for seat 1, which is to move"):
        search(space, [()], stance, Limits(depth=2), prune=prune)


def test_plans_that_prune_and_that_do_not_share_a_workspace() -> None:
    game = DrawnTree(MIXED, players=2, lists_chance=True)
    space = SearchSpace(game=game, evaluator=NodeValues(game, Bounds(least=0, greatest=9)))
    workspace = InterpretedWorkshop(space).workspace()
    plans = [make_plan(identity(2), space.evaluator.bounds, prune=prune) for prune in (True, False)]
    found: list[tuple[Ended, list[list[float]]]] = []
    for plan in plans * 2:
        moves = workspace.load((), plan, goal_of(Limits(depth=2), exact=False))
        ended = workspace.run(list(range(len(moves))), len(moves))
        found.append((ended, workspace.found(ended.bank, len(moves)).values.tolist()))
    assert found[:2] == found[2:]
    assert found[0][0].choice == found[1][0].choice
