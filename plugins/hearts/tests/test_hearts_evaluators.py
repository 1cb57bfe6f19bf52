"""Evaluators: what they look at, their bounds, and who leads."""

from __future__ import annotations

import math
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


def test_chance_is_a_softmax_of_the_totals_that_paper_expects(make: Make, slow: type[Slow]) -> None:
    """By plain arithmetic from the values of `paper`, over deals cut short anywhere."""
    weights = {"heat": 4.0, "heat_left": 2.0, "heat_limit": 3.0}
    for options in ({}, {"limit": 40, "end": "trick"}, {"single": "yes"}):
        game = make(**options)
        for until in range(0, 52, 5):
            state, _ = slow.random_deal(game, until, until=until)
            s = game.record(state)
            s.scores[:] = [3, 17, 9, 12]
            worst = 26.0 if options.get("single") else game.limit - 1 + 26.0
            on_scale = evaluator(game, "paper").values(s.tobytes())
            totals = [worst * (1 - value / 100) for value in on_scale]
            cards = set().union(*(slow.cards_of(game, int(hand)) for hand in s.hands))
            left = sum(card[-1] == "h" for card in cards) + 13 * ("qs" in cards)
            heat = 4.0 + 2.0 * left
            if not options.get("single"):
                heat += 3.0 * max(game.limit - max(totals), 0)
            odds = [math.exp(-total / math.sqrt(heat)) for total in totals]
            found = evaluator(game, "chance", **weights).values(s.tobytes())
            assert found.sum() == pytest.approx(100)
            if min(on_scale) > 0.0:  # below, `paper` has no scale left
                expected = [100 * odd / sum(odds) for odd in odds]
                assert found.tolist() == pytest.approx(expected)


def test_a_lead_is_worth_more_to_chance_the_nearer_the_limit_is(
    make: Make, slow: type[Slow]
) -> None:
    game = make()
    s = game.record(slow.dealt(game, slow.fill()))
    value, found = evaluator(game, "chance").values, []
    for last in (30, 60, 90):
        s.scores[:] = [last - 20, last, last, last]
        found.append(value(s.tobytes())[0])
    assert 40 < found[0] < found[1] < found[2] < 100


def test_who_wins_together_shares_the_chance(make: Make, slow: type[Slow]) -> None:
    game = make(limit=20)
    s = game.record(slow.dealt(game, slow.fill()))
    s.scores[:] = [20, 4, 4, 9]
    s.hands[:] = 0
    s.mover = OVER
    assert evaluator(game, "chance").values(s.tobytes()).tolist() == [0.0, 50.0, 50.0, 0.0]


@pytest.mark.parametrize("name", ["points", "paper", "chance"])
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
    assert (found == found.max()).tolist() == (scores == scores.min()).tolist()
    assert name == "chance" or found.max() == 100.0


def test_declared_bounds(make: Make) -> None:
    assert evaluator(make(), "points").bounds.step == 0.8
    single = evaluator(make(single="yes"), "points").bounds
    assert (single.step, single.total) == (100 / 26, (300.0, 400.0))
    assert evaluator(make(), "paper").bounds.step is None


@pytest.mark.parametrize("name", ["points", "paper", "chance"])
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
