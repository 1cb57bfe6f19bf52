"""Properties of the search, for any small tree and any matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.drawn import TRIED, Case, DrawnTree, NodeValues, cases, matrices, permuted
from support.hashtree import HashTree, hash_evaluator
from support.reference import key, preference, reference, reference_with_end

from mpsearch.contracts import Array, Limits, Report, SearchSpace, Stance
from mpsearch.search import make_engine, search


def space(case: Case) -> SearchSpace:
    return SearchSpace(game=case.game, evaluator=case.evaluator)


def stance(matrix: Array) -> Stance:
    return Stance(matrix=matrix, label="any")


def look(case: Case, limits: Limits | None = None, **keywords: Any) -> Report:
    return search(
        space(case), [()], stance(case.matrix), limits or Limits(depth=case.depth), **keywords
    )


def behind(case: Case) -> dict[int, tuple[list[float], list[int]]]:
    """The value and the line behind every root move, by the plain search."""
    found = {}
    for move in case.game.moves(()):
        value, _, line = reference(case.game, case.evaluator, (move,), case.depth - 1, case.matrix)
        found[move] = (value, line)
    return found


@TRIED
@given(cases())
def test_the_search_is_the_plain_one_with_and_without_pruning(case: Case) -> None:
    value, nodes, line = reference(case.game, case.evaluator, (), case.depth, case.matrix)
    full, pruned = look(case, prune=False), look(case)
    for report in (full, pruned):
        assert (report.value.tolist(), list(report.line)) == (value, line)
        assert report.move == line[0]
        assert report.exact
    assert full.nodes == nodes
    assert pruned.nodes <= nodes


@TRIED
@given(cases())
def test_exact_values_are_those_of_the_plain_search(case: Case) -> None:
    report = look(case, exact=True)
    found = {entry.move: (entry.value.tolist(), list(entry.line)) for entry in report.moves}
    assert found == behind(case)
    assert all(entry.exact for entry in report.moves)


@TRIED
@given(cases())
def test_what_is_not_exact_is_a_bound_that_does_not_reach_the_best(case: Case) -> None:
    """The seat that moves gets from such a move no more than is shown, and that is not more than
    the best; whatever is not marked is exact."""
    row, true = case.matrix[case.root.seat], behind(case)
    report = look(case)
    best = key(row, report.value)
    for entry in report.moves:
        value = true[entry.move][0]
        if entry.exact:
            assert entry.value.tolist() == value
        assert key(row, value) <= key(row, entry.value) <= best or entry.exact


@TRIED
@given(cases(), st.integers(0, 2**32))
def test_ties_go_to_any_of_the_best_and_to_no_other(case: Case, seed: int) -> None:
    row = case.matrix[case.root.seat]
    wanted = {}
    for move in case.game.moves(()):
        value, _, _, end = reference_with_end(
            case.game, case.evaluator, (move,), case.depth - 1, case.matrix, ply=1
        )
        wanted[move] = preference(case.evaluator, row, value, end)
    best = {move for move, merit in wanted.items() if merit == max(wanted.values())}
    assert look(case).move == min(best)
    reports = [
        look(case, limits, rng=np.random.default_rng(seed), prune=prune)
        for prune in (False, True)
        for limits in (Limits(depth=case.depth), Limits(depth=case.depth, nodes=10**9))
    ]
    assert {report.move for report in reports} <= best
    assert len({(report.move, tuple(report.value)) for report in reports}) == 1


@TRIED
@given(cases(), st.integers(1, 200))
def test_a_node_limit_gives_the_answer_of_a_whole_depth(case: Case, nodes: int) -> None:
    limited = look(case, Limits(nodes=nodes, depth=case.depth))
    whole = look(case, Limits(depth=limited.depth))
    assert (limited.move, limited.value.tolist()) == (whole.move, whole.value.tolist())
    assert 1 <= limited.depth <= case.depth


@TRIED
@given(cases(), st.data())
def test_the_length_of_a_row_says_nothing(case: Case, data: st.DataObject) -> None:
    """Halves and quarters, which lose no digit, unless an entry is so small that it counts as 0."""
    matrix = np.where(np.abs(case.matrix) < 2**-10, 0.0, case.matrix)
    sizes = [[data.draw(st.sampled_from([1.0, 0.5, 0.25, 2**-8]))] for _ in matrix]
    reports = [
        search(space(case), [()], stance(scaled), Limits(depth=case.depth))
        for scaled in (matrix, matrix * sizes)
    ]
    assert reports[0].moves == reports[1].moves
    assert reports[0].nodes == reports[1].nodes


#: Sums of these with whole values are exact in any order.
QUARTERS = st.integers(-4, 4).map(lambda n: n / 4)


@TRIED
@given(cases(entries=QUARTERS, chance=False), st.data())
def test_what_seats_are_called_says_nothing(case: Case, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(case.game.players)))
    tree = permuted(case.root, order)
    renamed = DrawnTree(tree, players=case.game.players, lists_chance=False)
    matrix = np.zeros_like(case.matrix)
    for i, row in enumerate(case.matrix):
        for j, entry in enumerate(row):
            matrix[order[i], order[j]] = entry
    first = look(case)
    second = search(
        SearchSpace(game=renamed, evaluator=NodeValues(renamed, case.bounds)),
        [()],
        stance(matrix),
        Limits(depth=case.depth),
    )
    assert second.line == first.line
    assert [second.value[order[seat]] for seat in range(len(order))] == first.value.tolist()


@TRIED
@given(
    key_=st.integers(1, 2**31 - 2),
    ends=st.sampled_from([4, 9, 50]),
    chances=st.sampled_from([0, 6]),
    levels=st.integers(2, 9),
    granular=st.booleans(),
    depth=st.integers(1, 4),
    matrix=matrices(3),
    prune=st.booleans(),
)
def test_compiled_and_interpreted_searches_report_the_same(
    key_: int,
    ends: int,
    chances: int,
    levels: int,
    granular: bool,
    depth: int,
    matrix: Array,
    prune: bool,
) -> None:
    """The same machine code searches all of these trees: their numbers are in the state."""
    game = HashTree(key_, players=3, ends=ends, chances=chances)
    evaluator = hash_evaluator(game, levels=levels, granular=granular)
    tree = SearchSpace(game=game, evaluator=evaluator)
    reports = [
        search(tree, [game.new()], stance(matrix), Limits(depth=depth), prune=prune, engine=engine)
        for engine in (make_engine(tree), make_engine(tree, interpret=True))
    ]
    assert reports[0] == reports[1]
