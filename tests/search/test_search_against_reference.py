"""Compiled, interpreted and plain recursive search agree on every tree and every matrix."""

import numpy as np
import pytest
from support.hashtree import EVALUATORS
from support.matrices import MATRICES
from support.problems import drawn_problems
from support.reference import preference, reference, reference_with_end, result

from mpsearch.contracts import Array, Limits, SearchSpace, Stance
from mpsearch.search import make_engine, make_plan, search
from mpsearch.search.deadline import Watch
from mpsearch.search.ties import Ties
from mpsearch.search.world_search import search_world

TREES_EACH = 6


def trees(kind: str, evaluator: str, players: int) -> list[tuple[SearchSpace, Array, int]]:
    return drawn_problems(kind, evaluator, players, count=TREES_EACH)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("kind", MATRICES)
def test_all_searches_agree(kind: str, evaluator: str, players: int) -> None:
    for space, matrix, depth in trees(kind, evaluator, players):
        start = space.game.new()
        stance = Stance(matrix=matrix, label=kind)
        limits = Limits(depth=depth)
        value, nodes, line = reference(space.game, space.evaluator, start, depth, matrix)
        expected = (line[0], value, tuple(line))
        plain = make_engine(space, interpret=True)
        full = search(space, [start], stance, limits, prune=False)
        assert result(full) == expected
        assert full.nodes == nodes
        slow = search(space, [start], stance, limits, prune=False, engine=plain)
        assert (result(slow), slow.nodes) == (expected, nodes)
        assert slow == full
        pruned = search(space, [start], stance, limits)
        assert result(pruned) == expected, f"{pruned.pruning} pruning changed the result"
        assert pruned.nodes <= nodes
        slow_pruned = search(space, [start], stance, limits, engine=plain)
        assert slow_pruned == pruned


@pytest.mark.parametrize("evaluator", ["thirds", "granular tenths", "shared tenths", "two values"])
@pytest.mark.parametrize("kind", MATRICES)
def test_a_move_can_be_chosen_if_it_ties_for_the_best_in_exact_arithmetic(
    kind: str, evaluator: str
) -> None:
    """Preferred among equals, every move of the tie set is chosen, and no other ever is."""
    for space, matrix, depth in trees(kind, evaluator, 3):
        game, start = space.game, space.game.new()
        keys = {}
        for move in game.moves(start):
            after = game.play(start, move)
            value, _, _, end = reference_with_end(
                game, space.evaluator, after, depth - 1, matrix, ply=1
            )
            keys[move] = preference(space.evaluator, matrix[game.mover(start)], value, end)
        plan = make_plan(matrix, space.evaluator.bounds, lists_chance=game.lists_chance)
        for engine in (make_engine(space), make_engine(space, interpret=True)):
            chosen = set()
            for preferred in keys:
                ties = Ties()
                ties.draw([preferred, *keys])
                found = search_world(
                    engine.workspace(),
                    start,
                    Watch(),
                    plan=plan,
                    limits=Limits(depth=depth, nodes=10**9),
                    ties=ties,
                )
                assert found is not None
                chosen.add(found.move)
            assert chosen == {move for move in keys if keys[move] == max(keys.values())}


@pytest.mark.parametrize("kind", MATRICES)
def test_random_ties_and_deepening_change_nothing_else(kind: str) -> None:
    """With shuffled ties, pruned and full search still choose alike, whatever is tried first."""
    for space, matrix, _ in trees(kind, "two values", 4):
        start = space.game.new()
        stance = Stance(matrix=matrix, label=kind)
        for seed in range(3):
            reports = [
                search(space, [start], stance, limits, prune=prune, rng=np.random.default_rng(seed))
                for prune in (False, True)
                for limits in (Limits(depth=4), Limits(depth=4, nodes=10**9))
            ]
            assert len({(r.move, tuple(r.value)) for r in reports}) == 1


@pytest.mark.parametrize("kind", ["maxn", "paranoid", "random", "nearly single column"])
def test_exact_values_are_those_of_the_reference(kind: str) -> None:
    for space, matrix, depth in trees(kind, "shared sum", 3):
        game, start = space.game, space.game.new()
        stance = Stance(matrix=matrix, label=kind)
        report = search(space, [start], stance, Limits(depth=depth), exact=True)
        for entry in report.moves:
            after = game.play(start, entry.move)
            value, _, line = reference(game, space.evaluator, after, depth - 1, matrix)
            assert (entry.value.tolist(), list(entry.line)) == (value, line)
            assert entry.exact


def test_bounds_are_marked_and_true() -> None:
    """A value that is not marked as a bound is the exact one."""
    marked = 0
    for kind in ("paranoid", "maxn", "random"):
        for space, matrix, _ in trees(kind, "shared sum", 3):
            start = space.game.new()
            stance = Stance(matrix=matrix, label=kind)
            pruned = search(space, [start], stance, Limits(depth=4))
            exact = search(space, [start], stance, Limits(depth=4), exact=True)
            for found, true in zip(pruned.moves, exact.moves, strict=True):
                marked += not found.exact
                if found.exact:
                    assert found.value.tolist() == true.value.tolist()
    assert marked > 0


CUTS = {
    # kind of pruning: matrix, evaluator, and the pruning that must be chosen
    "deep": ("paranoid", "fine", "deep"),
    "deep where others break ties": ("nearly single column", "granular", "deep"),
    "shallow": ("maxn", "shared fine sum", "shallow"),
    "shallow for any matrix": ("random", "shared fine sum", "shallow"),
    "immediate": ("maxn", "two values", "shallow"),
}


@pytest.mark.parametrize("cut", CUTS)
def test_each_kind_of_pruning_cuts_nodes(cut: str) -> None:
    kind, evaluator, pruning = CUTS[cut]
    full_nodes = pruned_nodes = 0
    for space, matrix, _ in trees(kind, evaluator, 3):
        if space.game.lists_chance:
            continue
        start = space.game.new()
        stance = Stance(matrix=matrix, label=kind)
        pruned = search(space, [start], stance, Limits(depth=6))
        assert pruned.pruning == pruning
        pruned_nodes += pruned.nodes
        full_nodes += search(space, [start], stance, Limits(depth=6), prune=False).nodes
    print(f"{cut}: {pruned_nodes} of {full_nodes} nodes")
    assert pruned_nodes < full_nodes
