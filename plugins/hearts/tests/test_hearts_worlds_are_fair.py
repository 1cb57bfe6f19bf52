"""Worlds: none impossible, all equally likely, drawn from nothing but the view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.worlds import count_passes, count_worlds, fill_passes, fill_world

from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.contracts import State, Turn
from mpsearch.jit import jit_enabled
from mpsearch.match import play_match

if TYPE_CHECKING:
    from .conftest import History, Make, Slow

VARIANTS: list[dict[str, Any]] = [
    {},
    {"preset": "standard"},
    {"preset": "standard", "passing": "right"},
    {"preset": "standard", "passing": "across", "jack": "yes"},
]


def strictness(game: Hearts) -> dict[str, bool]:
    variant = game.variant
    return {"breaking": variant.breaking == "yes", "safe_first": variant.safe_first == "yes"}


def check_world(
    game: Hearts, slow: type[Slow], state: State, history: History, seat: int, world: State
) -> None:
    """A world has the seat's own cards, could have been played as it was, and keeps passes."""
    true, drawn = game.record(state), game.record(world)
    assert drawn.hands[seat] == true.hands[seat]
    assert game.view(world, seat) == game.view(state, seat)
    hands = [slow.cards_of(game, drawn.hands[s] | drawn.played[s]) for s in range(4)]
    assert sorted(card for hand in hands for card in hand) == sorted(slow.DECK)
    assert [len(hand) for hand in hands] == [13] * 4
    if true.count < 0:
        for s in range(4):
            assert slow.cards_of(game, drawn.passed[s]) <= hands[s]
        return
    assert slow.lawful(hands, history, **strictness(game))
    if true.count == 0:
        assert "2c" in hands[int(true.mover)]
    if true.direction:
        for giver in range(4):
            receiver = (giver + int(true.direction)) % 4
            assert slow.cards_of(game, drawn.passed[giver]) <= hands[receiver]
            if seat in (giver, receiver):
                assert drawn.passed[giver] == true.passed[giver]


def violations_walk(make: Make, slow: type[Slow], agents: list[str], seed: int, each: int) -> int:
    """Draw worlds for every seat at every stage of a tournament; how many."""
    catalog = load_catalog()
    drawn = 0
    rng = np.random.default_rng(seed)
    for options in VARIANTS:
        game = make(limit=20, **options)
        players = [make_agent(catalog, "hearts", game, text) for text in agents]
        history: list[tuple[int, str]] = []
        for ply in play_match(game, players, seed=seed):
            before, after = game.record(ply.before), game.record(ply.state)
            if before.mover >= 0 and before.count >= 0:
                history.append((ply.seat, game.write(ply.move)))
            if after.mover < 0 or before.mover < 0:
                history = []
            for seat in range(4):
                view = game.view(ply.state, seat)
                for _ in range(each if game.mover(ply.state) >= 0 else 0):
                    world = game.world(view, rng)
                    check_world(game, slow, ply.state, history, seat, world)
                    drawn += 1
    return drawn


def test_no_world_of_random_games_is_impossible(make: Make, slow: type[Slow]) -> None:
    assert violations_walk(make, slow, ["random"] * 4, seed=1, each=1) > 1000


def test_no_world_of_searched_games_is_impossible(make: Make, slow: type[Slow]) -> None:
    agents = ["maxn:depth=2,worlds=3", "paranoid:depth=2,worlds=3", "wrt", "random"]
    assert violations_walk(make, slow, agents, seed=2, each=1) > 500


@pytest.mark.slow
def test_no_world_of_100_000_is_impossible(make: Make, slow: type[Slow]) -> None:
    drawn = 0
    for seed in range(10, 100):
        searched = ["maxn:depth=3,worlds=5", "mpmix:td=10,to=10,depth=3,worlds=5", "wrt", "random"]
        drawn += violations_walk(make, slow, searched if seed % 2 else ["random"] * 4, seed, 8)
        if drawn >= 100_000:
            return
    pytest.fail(f"only {drawn} worlds were drawn")


def check_many(
    make: Make, slow: type[Slow], hands: list[set[str]], cards: str, shown: int
) -> set[str]:
    """Check worlds of the others after some cards; the cards `shown` may then hold."""
    game = make(preset="standard", passing="none")
    state = slow.dealt(game, hands)
    history = []
    for card in cards.split():
        history.append((game.mover(state), card))
        state = game.play(state, game.read(card))
    rng = np.random.default_rng(1)
    held: set[str] = set()
    for seat in set(range(4)) - {shown}:
        for _ in range(20):
            world = game.world(game.view(state, seat), rng)
            check_world(game, slow, state, history, seat, world)
            held |= slow.cards_of(game, game.record(world).hands[shown])
    return held


def test_who_leads_hearts_before_they_are_broken_holds_nothing_else(
    make: Make, slow: type[Slow]
) -> None:
    hearts = {card for card in slow.DECK if card.endswith("h")}
    hands = slow.fill("2c 3c", "5c 6c", "4c 7c", "ac " + " ".join(sorted(hearts - {"ah"})))
    held = check_many(make, slow, hands, "2c 5c 4c ac 3h", shown=3)
    assert held <= hearts


def test_who_plays_points_in_a_safe_first_trick_holds_nothing_else(
    make: Make, slow: type[Slow]
) -> None:
    penalties = {card for card in slow.DECK if slow.is_penalty(card)}
    hands = slow.fill("2c", " ".join(sorted(penalties - {"ah"})))
    held = check_many(make, slow, hands, "2c 4h", shown=1)
    assert held <= penalties


def every_world(game: Hearts, state: State, seat: int) -> list[tuple[int, ...]]:
    """The hands of every world, by number."""
    view = game.view(state, seat)
    found = []
    for number in range(int(count_worlds(game.record(view.known), seat))):
        s = game.record(view.known)
        fill_world(s, seat, number)
        found.append(tuple(int(hand) for hand in s.hands))
    return found


def enumerated(
    game: Hearts, slow: type[Slow], state: State, history: History, seat: int
) -> set[tuple[int, ...]]:
    """All hands that agree with the view of `seat`, by trying every division of the cards."""
    s = game.record(state)
    others = [(seat + k) % 4 for k in (1, 2, 3)]
    unseen = sorted(card for o in others for card in slow.cards_of(game, s.hands[o]))
    sizes = [len(slow.cards_of(game, s.hands[o])) for o in others]
    # What could not follow a suit has none of it: this only saves trying what is unlawful anyway.
    void = {
        (player, history[k - k % 4][1][-1])
        for k, (player, card) in enumerate(history)
        if card[-1] != history[k - k % 4][1][-1]
    }
    found = set()
    for divided in slow.assignments(unseen, sizes):
        given = zip(others, divided, strict=True)
        if any((other, card[-1]) in void for other, cards in given for card in cards):
            continue
        now: list[set[str]] = [set(), set(), set(), set()]
        now[seat] = slow.cards_of(game, s.hands[seat])
        for other, cards in zip(others, divided, strict=True):
            now[other] = cards
        if s.direction:
            receiver = (seat + int(s.direction)) % 4
            kept = slow.cards_of(game, s.passed[seat] & ~s.played[receiver])
            if not kept <= now[receiver]:
                continue
        whole = [now[p] | slow.cards_of(game, s.played[p]) for p in range(4)]
        if slow.lawful(whole, history, **strictness(game)):
            found.add(slow.to_deal(game, now))
    return found


def end_games(make: Make, slow: type[Slow], cards: int) -> list[tuple[Hearts, State, History, int]]:
    """End games with some cards a hand: without voids, with voids, with passed cards."""
    found = []
    for options in VARIANTS:
        game = make(**options)
        for seed in range(3):
            offset = seed  # in the middle of a trick, too
            state, history = slow.random_deal(game, seed, until=52 - 4 * cards + offset)
            found.append((game, state, history, (game.mover(state) + seed) % 4))
    return found


@pytest.mark.parametrize("cards", [2, 3])
def test_the_numbered_worlds_are_all_there_are(make: Make, slow: type[Slow], cards: int) -> None:
    kinds = set()
    for game, state, history, seat in end_games(make, slow, cards):
        worlds = every_world(game, state, seat)
        expected = enumerated(game, slow, state, history, seat)
        assert len(worlds) == len(set(worlds))
        assert set(worlds) == expected
        s = game.record(state)
        kinds.add((bool(s.cannot.any()), bool(s.direction)))
    assert kinds == {(True, False), (True, True)}


@pytest.mark.slow
@pytest.mark.parametrize("cards", [4, 5])
def test_the_numbered_worlds_are_all_there_are_with_more_cards(
    make: Make, slow: type[Slow], cards: int
) -> None:
    tried = 0
    for game, state, history, seat in end_games(make, slow, cards):
        sizes = [int(h).bit_count() for p, h in enumerate(game.record(state).hands) if p != seat]
        raw = math.factorial(sum(sizes)) // math.prod(math.factorial(n) for n in sizes)
        if raw > 800_000 or len(every_world(game, state, seat)) > 10_000:
            continue
        worlds = every_world(game, state, seat)
        assert set(worlds) == enumerated(game, slow, state, history, seat)
        assert len(worlds) == len(set(worlds))
        tried += 1
    assert tried >= 2


def chi_square_is_plausible(counts: npt.NDArray[np.float64 | np.int64]) -> bool:
    """Within five standard deviations of what equal chances give."""
    expected = counts.sum() / len(counts)
    statistic = float(((counts - expected) ** 2 / expected).sum())
    freedom = len(counts) - 1
    return abs(statistic - freedom) < 5 * math.sqrt(2 * freedom)


def test_draws_are_uniform_over_the_enumerated_worlds(make: Make, slow: type[Slow]) -> None:
    rng = np.random.default_rng(7)
    tested = 0
    for cards in (3, 4, 5) if jit_enabled() else (3,):  # plain Python takes minutes for the others
        for game, state, _, seat in end_games(make, slow, cards):
            worlds = every_world(game, state, seat) if cards < 5 else []
            total = int(count_worlds(game.record(game.view(state, seat).known), seat))
            if cards == 5 and total <= 3000:
                worlds = every_world(game, state, seat)
            if not 2 <= len(worlds) <= 3000:
                continue
            index = {world: number for number, world in enumerate(worlds)}
            counts = np.zeros(len(worlds))
            view = game.view(state, seat)
            for _ in range(max(6 * len(worlds), 600)):
                hands = game.record(game.world(view, rng)).hands
                counts[index[tuple(int(hand) for hand in hands)]] += 1
            assert chi_square_is_plausible(counts)
            tested += 1
    assert tested >= (10 if jit_enabled() else 3)


def test_the_chi_square_test_sees_a_small_bias() -> None:
    rng = np.random.default_rng(8)
    weights = np.ones(200)
    weights[:100] = 1.4
    counts = rng.multinomial(6000, weights / weights.sum())
    assert not chi_square_is_plausible(counts)
    assert chi_square_is_plausible(rng.multinomial(6000, np.full(200, 1 / 200)))


def test_hidden_passes_are_numbered_without_gaps(make: Make, slow: type[Slow]) -> None:
    """Every choice of three cards by each of two hidden givers, once."""
    game = make(preset="standard", passing="left")
    state, _ = slow.random_deal(game, 4, until=8)
    view = game.view(state, 0)
    world = game.world(view, np.random.default_rng(1))
    total = int(count_passes(game.record(view.known), 0))
    assert total == math.comb(13, 3) ** 2
    seen = set()
    for number in range(0, total, 7):
        s = game.record(world)
        fill_passes(s, 0, number)
        seen.add((int(s.passed[1]), int(s.passed[2])))
        for giver in (1, 2):
            receiver = giver + 1
            assert int(s.passed[giver]) & ~int(s.hands[receiver] | s.played[receiver]) == 0
            assert int(s.passed[giver]).bit_count() == 3
    assert len(seen) == len(range(0, total, 7))


def test_the_first_deal_has_all_its_worlds(make: Make, slow: type[Slow]) -> None:
    game = make(preset="standard")
    state = slow.dealt(game, slow.fill())
    expected = math.factorial(39) // math.factorial(13) ** 3
    for seat in range(4):
        assert int(count_worlds(game.record(game.view(state, seat).known), seat)) == expected


def test_a_view_hides_the_cards_of_the_others_and_what_they_passed(
    make: Make, slow: type[Slow]
) -> None:
    game = make(preset="standard", passing="left")
    state, _ = slow.random_deal(game, 5, until=20)
    true = game.record(state)
    for seat in range(4):
        known = game.record(game.view(state, seat).known)
        for other in range(4):
            assert known.hands[other] == (true.hands[other] if other == seat else 0)
            receives = (other + 1) % 4 == seat
            assert known.passed[other] == (true.passed[other] if other == seat or receives else 0)
        for field in ("played", "cannot", "points", "scores"):
            assert known[field].tolist() == true[field].tolist()


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_states_with_equal_views_give_equal_worlds_choices_and_reports(
    make: Make, slow: type[Slow], options: dict[str, Any]
) -> None:
    game = make(**options)
    catalog = load_catalog()
    agents = [
        make_agent(catalog, "hearts", game, text)
        for text in ("maxn:depth=3,worlds=6", "mpmix:td=5,to=5,depth=3,worlds=6", "wrt", "random")
    ]
    for until in (0, 5, 22, 37):
        state, _ = slow.random_deal(game, until, until=until)
        seat = game.mover(state)
        twin = game.world(game.view(state, seat), np.random.default_rng(99))
        assert twin != state
        turns = [
            Turn(seat=seat, view=game.view(s, seat), moves=tuple(game.moves(s)))
            for s in (state, twin)
        ]
        worlds = [
            [game.world(turn.view, rng) for _ in range(5)]
            for turn in turns
            for rng in [np.random.default_rng(3)]
        ]
        assert worlds[0] == worlds[1]
        for agent in agents:
            decisions = []
            for turn in turns:
                rng = np.random.default_rng(4)
                decisions.append(agent.choose(turn, agent.start(seat, rng), rng))
            assert decisions[0] == decisions[1]
            assert decisions[0].report == decisions[1].report


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_worlds_drawn_in_one_call_are_those_drawn_one_by_one(
    make: Make, slow: type[Slow], options: dict[str, Any]
) -> None:
    game = make(**options)
    for until in (0, 1, 5, 22, 37, 50):
        state, _ = slow.random_deal(game, until, until=until)
        for seat in range(4):
            view = game.view(state, seat)
            together, apart = (np.random.default_rng([until, seat]) for _ in range(2))
            one_by_one = [game.world(view, apart) for _ in range(6)]
            assert game.worlds(view, 6, together) == one_by_one
            assert together.bit_generator.state == apart.bit_generator.state
    unknown = np.random.Generator(np.random.MT19937(2))  # compiled functions cannot follow it
    assert len(set(game.worlds(game.view(game.new(), 0), 3, unknown))) == 1
    assert len(game.worlds(view, 3, unknown)) == 3
