"""The box of `distance`: no line of play leaves it, and a search with it visits less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_quoridor.evaluators import make_distance
from support.plain import fewer

from mpsearch.contracts import OVER, Limits, SearchSpace, Stance
from mpsearch.search import search
from mpsearch.social import identity, random_matrix

if TYPE_CHECKING:
    from .conftest import NewGame, SlowQuoridor

#: Pawns side by side in the middle: jumps and side-steps all around, with walls and without.
CROWDS = {
    2: ["c3,c4 2,2 - 0", "c3,c4 0,0 - 1", "c3,c4 0,2 b3h 0"],
    3: ["c3,c4,d3 2,0,2 - 0", "c3,b3,c4 0,0,0 c4h 1"],
    4: ["c3,b3,c4,d3 1,1,1,1 - 0", "c3,b3,c4,d3 0,0,0,0 b4h 2", "c2,b3,d4,d3 0,2,0,0 - 3"],
}


@pytest.mark.parametrize("players", CROWDS)
def test_no_line_of_the_slow_rules_leaves_the_box(
    new_game: NewGame, slow: type[SlowQuoridor], players: int
) -> None:
    game = new_game(players, size=5)
    evaluator = make_distance(game)
    far = 3 * (game.size - 1)
    rng = np.random.default_rng(players)
    touched = 0
    for text in CROWDS[players]:
        start = game.from_position(text)
        for depth in (1, 2, 3, 5, 9):
            low, high = evaluator.box(start, depth)
            for _ in range(25):
                state = start
                for _ in range(int(rng.integers(depth + 1))):
                    if game.mover(state) == OVER:
                        break
                    state = game.play(state, rng.choice(game.moves(state)))
                position = slow.at(game, state)
                for seat in range(players):
                    distance = position.distance(seat)
                    assert distance is not None
                    value = 100 * (far - min(distance, far)) / far
                    assert low[seat] - 1e-9 <= value <= high[seat] + 1e-9
                    touched += abs(value - high[seat]) < 1e-9
    assert touched  # a box that nothing ever reaches would be too wide


def test_without_walls_and_turns_a_distance_stays(new_game: NewGame) -> None:
    game = new_game(4, size=7)
    start = game.from_position("d1,a4,d7,g4 0,0,0,0 - 0")
    low, high = make_distance(game).box(start, 2)
    now = make_distance(game).values(start)
    moved = np.array([100 / 18, 100 / 18, 0, 0])
    # Two move by one square each; nobody can come near them in time to be jumped over.
    assert low[:4] == pytest.approx(now - moved)
    assert high[:4] == pytest.approx(now + moved)


def test_with_walls_to_come_only_the_greatest_value_is_bounded(new_game: NewGame) -> None:
    game = new_game(4, size=7)
    start = game.from_position("d1,a4,d7,g4 1,0,0,0 - 0")
    low, high = make_distance(game).box(start, 2)
    moved = np.array([100 / 18, 100 / 18, 0, 0])
    assert low[:4].tolist() == [0, 0, 0, 0]
    assert high[:4] == pytest.approx(make_distance(game).values(start) + moved)


@pytest.mark.parametrize("kind", ["maxn", "random"])
def test_a_search_with_boxes_finds_the_same_with_fewer_nodes(new_game: NewGame, kind: str) -> None:
    game = new_game(4, size=5)
    space = SearchSpace(game=game, evaluator=make_distance(game))
    rng = np.random.default_rng(3)
    before = after = 0
    for text in CROWDS[4]:
        state = game.from_position(text)
        matrix = identity(4) if kind == "maxn" else random_matrix(4, rng)
        stance = Stance(matrix=matrix, label=kind)
        limits = Limits(depth=fewer(4, 3))
        plain = search(space, [state], stance, limits, local=frozenset())
        boxed = search(space, [state], stance, limits)
        assert (boxed.move, boxed.line) == (plain.move, plain.line)
        assert boxed.value.tolist() == plain.value.tolist()
        before += plain.nodes
        after += boxed.nodes
    assert after < 0.9 * before
