"""Evaluators against their definitions, computed from the slow rules' distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import pytest
from mpsearch_quoridor.evaluators import make_distance, make_margin, make_path_difference
from mpsearch_quoridor.features import make_features
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.options import FEATURE_WEIGHTS
from mpsearch_quoridor.walkers import make_random_walkers
from support.plain import fewer

from mpsearch.contracts import CompiledEvaluator

if TYPE_CHECKING:
    from .conftest import NewGame, RandomStates, SlowQuoridor


class Walkers(TypedDict):
    walks: int
    forward: float
    walk_seed: int


WALKERS: Walkers = {"walks": fewer(64, 16), "forward": 0.5, "walk_seed": 0}
NO_WEIGHTS = dict.fromkeys(FEATURE_WEIGHTS, 0.0)


def one_feature(game: Quoridor, name: str) -> CompiledEvaluator:
    return make_features(game, **WALKERS, **{**NO_WEIGHTS, name: 1.0})


def expected_distance(far: int, d: list[int]) -> list[float]:
    return [100 * (far - own) / far for own in d]


def expected_margin(far: int, d: list[int]) -> list[float]:
    others = [(sum(d) - own) / (len(d) - 1) for own in d]
    return [50 + 50 * (other - own) / far for own, other in zip(d, others, strict=True)]


def expected_path_difference(far: int, d: list[int]) -> list[float]:
    others = [min(d[:k] + d[k + 1 :]) for k in range(len(d))]
    return [50 + 50 * (other - own) / far for own, other in zip(d, others, strict=True)]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (make_distance, expected_distance),
        (make_margin, expected_margin),
        (make_path_difference, expected_path_difference),
    ],
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_follow_from_distances(
    new_game: NewGame,
    slow: type[SlowQuoridor],
    random_states: RandomStates,
    make: Callable[[Quoridor], CompiledEvaluator],
    expected: Callable[[int, list[int]], list[float]],
    players: int,
) -> None:
    game = new_game(players, size=5)
    evaluator = make(game)
    for state in random_states(game, games=fewer(6, 1), seed=players, walls=0.4):
        other = slow.at(game, state)
        if other.winner is None:
            far = 3 * (game.size - 1)
            distances = (other.distance(seat) for seat in range(players))
            d = [min(steps, far) for steps in distances if steps is not None]
            assert evaluator.values(state) == pytest.approx(expected(far, d))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_keep_to_the_declared_bounds(
    new_game: NewGame, random_states: RandomStates, players: int
) -> None:
    game = new_game(players, size=5)
    evaluators = {
        "distance": make_distance(game),
        "margin": make_margin(game),
        "path_difference": make_path_difference(game),
        "random_walkers": make_random_walkers(game, **WALKERS),
        "features": make_features(game, **WALKERS, **dict.fromkeys(FEATURE_WEIGHTS, 1.0)),
    }
    won = 0
    for state in random_states(game, games=fewer(8, 1), seed=players, walls=0.4):
        winner = game.record(state).winner
        for name, evaluator in evaluators.items():
            values, bounds = evaluator.values(state), evaluator.bounds
            assert values.min() >= bounds.least - 1e-9, name
            assert values.max() <= bounds.greatest + 1e-9, name
            assert bounds.total is not None, name
            low, high = bounds.total
            assert low - 1e-9 <= values.sum() <= high + 1e-9, name
            if bounds.step:
                steps = (values - bounds.least) / bounds.step
                assert steps == pytest.approx(np.round(steps), abs=1e-6), name
            if winner >= 0:
                assert values[winner] == bounds.greatest, name
                assert values.argmax() == winner, name
                won += 1
    assert won > 0


def test_walkers_depend_on_the_seed_and_on_nothing_else_outside_the_position(
    new_game: NewGame,
) -> None:
    game = new_game()
    state = game.from_position("e4,d6 5,5 e3h,c5v 0")
    first = make_random_walkers(game, **WALKERS).values(state)
    again = make_random_walkers(game, **WALKERS).values(state)
    reseeded: Walkers = {**WALKERS, "walk_seed": 1}
    other = make_random_walkers(game, **reseeded).values(state)
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_walkers_favour_the_pawn_that_is_nearer(new_game: NewGame) -> None:
    game = new_game()
    walkers = make_random_walkers(game, walks=200, forward=0.6, walk_seed=3)
    values = walkers.values(game.from_position("e6,d8 0,0 - 0"))
    assert values[0] > 75
    level = walkers.values(game.new())
    assert 35 < level[0] < 65


def test_walkers_that_only_go_forward_win_the_race_they_lead(new_game: NewGame) -> None:
    game = new_game()
    walkers = make_random_walkers(game, walks=4, forward=1.0, walk_seed=0)
    assert walkers.values(game.from_position("e5,d6 0,0 - 0")).tolist() == [100, 0]
    assert walkers.values(game.from_position("e5,d5 0,0 - 1")).tolist() == [0, 100]


def test_without_weights_all_features_are_level(new_game: NewGame) -> None:
    game = new_game(3)
    features = make_features(game, **WALKERS, **NO_WEIGHTS)
    assert features.values(game.new()).tolist() == [50, 50, 50]


@pytest.mark.parametrize(
    ("name", "position", "own"),
    [
        # Each feature is from 0 to 1; values are 50 + 50 * (own - other's).
        ("path", "e6,e7 5,5 - 0", [1 - 3 / 24, 1 - 6 / 24]),
        ("manhattan", "e6,e7 5,5 e6h,e5h 0", [1 - 3 / 8, 1 - 6 / 8]),
        ("walls_left", "e6,e7 5,2 - 0", [0.5, 0.2]),
        ("walls_before", "e6,e7 5,5 e6h,a6v,a4v,c1h 0", [1 - 2 / 4, 1 - 4 / 4]),
        ("walls_before", "e6,e7 5,5 - 0", [1, 1]),
        ("been_there", "e6,e7 5,5 - 0 100 e1,e6/e9", [0, 1]),
    ],
)
def test_each_feature_is_what_it_is_called(
    new_game: NewGame, name: str, position: str, own: list[float]
) -> None:
    game = new_game()
    values = one_feature(game, name).values(game.from_position(position))
    difference = own[0] - own[1]
    assert values == pytest.approx([50 + 50 * difference, 50 - 50 * difference])


def test_the_walkers_feature_is_the_walkers_evaluator(new_game: NewGame) -> None:
    game = new_game()
    state = game.from_position("e4,d6 5,5 e3h,c5v 0")
    share = make_random_walkers(game, **WALKERS).values(state) / 100
    values = one_feature(game, "walkers").values(state)
    assert values == pytest.approx(50 + 50 * (share - share[::-1]))


def test_going_back_is_remembered(new_game: NewGame) -> None:
    game = new_game()
    state = game.new()
    for move in ("e2", "e8", "e1"):
        state = game.play(state, game.read(move))
    assert one_feature(game, "been_there").values(state).tolist() == [0, 100]
    state = game.play(game.play(state, game.read("e9")), game.read("d1"))
    assert one_feature(game, "been_there").values(state).tolist() == [100, 0]
