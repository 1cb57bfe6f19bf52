"""Pruning with local boxes gives the value, move and line of the plain search, and visits less."""

import numpy as np
import pytest
from support.hashtree import EVALUATORS, HashTree, hash_evaluator
from support.matrices import MATRICES
from support.problems import Box, drawn_problems
from support.reference import reference, result

from mpsearch.contracts import Array, Limits, SearchSpace, Stance
from mpsearch.jit import jit_enabled
from mpsearch.search import make_engine, search
from mpsearch.search.pruning.local_plan import LOCAL_TECHNIQUES
from mpsearch.search.tree import engine as engine

SEATS = (2, 3, 4)
#: Plain Python takes a minute for some that machine code searches at once.
TREES_EACH = 9 if jit_enabled() else 3


def tight_or_loose(rng: np.random.Generator, _: int) -> Box:
    """Boxes that are tight, loose, for some seats only, with a total."""
    return float(rng.choice([0, 0, 1, 2])), bool(rng.integers(2)), bool(rng.integers(2))


def trees(kind: str, evaluator: str, players: int) -> list[tuple[SearchSpace, Array, int]]:
    return drawn_problems(
        *(kind, evaluator, players),
        count=TREES_EACH,
        salt=[7],
        chances=[0, 0, 3, 6],
        most=5,
        box=tight_or_loose,
    )


@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("kind", MATRICES)
def test_local_bounds_change_nothing(
    kind: str, evaluator: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, (space, matrix, depth) in enumerate(trees(kind, evaluator, players)):
        # A box at every node, or only where it pays: the result must be the same.
        monkeypatch.setattr(engine, "NEAREST", 1 + number % 2)
        start = space.game.new()
        stance = Stance(matrix=matrix, label=kind)
        limits = Limits(depth=depth)
        value, nodes, line = reference(space.game, space.evaluator, start, depth, matrix)
        pruned = search(space, [start], stance, limits)
        assert result(pruned) == (line[0], value, tuple(line))
        assert pruned.nodes <= nodes
        plain = make_engine(space, interpret=True)
        assert search(space, [start], stance, limits, engine=plain) == pruned
        deepened = search(space, [start], stance, Limits(depth=depth, nodes=10**9))
        assert (deepened.move, deepened.value.tolist()) == (line[0], value)


#: Technique: a matrix, an evaluator and how often chance decides, where it must cut by itself.
CUTS = {
    "immediate": ("maxn", "fine", 0),
    "futility": ("maxn", "fine", 0),
    "shallow": ("random", "shared fine sum", 0),
    "chance": ("paranoid", "fine", 3),
}


def test_every_technique_has_a_case() -> None:
    assert set(CUTS) == LOCAL_TECHNIQUES


@pytest.mark.parametrize("technique", CUTS)
def test_each_technique_cuts_nodes_by_itself(technique: str) -> None:
    kind, evaluator, chances = CUTS[technique]
    rng = np.random.default_rng(3)
    without = alone = together = 0
    # As plain Python trees with chance nodes would take minutes.
    depth = 5 if jit_enabled() or not chances else 4
    for _ in range(12):
        game = HashTree(
            int(rng.integers(1, 2**31)), players=3, ends=50, chances=chances, in_turn=True
        )
        values = hash_evaluator(game, box=(0.0, False, True), **EVALUATORS[evaluator])
        space = SearchSpace(game=game, evaluator=values)
        stance = Stance(matrix=MATRICES[kind](3, rng), label=kind)
        run = {
            name: search(space, [game.new()], stance, Limits(depth=depth), local=local)
            for name, local in {
                "without": frozenset(),
                "alone": frozenset({technique}),
                "together": LOCAL_TECHNIQUES,
            }.items()
        }
        assert len({str(result(report)) for report in run.values()}) == 1
        without += run["without"].nodes
        alone += run["alone"].nodes
        together += run["together"].nodes
    print(f"{technique}: {alone} of {without} nodes, all together {together}")
    assert alone < without
    assert together <= alone


def test_an_unknown_technique_is_named() -> None:
    game = HashTree(5, players=2)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game, box=(0.0, False, True)))
    with pytest.raises(ValueError, match="'guessing'"):
        search(
            space,
            [game.new()],
            Stance(matrix=np.eye(2), label="any"),
            Limits(depth=1),
            local=frozenset({"guessing"}),
        )
