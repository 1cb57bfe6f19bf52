"""Dice: the table, whole battles, whole campaigns, and what merging keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from mpsearch_risk_lite import roll
from mpsearch_risk_lite.dice import ODDS
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.odds import CONQUEST, SURVIVORS
from mpsearch_risk_lite.state import ARRIVED, BATTLE, path_of
from support.plain import fewer

from mpsearch.contracts import CHANCE, Move, State

if TYPE_CHECKING:
    from .conftest import CountThrows, NewGame, Oracle, SlowBattle, Walk

#: P(conquest) as published, from the project's reference.
PUBLISHED = {(5, 5): 0.506, (10, 10): 0.568, (10, 5): 0.916, (5, 10): 0.118, (3, 3): 0.470}


def test_dice_table_equals_a_count_of_all_throws(count_throws: CountThrows) -> None:
    for attack in (1, 2, 3):
        for defend in (1, 2):
            pairs = min(attack, defend)
            counted = count_throws(attack, defend)
            expected = [counted[0, pairs], counted.get((1, 1), 0), counted[pairs, 0]]
            if pairs == 1:
                expected[1] = 0
            assert ODDS[attack, defend].tolist() == [float(p) for p in expected]


def test_conquest_agrees_with_the_published_chances() -> None:
    for (a, d), chance in PUBLISHED.items():
        assert abs(CONQUEST[a, d] - chance) < 0.0005


def test_conquest_and_survivors_equal_slow_battles(slow_battle: SlowBattle) -> None:
    for a in range(1, 21):
        for d in range(1, 21):
            won = {left: p for (left, held), p in slow_battle(a, d).items() if held == 0}
            chance = sum(won.values())
            assert CONQUEST[a, d] == pytest.approx(chance, abs=1e-12)
            mean = sum(left * p for left, p in won.items()) / chance
            assert SURVIVORS[a, d] == pytest.approx(mean, abs=1e-9)


def test_dice_thrown_natively_are_the_same_dice(new_game: NewGame, walk: Walk) -> None:
    game, battles = new_game(players=4), 0
    for seed in range(3):
        for state, _, _ in walk(game, seed):
            s = game.record(state)
            if s.phase != BATTLE:
                continue
            battles += 1
            armies = [int(s.armies[territory]) for territory in path_of(int(s.campaign))]
            native, thrown = (np.random.default_rng([seed, battles]) for _ in range(2))
            assert game.draw(state, native) == roll.campaign(armies, thrown)
            assert native.bit_generator.state == thrown.bit_generator.state
    assert battles > 100


def test_any_generator_can_throw_the_dice(new_game: NewGame, walk: Walk) -> None:
    """Also one that compiled functions do not know."""
    game = new_game(players=3)
    rng = np.random.Generator(np.random.MT19937(3))
    battles = [state for state, _, _ in walk(game, 1) if game.record(state).phase == BATTLE]
    assert battles
    assert all(game.possible(state, game.draw(state, rng)) for state in battles[:20])


@pytest.mark.parametrize(("a", "d"), [(1, 1), (3, 3), (5, 10), (10, 5), (20, 20), (20, 13)])
def test_thrown_dice_agree_with_the_conquest_table(a: int, d: int) -> None:
    rng = np.random.default_rng(20 * a + d)
    games = 2000
    won = sum(roll.battle(a, d, rng)[1] == 0 for _ in range(games))
    p = CONQUEST[a, d]
    assert abs(won / games - p) < 4 * np.sqrt(p * (1 - p) / games)


def _battles(game: RiskLite, walk: Walk, seed: int, most: int) -> list[State]:
    """States of a random game in which a campaign is being fought."""
    found = (s for s, _, _ in walk(game, seed) if game.mover(s) == CHANCE and s != game.new())
    return [state for state, _ in zip(found, range(most), strict=False)]


def _means(outcomes: Sequence[tuple[Move, float]]) -> tuple[float, float, float]:
    """Chance of arriving, and means of the armies that attack and defend at the end."""
    arrived = sum(p for x, p in outcomes if x > 0)
    attackers = sum(p * (x - ARRIVED) for x, p in outcomes if x > 0)
    defenders = sum(p * -x for x, p in outcomes if x < 0)
    return arrived, attackers, defenders


def test_a_state_lists_the_full_distribution_of_a_campaign(
    new_game: NewGame, walk: Walk, oracle: type[Oracle]
) -> None:
    game = new_game(map="woodland", players=4)
    mirror = oracle("woodland", 4, 4, 100)
    checked = 0
    for state, move, _ in walk(game, 5):
        text = game.write(move)
        if state == game.new():
            mirror.deal(text)
        elif game.mover(state) != CHANCE:
            mirror.campaign(text)
        else:
            listed = {game.write(x): p for x, p in game.chance(state)}
            expected = {x: p for x, p in mirror.outcomes().items() if p > 0}
            assert listed == pytest.approx(expected, abs=1e-12)
            assert text in listed
            mirror.outcome(text)
            checked += 1
        if checked == 60:
            break
    assert checked == 60


@pytest.mark.parametrize("outcomes", [4, 8, 16])
def test_merged_outcomes_are_few_and_keep_all_means(
    new_game: NewGame, walk: Walk, outcomes: int
) -> None:
    game = new_game(outcomes=outcomes)
    for state in _battles(game, walk, 11, fewer(150, 20)):
        full = game.chance(state)
        merged = game.tree_chance(state)
        assert len(merged) <= outcomes
        assert sum(p for _, p in full) == pytest.approx(1, abs=1e-12)
        assert sum(p for _, p in merged) == pytest.approx(1, abs=1e-12)
        assert all(p > 0 for _, p in merged)
        assert _means(merged) == pytest.approx(_means(full), abs=1e-9)
        assert {x for x, _ in merged} <= {x for x, _ in full}


#: A campaign whose mean of survivors was rounded below the least, into a stalled campaign.
ROUNDED = "deal=0x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x2,1x1,1x3"


@pytest.mark.parametrize("outcomes", [4, 8, 16])
def test_rounding_does_not_list_an_outcome_twice(new_game: NewGame, outcomes: int) -> None:
    game = new_game(players=2, map="straits", outcomes=outcomes)
    state = game.play(game.new(), game.read(ROUNDED))
    state = game.play(state, game.read("fjord>delta>dune"))
    listed = [x for x, _ in game.tree_chance(state)]
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("outcomes", [0, 4, 8, 16])
@hypothesis.settings(deadline=None, derandomize=True, max_examples=fewer(300, 12))
@hypothesis.given(
    armies=st.lists(st.integers(1, 12) | st.integers(1, 250), min_size=12, max_size=12),
    choice=st.integers(0, 10**6),
)
def test_gathered_outcomes_of_any_campaign_are_a_distribution(
    new_game: NewGame, outcomes: int, armies: list[int], choice: int
) -> None:
    game = new_game(players=2, map="straits", outcomes=outcomes)
    deal = tuple((int(i > 0), n) for i, n in enumerate(armies))
    state = game.play(game.new(), deal)
    campaigns = [m for m in game.moves(state) if ">" in game.write(m)]
    hypothesis.assume(campaigns)
    state = game.play(state, campaigns[choice % len(campaigns)])
    full, listed = game.chance(state), game.tree_chance(state)
    kinds = [x for x, _ in listed]
    assert len(set(kinds)) == len(kinds) <= (outcomes or len(full))
    assert all(p > 0 for _, p in listed)
    assert sum(p for _, p in listed) == pytest.approx(1, abs=1e-12)
    assert set(kinds) <= {x for x, _ in full}
    assert _means(listed) == pytest.approx(_means(full), rel=1e-12, abs=1e-9)


@hypothesis.settings(deadline=None, derandomize=True, max_examples=fewer(300, 12))
@hypothesis.given(
    armies=st.lists(st.integers(1, 12) | st.integers(1, 250), min_size=12, max_size=12),
    choice=st.integers(0, 10**6),
)
def test_a_single_outcome_is_the_likelier_result_at_its_mean(
    new_game: NewGame, armies: list[int], choice: int
) -> None:
    """By the full distribution, in plain Python: the result, then the outcome next to its mean."""
    game = new_game(players=2, map="straits", outcomes=1)
    state = game.play(game.new(), tuple((int(i > 0), n) for i, n in enumerate(armies)))
    campaigns = [m for m in game.moves(state) if ">" in game.write(m)]
    hypothesis.assume(campaigns)
    state = game.play(state, campaigns[choice % len(campaigns)])
    full = dict(game.chance(state))
    ((found, probability),) = game.tree_chance(state)
    assert probability == 1.0
    arrives = sum(p for x, p in full.items() if x > 0)
    if abs(arrives - 0.5) > 1e-9:
        assert (found > 0) == (arrives > 0.5)
    # Armies that are left, of who has some left.
    left = {
        abs(x) - (ARRIVED if x > 0 else 0): p for x, p in full.items() if (x > 0) == (found > 0)
    }
    mean = sum(n * p for n, p in left.items()) / sum(left.values())
    own = abs(found) - (ARRIVED if found > 0 else 0)
    assert own in left
    # No outcome that can be is nearer, but for the rounding of the mean.
    assert abs(own - mean) <= min(abs(n - mean) for n in left) + 1 + 1e-9


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    # By a recursion over all throws, one army staying behind and 3 of income coming in: 6 free
    # against 4 arrive with 74 %, with 4.02 in the mean; 6 against 9 stall with 74 %, by 4.92.
    [(4, 4, "arrived=4"), (4, 9, "stalled=5"), (9, 11, "arrived=5"), (5, 8, "stalled=4")],
)
def test_a_single_outcome_of_plain_battles(
    new_game: NewGame, own: int, other: int, expected: str
) -> None:
    game = new_game(players=2, map="straits", outcomes=1)
    deal = ",".join([f"0x{own}", *(f"1x{other}" for _ in range(11))])
    state = game.play(game.new(), game.read(f"deal={deal}"))
    state = game.play(state, next(m for m in game.moves(state) if game.write(m).count(">") == 1))
    ((found, _),) = game.tree_chance(state)
    assert game.write(found) == expected


def test_real_dice_are_thrown_whatever_the_tree_sees(new_game: NewGame, walk: Walk) -> None:
    one, four = (new_game(map="straits", outcomes=count) for count in (1, 4))
    assert [m for _, m, _ in walk(one, 7)] == [m for _, m, _ in walk(four, 7)]
    for state in _battles(one, walk, 7, 20):
        assert len(one.tree_chance(state)) == 1
        assert len(one.chance(state)) > 1


def test_outcomes_zero_lists_everything_in_the_tree_too(new_game: NewGame, walk: Walk) -> None:
    game = new_game(map="straits", outcomes=0)
    for state in _battles(game, walk, 3, 30):
        assert game.tree_chance(state) == game.chance(state)


def test_the_game_rolls_the_full_distribution(new_game: NewGame, walk: Walk) -> None:
    game = new_game(map="straits")
    state = max(_battles(game, walk, 8, 40), key=lambda s: len(game.chance(s)))
    full = dict(game.chance(state))
    rng = np.random.default_rng(99)
    throws = fewer(4000, 1000)
    seen: dict[int, int] = {}
    for _ in range(throws):
        x = game.draw(state, rng)
        seen[x] = seen.get(x, 0) + 1
    assert set(seen) <= set(full)
    assert len(seen) > 4
    for x, p in full.items():
        assert abs(seen.get(x, 0) - throws * p) < 5 * np.sqrt(throws * p * (1 - p)) + 1


def test_the_largest_battles_are_listed_and_sum_to_one(new_game: NewGame) -> None:
    game = new_game(players=2, map="straits")
    state = game.play(game.new(), tuple((i % 2, 250) for i in range(12)))
    longest = max(game.moves(state), key=lambda m: game.write(m).count(">"))
    assert game.write(longest).count(">") >= 2
    fought = game.play(state, longest)
    assert sum(p for _, p in game.chance(fought)) == pytest.approx(1, abs=1e-9)
    assert _means(game.tree_chance(fought)) == pytest.approx(_means(game.chance(fought)), abs=1e-7)
