"""Evaluators: what they look at, their bounds, and who leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_hearts.evaluators import danger
from mpsearch_hearts.game import Hearts

from mpsearch import load_catalog
from mpsearch.contracts import OVER, Evaluator, Situation

if TYPE_CHECKING:
    from .conftest import Make, Slow

FEATURES = ("take", "duck", "queen", "over_queen", "void", "ranks")


def evaluator(game: Hearts, name: str, **weights: float) -> Evaluator:
    return load_catalog().evaluator_offer("hearts", name).make(game, **weights)


def slow_features(hand: set[str], others: set[str], slow: type[Slow]) -> dict[str, int]:
    """The features as sentences, one card at a time."""
    order = [card[:-1] for card in slow.DECK[:13]]
    rank = {card: order.index(card[:-1]) for card in slow.DECK}
    found = dict.fromkeys(FEATURES, 0)
    for card in hand:
        same = [other for other in others if other[-1] == card[-1]]
        found["take"] += bool(same) and all(rank[card] > rank[other] for other in same)
        found["duck"] += bool(same) and all(rank[card] < rank[other] for other in same)
        found["ranks"] += rank[card] - 6
    found["queen"] = int("qs" in hand)
    found["over_queen"] = len(hand & {"ks", "as"}) if "qs" in others else 0
    for suit in "cdsh":
        mine = any(card[-1] == suit for card in hand)
        found["void"] += not mine and any(card[-1] == suit for card in others)
    return found


def test_features_are_what_they_say(make: Make, slow: type[Slow]) -> None:
    game = make()
    for until in range(0, 52, 3):
        state, _ = slow.random_deal(game, until, until=until)
        hands = [int(hand) for hand in game.record(state).hands]
        for seat, hand in enumerate(hands):
            others = sum(hands) - hand
            expected = slow_features(slow.cards_of(game, hand), slow.cards_of(game, others), slow)
            for k, name in enumerate(FEATURES):
                weights = np.zeros(8)
                weights[2 + k] = 1.0
                assert danger(hand, others, weights) == expected[name], (name, seat, until)


def test_points_go_from_100_for_none_to_0_for_the_worst_end_of_a_deal(
    make: Make, slow: type[Slow]
) -> None:
    game = make(limit=25)
    state = slow.dealt(game, slow.fill())
    s = game.record(state)
    s.scores[:] = [0, 10, 24, 20]
    s.points[:] = [1, 0, 25, 0]
    values = evaluator(game, "points").values(s.tobytes())
    assert values.tolist() == [98.0, 80.0, 2.0, 60.0]


def test_the_trick_on_the_table_counts_for_who_is_taking_it(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c", "qs 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd kd", "ac", "3c")
    values = evaluator(game, "points").values
    assert values(slow.dealt(game, hands, "2c", "qs")).tolist() == [89.6, 100.0, 100.0, 100.0]
    state = slow.dealt(game, hands, "2c", "qs", "ac")
    assert values(state).tolist() == [100.0, 100.0, 89.6, 100.0]


def test_the_points_to_come_are_shared_out_completely(make: Make, slow: type[Slow]) -> None:
    """26 points of a deal, each worth 100 / 125."""
    game = make()
    values = evaluator(game, "paper").values
    for until in (0, 4, 13, 30):
        state, _ = slow.random_deal(game, until, until=until)
        assert values(state).sum() == pytest.approx(400 - 26 * 0.8)


def test_a_seat_that_is_about_to_lose_still_tells_points_apart(
    make: Make, slow: type[Slow]
) -> None:
    game = make()
    for name in ("points", "paper"):
        s = game.record(slow.dealt(game, slow.fill()))
        s.scores[0] = 99
        before = evaluator(game, name).values(s.tobytes())[0]
        s.points[0] = 10
        assert 0 < evaluator(game, name).values(s.tobytes())[0] < before


@pytest.mark.parametrize("name", ["points", "paper"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"single": "yes"},
        {"preset": "standard", "jack": "yes", "moon": "subtract"},
        {"end": "trick"},
        {"end": "trick", "single": "yes", "limit": 9},
    ],
)
def test_values_keep_bounds_sum_and_grid_to_the_end_of_the_game(
    make: Make, name: str, options: dict[str, str]
) -> None:
    game = make(**options)
    values = evaluator(game, name)
    bounds = values.bounds
    rng = np.random.default_rng(6)
    state = game.new()
    while True:
        found = values.values(state)
        assert found.min() >= bounds.least
        assert found.max() <= bounds.greatest
        if bounds.total is not None:
            assert bounds.total[0] - 1e-9 <= found.sum() <= bounds.total[1] + 1e-9
        if bounds.step is not None:
            steps = (found - bounds.least) / bounds.step
            assert np.allclose(steps, np.round(steps), atol=1e-9)
        if game.mover(state) == OVER:
            break
        chance = game.mover(state) < 0
        move = game.draw(state, rng) if chance else int(rng.choice(game.moves(state)))
        state = game.play(state, move)
    scores = game.record(state).scores
    assert (found == 100.0).tolist() == (scores == scores.min()).tolist()


def test_declared_bounds(make: Make) -> None:
    assert evaluator(make(), "points").bounds.step == 0.8
    single = evaluator(make(single="yes"), "points").bounds
    assert (single.step, single.total) == (100 / 26, (300.0, 400.0))
    assert evaluator(make(), "paper").bounds.step is None


@pytest.mark.parametrize("name", ["points", "paper"])
def test_mpmix_sees_a_leader_in_the_tournament_scores(
    make: Make, slow: type[Slow], name: str
) -> None:
    game = make()
    s = game.record(slow.dealt(game, slow.fill()))
    mix = load_catalog().propagators["mpmix"].make(td=15.0, to=15.0)
    value = evaluator(game, name).values

    def label(scores: list[int]) -> tuple[str, int | None]:
        s.scores[:] = scores
        stance = mix.stance(Situation(root=0, value=value(s.tobytes()), beliefs=np.eye(4)))
        return stance.label, stance.target

    assert label([10, 50, 60, 55]) == ("paranoid", None)
    assert label([60, 55, 10, 50]) == ("offensive", 2)
    assert label([30, 30, 30, 30]) == ("maxn", None)
