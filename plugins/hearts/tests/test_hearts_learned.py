"""What a learned evaluator sees of a deal, and what it makes of a tournament."""

from __future__ import annotations

import math
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mpsearch_hearts import learned
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.learned import INPUTS, MOST, look, look_all
from mpsearch_hearts.options import CHANCE_WEIGHTS

from mpsearch.api import set_table
from mpsearch.contracts import CHANCE, OVER
from mpsearch.errors import UsageError
from mpsearch.gamekit import read_network
from mpsearch.gamekit.learned import softmax
from mpsearch.plugins import installed
from mpsearch.testing import EVALUATOR_RULES

if TYPE_CHECKING:
    from .conftest import Make, Slow

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a"]
SUITS = "cdsh"


def seen(game: Hearts, state: bytes, seat: int) -> dict[int, float]:
    out = np.zeros((MOST, 2))
    return {int(i): value for i, value in out[: look.plain(game.record(state), seat, out)]}


def rank(card: str) -> int:
    return RANKS.index(card[:-1])


def cost(card: str) -> int:
    return 13 if card == "qs" else int(card[-1] == "h")


def expected(game: Hearts, state: bytes, seat: int, slow: type[Slow]) -> dict[int, float]:
    """The inputs as sentences, card by card."""
    s = game.record(state)
    hands = [slow.cards_of(game, int(hand)) for hand in s.hands]
    if s.count < 0:
        passed = [slow.cards_of(game, int(cards)) for cards in s.passed]
        hands = [hands[k] - passed[k] | passed[k - int(s.direction)] for k in range(4)]
    own, others = hands[seat], [hands[(seat + k) % 4] for k in (1, 2, 3)]
    found = expected_control(game, state, seat, hands, slow)

    def add(number: int, value: float = 1.0) -> None:
        found[number] = found.get(number, 0.0) + value

    for k, suit in enumerate(SUITS):
        mine = [card for card in own if card[-1] == suit]
        rivals = [card for hand in others for card in hand if card[-1] == suit]
        add(learned.HELD + 7 * k + min(len(mine), 6))
        if rivals:
            for card in mine:
                above = sum(rank(rival) > rank(card) for rival in rivals)
                add(learned.ABOVE + 8 * k + min(above, 7))
                add(learned.BELOW + 8 * k + min(len(rivals) - above, 7))
            for j, hand in enumerate(others):
                length = sum(card[-1] == suit for card in hand)
                if length <= 2:
                    add(learned.SHORT_SUITS + 12 * j + 3 * k + length)
    table = slow.cards_of(game, int(s.pile)) if s.count > 0 and s.count % 4 else set()
    holders = [j for j, hand in enumerate([own, *others]) if "qs" in hand]
    add(learned.QUEEN + (holders[0] if holders else 4 if "qs" in table else 5))
    if "qs" in own:
        add(learned.GUARDS + min(sum(card[-1] == "s" for card in own) - 1, 5))
    to_come = sum(cost(card) for hand in hands for card in hand)
    if to_come:
        add(learned.TO_COME, to_come / 26)
    add(learned.CARDS + len(own))
    points = [int(s.points[(seat + k) % 4]) for k in range(4)]
    takers = [k for k in range(4) if points[k]]
    for k in takers:
        add(learned.POINTS + k, points[k] / 26)
    if len(takers) == 1:
        step = min((points[takers[0]] - 1) // 6, 4)
        add(learned.MOON + 5 * takers[0] + step)
    else:
        add(learned.PARTED if takers else learned.NO_POINTS)
    turn = (int(s.mover) - seat) % 4
    if s.count < 0:
        add(learned.PASSING + turn)
        return found
    add(learned.TURN + 4 * turn + len(table))
    if table:
        best = game.write(int(s.best))
        if sum(map(cost, table)):
            add(learned.TABLE + (int(s.winner) - seat) % 4, sum(map(cost, table)) / 26)
        waits = (seat - int(s.mover)) % 4 < 4 - len(table)
        add(learned.LED + 4 * waits + SUITS.index(best[-1]))
        if waits:
            follows = [card for card in own if card[-1] == best[-1]]
            below = sum(rank(card) < rank(best) for card in follows)
            add(learned.DUCKS + (min(below, 3) if follows else 4))
    return found


def ranks(hand: set[str], suit: str) -> list[int]:
    return sorted(rank(card) for card in hand if card[-1] == suit)


def expected_control(
    game: Hearts, state: bytes, seat: int, hands: list[set[str]], slow: type[Slow]
) -> dict[int, float]:
    """Inputs about who has to take tricks, and who is sure to."""
    s, found = game.record(state), {}
    sure = dict.fromkeys(range(4), 0)
    for k, suit in enumerate(SUITS):
        held = {j: ranks(hand, suit) for j, hand in enumerate(hands) if ranks(hand, suit)}
        if not held:
            continue
        taker = max(held, key=lambda j: held[j][0])
        found[learned.DUCKED + 4 * k + (taker - seat) % 4] = 1.0
        holder = max(held, key=lambda j: held[j][-1])
        rivals = [theirs for j, theirs in held.items() if j != holder]
        tops = [r for r in held[holder] if all(r > max(theirs) for theirs in rivals)]
        runs = len(tops) >= max(map(len, rivals), default=0)
        sure[holder] += len(held[holder] if runs else tops)
    for j, number in sure.items():
        k = (j - seat) % 4
        if number:
            found[learned.SURE + k] = number / 13
        if number and number == len(hands[j]):
            found[learned.SURE_ALL + k] = 1.0
            if not any(int(s.points[other]) for other in range(4) if other != j):
                found[learned.SURE_MOON + k] = 1.0
    if s.count < 0:
        return found
    table = slow.cards_of(game, int(s.pile)) if s.count % 4 else set()
    mover, first = int(s.mover), s.count < 4 and game.variant.safe_first == "yes"
    if table:
        best = game.write(int(s.best))
        taker, points = ducked(hands, mover, table, best, int(s.winner), first)
    else:
        broken = any(cost(c) == 1 for j in range(4) for c in slow.cards_of(game, int(s.played[j])))
        leads = {c for c in hands[mover] if s.count or c == "2c"}
        if game.variant.breaking == "yes" and not broken:
            leads = {c for c in leads if c[-1] != "h"} or leads
        tricks = []
        for suit in SUITS:
            if ranks(leads, suit):
                lead = RANKS[ranks(leads, suit)[0]] + suit
                tricks.append(ducked(hands, mover + 1, {lead}, lead, mover, first))
        taker, points = min(tricks, key=lambda trick: loss(mover, *trick))
    k = (taker - seat) % 4
    found[learned.TAKES + k] = 1.0
    if points:
        found[learned.TAKES_POINTS + k] = points / 26
    if points >= 13:
        found[learned.TAKES_QUEEN + k] = 1.0
    return found


def loss(mover: int, taker: int, points: int) -> float:
    """What a lead costs who leads: tricks are better taken by others."""
    return points + 0.5 if taker == mover else -points - 0.5


def ducked(
    hands: list[set[str]], mover: int, table: set[str], best: str, taker: int, safe: bool
) -> tuple[int, int]:
    """Who takes the trick, and its points, if all follow below it where they can.

    They throw the queen of spades where it does not take, or else a heart.
    """
    points, suit = sum(map(cost, table)), best[-1]
    for k in range(4 - len(table)):
        hand = hands[(mover + k) % 4]
        mine = [card for card in hand if card[-1] == suit]
        if not mine:
            points += 0 if safe else max(map(cost, hand))
        elif suit == "h":
            points += 1
        elif "qs" in mine and (mine == ["qs"] or rank(best) > rank("qs")):
            points += 13
        if mine and min(map(rank, mine)) > rank(best):
            best, taker = min(mine, key=rank), (mover + k) % 4
    return taker, points


@pytest.mark.parametrize("preset", ["papers", "standard"])
def test_inputs_are_what_they_say(preset: str, make: Make, slow: type[Slow]) -> None:
    game = make(preset=preset)
    for seed in range(6):
        rng, state = np.random.default_rng(seed), game.new()
        for _ in range(66):
            if game.mover(state) == CHANCE:
                state = game.play(state, game.draw(state, rng))
                continue
            rows, counts = np.zeros((4, MOST, 2)), np.zeros(4)
            look_all.plain(game.record(state), rows, counts)
            for seat in range(4):
                assert seen(game, state, seat) == pytest.approx(expected(game, state, seat, slow))
                together = {int(i): value for i, value in rows[seat, : int(counts[seat])]}
                assert together == seen(game, state, seat)
            moves = game.moves(state)
            state = game.play(state, moves[int(rng.integers(len(moves)))])
    assert max(seen(game, state, 0), default=0) < INPUTS


@pytest.mark.parametrize("preset", ["papers", "standard"])
def test_compiled_values_are_those_of_the_network_for_the_inputs_in_words(
    preset: str, slow: type[Slow]
) -> None:
    table = set_table(installed(), "hearts", options={"preset": preset, "single": "yes"})
    evaluator = table.space("learned").evaluator
    game: Any = table.game
    network = read_network(resources.files("mpsearch_hearts") / "weights" / f"{preset}.npz")
    rng, state = np.random.default_rng(8), game.new()
    state = game.play(state, game.draw(state, rng))
    while game.mover(state) != OVER:
        rows = np.zeros((4, INPUTS))
        for seat in range(4):
            for number, value in expected(game, state, seat, slow).items():
                rows[seat, number] = value
        assert evaluator.values(state) == pytest.approx(100 * softmax(network.logits(rows)))
        moves = game.moves(state)
        state = game.play(state, moves[int(rng.integers(len(moves)))])


def test_lone_queen_above_the_trick_is_taken_by_her_holder(make: Make, slow: type[Slow]) -> None:
    game: Any = make(preset="standard")
    s = game.record(game.new())
    hands = ["3c", "qs", "2s 2h", "2d 3h"]
    for seat, hand in enumerate(hands):
        s.hands[seat] = sum(1 << game.read(card) for card in hand.split())
    s.count, s.mover, s.winner, s.best = 41, 1, 0, game.read("js")
    s.pile = 1 << s.best
    state = s.tobytes()
    for seat in range(4):
        found = seen(game, state, seat)
        k = (1 - seat) % 4
        assert found[learned.TAKES + k] == 1
        assert found[learned.TAKES_POINTS + k] == pytest.approx(14 / 26)  # and a heart of seat 3
        assert found[learned.TAKES_QUEEN + k] == 1
        assert found == pytest.approx(expected(game, state, seat, slow))


def chances(totals: Any, left: float, to_come: float) -> Any:
    """Chances to win of expected totals, as `write_chances` has them in words."""
    a, b, c = CHANCE_WEIGHTS.values()
    weights = [math.exp(-t / math.sqrt(a + b * to_come + c * left)) for t in totals]
    return [100 * weight / sum(weights) for weight in weights]


@pytest.mark.parametrize("preset", ["papers", "standard"])
def test_chances_in_a_tournament_are_those_of_scores_and_expected_points(preset: str) -> None:
    deal, whole = (
        set_table(installed(), "hearts", options={"preset": preset, "single": single})
        for single in ("yes", "no")
    )
    share, chance = (table.space("learned").evaluator for table in (deal, whole))
    game: Any = whole.game
    rng, state = np.random.default_rng(2), game.new()
    s = game.record(state)
    s.scores[:] = [12, 50, 31, 44]
    state = s.tobytes()
    assert chance.values(state) == pytest.approx(chances([12, 50, 31, 44], 50, 0))
    state = game.play(state, game.draw(state, rng))
    for _ in range(40):
        s = game.record(state)
        points = (0.25 - share.values(state) / 100) * 78
        assert points.sum() == pytest.approx(0)
        totals = points + s.scores
        to_come = sum(cost(game.write(c)) for hand in s.hands for c in cards(int(hand)))
        left = 100 - totals.max() - 6.5
        assert chance.values(state) == pytest.approx(chances(totals, left, to_come))
        moves = game.moves(state)
        state = game.play(state, moves[int(rng.integers(len(moves)))])


def cards(hand: int) -> list[int]:
    return [card for card in range(64) if hand >> card & 1]


def test_winners_of_a_finished_tournament_share_it() -> None:
    table = set_table(installed(), "hearts")
    game: Any = table.game
    s = game.record(game.new())
    s.scores[:] = [40, 100, 40, 60]
    s.mover = OVER
    assert table.space("learned").evaluator.values(s.tobytes()).tolist() == [50, 0, 50, 0]


def test_shot_moon_is_better_than_the_best_deal_without_one() -> None:
    table = set_table(installed(), "hearts", options={"preset": "standard", "single": "yes"})
    evaluator, game = table.space("learned").evaluator, table.game
    values = []
    for scores in ([0, 26, 26, 26], [0, 13, 13, 0]):
        s = game.record(game.new())  # type: ignore[attr-defined]
        s.scores[:] = scores
        s.mover = OVER
        values.append(evaluator.values(s.tobytes()))
    assert values[0] == pytest.approx([50, 100 / 6, 100 / 6, 100 / 6])
    assert values[1] == pytest.approx([100 / 3, 100 / 6, 100 / 6, 100 / 3])


def test_who_can_still_shoot_the_moon_is_worth_more_where_it_counts() -> None:
    """Seat 0 has taken 20 points and leads winners only; another has a heart, or nobody has."""
    deals = []
    for preset in ("standard", "papers"):
        table = set_table(installed(), "hearts", options={"preset": preset, "single": "yes"})
        game: Any = table.game
        s = game.record(game.new())
        hands = ["ah kh qh jh", "2c 3c 4c 5c", "2d 3d 4d 5d", "6c 7c 6d 7d"]
        s.hands[:] = [sum(1 << game.read(card) for card in hand.split()) for hand in hands]
        s.played[3] = 1 << game.read("2h")  # hearts are broken
        s.count, s.mover = 36, 0
        s.points[:] = [22, 0, 0, 0]
        alone = table.space("learned").evaluator.values(s.tobytes())[0]
        s.points[:] = [21, 1, 0, 0]
        parted = table.space("learned").evaluator.values(s.tobytes())[0]
        deals.append(alone - parted)
    assert deals[0] > 10 > deals[1]


@pytest.mark.parametrize("rule", EVALUATOR_RULES)
@pytest.mark.parametrize("single", ["yes", "no"])
def test_learned_evaluator_keeps_the_contract(rule: str, single: str) -> None:
    table = set_table(installed(), "hearts", options={"preset": "standard", "single": single})
    EVALUATOR_RULES[rule](table.game, table.space("learned").evaluator, 3, 80)


def test_other_rules_than_those_of_a_preset_are_refused() -> None:
    table = set_table(installed(), "hearts", options={"jack": "yes"})
    with pytest.raises(UsageError, match="'learned' is for preset=papers or standard"):
        table.space("learned")


@pytest.mark.parametrize("preset", ["papers", "standard"])
def test_weights_say_what_made_them(preset: str) -> None:
    path = resources.files("mpsearch_hearts") / "weights" / f"{preset}.npz"
    document = read_network(path).document
    assert document["game"] == "hearts"
    assert document["options"]["preset"] == preset
    assert document["payoff_range"] == 26
    assert document["results"][0]["against_written"]["mean"] > 0.25
