"""One test per sentence of the rules, for every flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_hearts.game import Hearts

from mpsearch import load_catalog
from mpsearch.contracts import CHANCE, OVER, State, winners
from mpsearch.errors import MoveError, UsageError

if TYPE_CHECKING:
    from .conftest import Make, Slow

CLUBS = "2c 3c 4c 5c 6c 7c 8c 9c 10c jc qc kc ac"
DIAMONDS = CLUBS.replace("c", "d")
SPADES = CLUBS.replace("c", "s")
HEARTS = CLUBS.replace("c", "h")


def first(count: int, suit: str) -> str:
    """The lowest cards of a suit."""
    return " ".join(suit.split()[:count])


def play_out(game: Hearts, state: State, seed: int = 0) -> State:
    rng = np.random.default_rng(seed)
    while game.mover(state) >= 0:
        state = game.play(state, int(rng.choice(game.moves(state))))
    return state


def scores(game: Hearts, state: State) -> list[int]:
    return [int(score) for score in game.record(state).scores]


def test_the_game_begins_with_a_deal_of_thirteen_cards_each(make: Make, slow: type[Slow]) -> None:
    game = make()
    assert game.mover(game.new()) == CHANCE
    deal = game.draw(game.new(), np.random.default_rng(1))
    hands = [slow.cards_of(game, hand) for hand in deal]
    assert [len(hand) for hand in hands] == [13] * 4
    assert set.union(*hands) == set(slow.DECK)


@pytest.mark.parametrize("holder", range(4))
def test_the_holder_of_the_two_of_clubs_leads_it(make: Make, slow: type[Slow], holder: int) -> None:
    game = make()
    hands = slow.fill(*["2c" if seat == holder else "" for seat in range(4)])
    state = slow.dealt(game, hands)
    assert game.mover(state) == holder
    assert slow.legal(game, state) == {"2c"}


def test_seats_play_in_turn_and_follow_suit_if_able(make: Make, slow: type[Slow]) -> None:
    game = make()
    state = slow.dealt(game, slow.fill("2c", "5c 9c 3d 4d"), "2c")
    assert game.mover(state) == 1
    hand = slow.cards_of(game, game.record(state).hands[1])
    assert slow.legal(game, state) == {card for card in hand if card[-1] == "c"} < hand


def test_who_cannot_follow_may_play_any_card_points_included(make: Make, slow: type[Slow]) -> None:
    game = make()
    hand = "qs ah kh " + first(10, DIAMONDS)
    hands = slow.fill("2c", hand)
    hands_left = hands[1]
    assert not any(card.endswith("c") for card in hands_left)
    state = slow.dealt(game, hands, "2c")
    assert slow.legal(game, state) == hands_left


def test_hearts_may_be_led_at_once_in_the_papers_variant(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c ac 2h", "3c", "4c", "5c")
    state = slow.dealt(game, hands, "2c", "3c", "4c", "5c")
    assert game.mover(state) == 3
    hearts = {card for card in hands[3] if card.endswith("h")}
    assert hearts
    assert hearts < slow.legal(game, state)


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_its_taker_leads(
    make: Make, slow: type[Slow]
) -> None:
    game = make()
    hands = slow.fill("2c", "9c", DIAMONDS, "3c")
    state = slow.dealt(game, hands, "2c", "9c", "ad", "3c")
    assert game.mover(state) == 1


def test_a_heart_costs_one_and_the_queen_of_spades_thirteen(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c", "qs " + first(12, DIAMONDS), HEARTS, "ac")
    state = slow.dealt(game, hands, "2c", "qs", "5h", "ac")
    assert game.record(state).points.tolist() == [0, 0, 0, 14]


def test_a_deal_gives_26_points_and_scores_carry_over(make: Make) -> None:
    game = make()
    rng = np.random.default_rng(3)
    state = play_out(game, game.play(game.new(), game.draw(game.new(), rng)))
    first = scores(game, state)
    assert game.mover(state) == CHANCE
    assert sum(first) == 26
    state = play_out(game, game.play(state, game.draw(state, rng)), seed=1)
    second = scores(game, state)
    assert sum(second) == 52
    assert all(a <= b for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("limit", [14, 40, 100])
def test_the_tournament_ends_with_the_deal_in_which_somebody_reaches_the_limit(
    make: Make, limit: int
) -> None:
    game = make(limit=limit)
    rng = np.random.default_rng(limit)
    state = game.new()
    while game.mover(state) != OVER:
        assert max(scores(game, state)) < limit
        state = play_out(game, game.play(state, game.draw(state, rng)), seed=limit)
    assert max(scores(game, state)) >= limit


def test_a_score_equal_to_the_limit_ends_the_tournament(make: Make) -> None:
    rng = np.random.default_rng(3)
    deal = make().draw(make().new(), rng)
    final = play_out(make(), make().play(make().new(), deal))
    reached = max(scores(make(), final))
    for limit, end in ((reached, OVER), (reached + 1, CHANCE)):
        game = make(limit=limit)
        assert game.mover(play_out(game, game.play(game.new(), deal))) == end


def test_end_trick_ends_the_tournament_in_mid_deal(make: Make, slow: type[Slow]) -> None:
    """The queen of spades in the first trick is 13 points for seat 2, who has 90."""
    hands = slow.fill("2c", "qs 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd kd", "ac", "3c")
    ends = {}
    for end in ("trick", "deal"):
        game = make(end=end)
        s = game.record(slow.dealt(game, hands))
        s.scores[:] = [80, 70, 90, 71]
        state = s.tobytes()
        for card in ("2c", "qs", "ac"):
            state = game.play(state, game.read(card))
        assert game.mover(state) == 3
        ends[end] = game.play(state, game.read("3c")), game
    state, game = ends["trick"]
    assert game.mover(state) == OVER
    assert scores(game, state) == [80, 70, 103, 71]
    assert winners(game.payoff(state)) == [1]
    for offer in load_catalog().evaluators["hearts"].values():
        evaluator = offer.make(game)
        values = evaluator.values(state)
        assert values.argmax() == 1
        assert values.tolist().count(100.0) == 1
        # Cards that nobody plays any more are worth nothing: the scores alone order the rest,
        # unless the winner has all that there is to share out.
        if evaluator.bounds.total is None:
            assert values[3] > values[0] > values[2]
    state, game = ends["deal"]
    assert game.mover(state) == 2


def test_without_end_a_tournament_ends_with_the_deal(make: Make) -> None:
    """Records from before the option lack it, and keep their meaning."""
    for preset in ("papers", "standard"):
        assert make(preset=preset).variant.end == make(preset=preset, end="deal").variant.end


def test_the_lowest_score_wins(make: Make) -> None:
    game = make(limit=26)
    state = game.new()
    rng = np.random.default_rng(5)
    while game.mover(state) != OVER:
        state = play_out(game, game.play(state, game.draw(state, rng)))
    final = scores(game, state)
    assert winners(game.payoff(state)) == [s for s in range(4) if final[s] == min(final)]


def test_single_ends_after_one_deal(make: Make) -> None:
    game = make(single="yes")
    state = game.play(game.new(), game.draw(game.new(), np.random.default_rng(5)))
    state = play_out(game, state)
    assert game.mover(state) == OVER
    assert sum(scores(game, state)) == 26


# Breaking hearts.


def test_breaking_forbids_leading_hearts_before_one_was_played(
    make: Make, slow: type[Slow]
) -> None:
    game = make(breaking="yes")
    hands = slow.fill("2c", "3c", "4c", "5c")
    state = slow.dealt(game, hands, "2c", "3c", "4c", "5c")
    assert slow.legal(game, state) == {c for c in hands[3] - {"5c"} if not c.endswith("h")}


def test_breaking_allows_hearts_once_one_was_thrown_off(make: Make, slow: type[Slow]) -> None:
    game = make(breaking="yes")
    hands = slow.fill("2c", f"{first(11, DIAMONDS)} 3h 4h", "4c", "5c 2h")
    state = slow.dealt(game, hands, "2c", "3h", "4c", "5c")
    assert slow.legal(game, state) == hands[3] - {"5c"}


def test_the_queen_of_spades_does_not_break_hearts(make: Make, slow: type[Slow]) -> None:
    game = make(breaking="yes")
    hands = slow.fill("2c", f"{first(11, DIAMONDS)} 3s qs", "4c", "5c 2h")
    state = slow.dealt(game, hands, "2c", "qs", "4c", "5c")
    assert "2h" not in slow.legal(game, state)


def test_breaking_lets_a_hand_of_hearts_lead_them(make: Make, slow: type[Slow]) -> None:
    game = make(breaking="yes")
    hands = slow.fill("2c 3c", "5c 6c", "4c 7c", f"ac {first(12, HEARTS)}")
    state = slow.dealt(game, hands, "2c", "5c", "4c", "ac")
    assert slow.legal(game, state) == hands[3] - {"ac"}


# A safe first trick.


def test_safe_first_forbids_points_in_the_first_trick(make: Make, slow: type[Slow]) -> None:
    game = make(safe_first="yes")
    hands = slow.fill("2c", f"{first(10, DIAMONDS)} qs 3h 4h", "4c", "5c")
    state = slow.dealt(game, hands, "2c")
    assert slow.legal(game, state) == {c for c in hands[1] if not slow.is_penalty(c)}


def test_safe_first_lets_a_hand_of_points_play_them(make: Make, slow: type[Slow]) -> None:
    game = make(safe_first="yes")
    hands = slow.fill("2c", f"qs {first(12, HEARTS)}", "4c", "5c")
    assert len(hands[1]) == 13
    state = slow.dealt(game, hands, "2c")
    assert slow.legal(game, state) == hands[1]


def test_safe_first_does_not_bind_in_the_second_trick(make: Make, slow: type[Slow]) -> None:
    game = make(safe_first="yes")
    hands = slow.fill("2c ac", f"{first(9, DIAMONDS)} 3c qs 3h 4h", "4c kc", "5c qc")
    state = slow.dealt(game, hands, "2c", "3c", "4c", "5c")
    assert game.mover(state) == 3
    state = slow.dealt(game, hands, "2c", "3c", "4c", "5c", "qc", "ac")
    assert {"qs", "3h"} < slow.legal(game, state)


# The moon.

MOON = "ah 2h 3h 3c", [23, 0, 0, 0]


def last_trick(game: Hearts, slow: type[Slow], cards: str, points: list[int]) -> list[int]:
    """Scores after the last trick of a deal, led by seat 0; `points` were taken before it."""
    s = game.record(game.new())
    s.hands[:] = slow.to_deal(game, [{card} for card in cards.split()])
    s.points[:] = points
    s.count, s.mover = 48, 0
    state = s.tobytes()
    for card in cards.split():
        state = game.play(state, game.read(card))
    return scores(game, state)


def test_without_moon_all_points_are_just_points(make: Make, slow: type[Slow]) -> None:
    assert last_trick(make(single="yes"), slow, *MOON) == [26, 0, 0, 0]


def test_moon_add_gives_everybody_else_26(make: Make, slow: type[Slow]) -> None:
    assert last_trick(make(single="yes", moon="add"), slow, *MOON) == [0, 26, 26, 26]


def test_moon_subtract_takes_26_from_the_shooter(make: Make, slow: type[Slow]) -> None:
    assert last_trick(make(single="yes", moon="subtract"), slow, *MOON) == [-26, 0, 0, 0]


def test_25_points_are_no_moon(make: Make, slow: type[Slow]) -> None:
    game = make(single="yes", moon="add")
    assert last_trick(game, slow, "ac 2h 3c 4c", [24, 1, 0, 0]) == [25, 1, 0, 0]


# The jack of diamonds.


@pytest.mark.parametrize(("jack", "expected"), [("yes", -10), ("no", 0)])
def test_the_jack_of_diamonds_takes_ten_from_its_taker(
    make: Make, slow: type[Slow], jack: str, expected: int
) -> None:
    game = make(single="yes", jack=jack)
    assert last_trick(game, slow, "2d jd ad 3c", [26, 0, 0, 0]) == [26, 0, expected, 0]


def test_the_jack_is_no_part_of_the_moon(make: Make, slow: type[Slow]) -> None:
    game = make(single="yes", jack="yes", moon="add")
    assert last_trick(game, slow, "2d jd ad 3c", [26, 0, 0, 0]) == [0, 26, 16, 26]


# Passing.


@pytest.mark.parametrize(("passing", "step"), [("left", 1), ("across", 2), ("right", 3)])
def test_three_cards_go_to_the_seat_on_that_side(
    make: Make, slow: type[Slow], passing: str, step: int
) -> None:
    game = make(passing=passing)
    hands = slow.fill("2c", "qs", "ah", "ad")
    state = slow.dealt(game, hands)
    chosen = []
    for seat in range(4):
        cards = sorted(hands[seat])[:3]
        for card in cards:
            assert game.mover(state) == seat
            assert slow.legal(game, state) == hands[seat] - set(cards[: cards.index(card)])
            state = game.play(state, game.read(card))
        chosen.append(set(cards))
    s = game.record(state)
    for seat in range(4):
        expected = (hands[seat] - chosen[seat]) | chosen[(seat - step) % 4]
        assert slow.cards_of(game, s.hands[seat]) == expected
    holder = next(seat for seat in range(4) if int(s.hands[seat]) & 1)
    assert game.mover(state) == holder
    assert slow.legal(game, state) == {"2c"}


def test_hands_change_only_when_all_have_passed(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")
    hands = slow.fill()
    state = slow.dealt(game, hands)
    for _ in range(11):
        state = game.play(state, game.moves(state)[0])
        s = game.record(state)
        assert [slow.cards_of(game, hand) for hand in s.hands] == hands


def test_the_cycle_is_left_right_across_hold(make: Make) -> None:
    game = make(passing="cycle", limit=10_000)
    rng = np.random.default_rng(2)
    state = game.new()
    seen = []
    for _ in range(5):
        state = game.play(state, game.draw(state, rng))
        s = game.record(state)
        seen.append(int(s.direction))
        assert (s.count < 0) == (s.direction > 0)
        state = play_out(game, state)
    assert seen == [1, 3, 2, 0, 1]


def test_nothing_is_passed_in_the_papers_variant(make: Make, slow: type[Slow]) -> None:
    game = make()
    assert slow.legal(game, slow.dealt(game, slow.fill())) == {"2c"}


# Presets and options.


def test_standard_is_the_game_people_know(make: Make) -> None:
    variant = make(preset="standard").variant
    assert (variant.passing, variant.moon) == ("cycle", "add")
    assert (variant.breaking, variant.safe_first) == ("yes", "yes")
    assert (variant.jack, variant.single) == ("no", "no")


def test_a_flag_departs_from_its_preset(make: Make) -> None:
    variant = make(preset="standard", moon="none", jack="yes").variant
    assert (variant.moon, variant.jack, variant.passing) == ("none", "yes", "cycle")


def test_hearts_is_a_game_for_four(make: Make) -> None:
    with pytest.raises(UsageError, match="4"):
        make(players=3)


def test_an_unknown_moon_is_refused(make: Make) -> None:
    with pytest.raises(UsageError, match="one of preset, none, add, subtract"):
        make(moon="full")


def test_a_deal_in_the_middle_of_a_deal_is_refused(make: Make, slow: type[Slow]) -> None:
    game = make()
    state = slow.dealt(game, slow.fill())
    with pytest.raises(MoveError, match="between deals"):
        game.play(state, slow.to_deal(game, slow.fill()))


def test_a_forced_lead_is_points_of_everybody_but_the_leader(make: Make) -> None:
    game = make(lead=20, end="trick")
    assert game.record(game.new()).scores.tolist() == [0, 20, 20, 20]
    other = make(lead=20, leader=2)
    assert other.record(other.new()).scores.tolist() == [20, 20, 0, 20]
    assert make().record(make().new()).scores.tolist() == [0, 0, 0, 0]
    with pytest.raises(UsageError, match="lead=30: must be below the limit, which is 30"):
        make(lead=30, limit=30)
