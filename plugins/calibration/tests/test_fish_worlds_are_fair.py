"""Worlds of Go Fish have the probability that deals and draws give them: Bayes' rule decides."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_calibration.go_fish import worlds as fish_worlds
from mpsearch_calibration.go_fish.game import GoFish, View
from mpsearch_calibration.go_fish.state import DRAWN, MOST_RANKS

from mpsearch.contracts import CHANCE, OVER, Array

if TYPE_CHECKING:
    from .conftest import Hands, History, Slow, Table

#: Small games, in which all that may have happened can be listed.
SMALL = [
    {"players": 2, "ranks": 4, "hand": 5},
    {"players": 3, "ranks": 3, "hand": 3},
    {"players": 3, "ranks": 4, "hand": 3},
    {"players": 3, "ranks": 5, "hand": 2},
    {"players": 4, "ranks": 3, "hand": 2},
]


def play_randomly(
    slow: type[Slow], game: GoFish, seed: int, ask: str
) -> Iterator[tuple[bytes, History]]:
    """A random game in the rules and in the plain rules: state and history before each move.

    Half of the questions are for ranks that the mover holds, so that cards change hands.
    """
    rng = np.random.default_rng(seed)
    deal = game.draw(game.new(), rng)
    assert isinstance(deal, tuple)
    state = game.play(game.new(), deal)
    history = slow.History(deal, ranks=game.ranks, asks=game.asks, ask=ask)
    while (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            move = game.draw(state, rng)
            assert isinstance(move, int)
            history.happens(None, move - DRAWN)
        else:
            yield state, history
            moves = list(game.moves(state))
            hand = game.record(state).hands[mover]
            held = [move for move in moves if hand[move % MOST_RANKS]]
            moves = held if held and rng.random() < 0.5 else moves
            move = moves[int(rng.integers(len(moves)))]
            history.happens(*divmod(move, MOST_RANKS))
        state = game.play(state, move)
    yield state, history


class Branches:
    """Stands in for the choice by chance in `world`, and takes every branch in turn."""

    #: Indices chosen so far, and lists of them that are still to be followed.
    path: tuple[tuple[int, ...], ...]
    waiting: list[tuple[tuple[int, ...], ...]]
    step: int
    chance: float

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fish_worlds, "_pick", self.pick)

    def pick(self, weights: Array, rng: np.random.Generator) -> tuple[int, ...]:
        if self.step == len(self.path):
            first, *others = zip(*np.nonzero(weights), strict=True)
            self.waiting.extend((*self.path, option) for option in others)
            self.path = (*self.path, first)
        chosen = self.path[self.step]
        self.chance *= weights[chosen] / weights.sum()
        self.step += 1
        return chosen

    def distribution(self, game: GoFish, view: View) -> dict[bytes, float]:
        """The probability of every world that can be drawn."""
        found: dict[bytes, float] = collections.defaultdict(float)
        rng = np.random.default_rng(0)
        self.waiting = [()]
        while self.waiting:
            self.path = self.waiting.pop()
            self.step, self.chance = 0, 1.0
            world = game.world(view, rng)
            found[world] += self.chance
        return found


def wanted(history: History, seat: int) -> dict[Table, Fraction]:
    belief = history.believe(seat)
    total = sum(belief.values())
    return {table: Fraction(ways, total) for table, ways in belief.items()}


def distance(
    slow: type[Slow],
    game: GoFish,
    found: dict[bytes, float],
    belief: dict[Table, Fraction],
    like: Table,
) -> float:
    """Total variation between worlds and belief."""
    tables = {slow.table_of(game, world, like): share for world, share in found.items()}
    assert len(tables) == len(found)
    return sum(abs(tables.get(t, 0) - belief.get(t, 0)) for t in tables.keys() | belief) / 2


@pytest.mark.parametrize("ask", ["any", "held"])
@pytest.mark.parametrize("options", SMALL, ids=lambda options: "-".join(map(str, options.values())))
def test_probabilities_are_those_of_bayes(
    slow: type[Slow], monkeypatch: pytest.MonkeyPatch, options: dict[str, int], ask: str
) -> None:
    game = slow.fish(**options, asks=25, ask=ask)
    branches = Branches(monkeypatch)
    checked = 0
    for seed in range(2):
        for state, history in play_randomly(slow, game, seed, ask):
            if checked % 4 and len(history.events) > 8:
                checked += 1
                continue
            seat = checked % game.players
            belief = wanted(history, seat)
            if len(belief) > 60:
                continue
            found = branches.distribution(game, game.view(state, seat))
            assert distance(slow, game, found, belief, history.table) < 1e-12
            checked += 1
    assert checked > 15


def test_the_oracle_itself_against_every_order_of_a_deck(slow: type[Slow]) -> None:
    """All 34,650 orders of 12 cards are played through the same questions."""
    game = slow.fish(ranks=3, hand=3, asks=9)
    _, history = next(itertools.islice(play_randomly(slow, game, 5, "any"), 4, None))
    assert sum(event.other is None for event in history.events) >= 3
    agreeing: collections.Counter[Table] = collections.Counter()
    for word in _orders((4, 4, 4)):
        deal = tuple(
            tuple(word[3 * seat : 3 * seat + 3].count(rank) for rank in range(3))
            for seat in range(3)
        )
        if deal[0] != history.deal[0]:
            continue
        other = slow.History(deal, ranks=3, asks=9, ask="any")
        stock = iter(word[9:])
        for event in history.events:
            table = other.table
            if (table.public, table.hands[0]) != (event.before.public, event.before.hands[0]):
                break
            other.happens(event.other, next(stock) if event.other is None else event.rank)
        else:
            end = history.table
            if (other.table.public, other.table.hands[0]) == (end.public, end.hands[0]):
                agreeing[other.table] += 1
    total = sum(agreeing.values())
    shares = {table: Fraction(ways, total) for table, ways in agreeing.items()}
    assert len(shares) > 1
    assert shares == wanted(history, 0)


def _orders(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every order of cards of which there are so many of each rank."""
    if not any(counts):
        yield ()
    for rank, count in enumerate(counts):
        if count:
            less = (*counts[:rank], count - 1, *counts[rank + 1 :])
            yield from ((rank, *rest) for rest in _orders(less))


def test_cards_given_in_public_are_known_and_not_only_a_least_number(
    slow: type[Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 0 gets two cards of rank 4 and two of rank 2 from seat 2; seat 1 holds 1, 0, 1, 2."""
    game = slow.fish(ranks=4, hand=4, ask="any")
    state = game.play(game.new(), ((1, 1, 2, 0), (1, 0, 1, 2), (0, 2, 0, 2)))
    for text in ("2:4", "2:2"):
        state = game.play(state, game.read(text))
    found = Branches(monkeypatch).distribution(game, game.view(state, 1))
    hands: dict[tuple[int, ...], float] = collections.defaultdict(float)
    for world, share in found.items():
        hands[tuple(game.record(world).hands[0, :4].tolist())] += share
    assert hands[1, 3, 2, 2] == pytest.approx(18 / 55, abs=1e-12)


@pytest.mark.parametrize(("ask", "seed", "moves"), [("any", 1, 7), ("held", 3, 5)])
def test_worlds_come_as_often_as_they_should(
    slow: type[Slow], ask: str, seed: int, moves: int
) -> None:
    """Pearson's chi-square over the worlds that are expected at least 5 times, the rest as one.

    A right sampler fails with a probability of 1 in 10,000 for each case; the seed is fixed.
    """
    game = slow.fish(ranks=5, hand=3, ask=ask)
    state, history = list(itertools.islice(play_randomly(slow, game, seed, ask), moves))[-1]
    seat = (game.mover(state) + 1) % 3
    belief = wanted(history, seat)
    draws = 3000
    rng = np.random.default_rng(17)
    view = game.view(state, seat)
    drawn = collections.Counter(
        slow.table_of(game, game.world(view, rng), history.table) for _ in range(draws)
    )
    assert len(history.events) >= moves - 1
    assert drawn.keys() <= belief.keys()
    expected = {table: draws * float(share) for table, share in belief.items()}
    often = [table for table, count in expected.items() if count >= 5]
    rest = draws - sum(expected[table] for table in often)
    chi = sum((drawn[table] - expected[table]) ** 2 / expected[table] for table in often)
    if rest > 5:
        chi += (draws - sum(drawn[table] for table in often) - rest) ** 2 / rest
    freedom = len(often) - (rest <= 5)
    assert freedom >= 10
    assert chi < _chi_square_quantile(freedom)
    variation = sum(abs(drawn[t] - expected[t]) for t in expected) / (2 * draws)
    # The mean of the variation is at most this; one draw changes it by 1 / draws at most, so by
    # McDiarmid's inequality it exceeds its mean by `above` with the same 1 in 10,000.
    mean = sum(math.sqrt(count / (2 * math.pi)) for count in expected.values()) / draws
    above = math.sqrt(math.log(10_000) / (2 * draws))
    assert variation < mean + above


def _chi_square_quantile(freedom: int) -> float:
    """Wilson and Hilferty's approximation of the point that 1 in 10,000 exceeds."""
    z = 3.719
    return freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))) ** 3


@pytest.mark.parametrize("ask", ["any", "held"])
def test_no_world_of_the_usual_game_is_impossible(slow: type[Slow], ask: str) -> None:
    game = slow.fish(ask=ask)
    rng = np.random.default_rng(5)
    for state, history in play_randomly(slow, game, 103, ask):
        assert history.possible(history.table, 0)
        seat = game.mover(state) if game.mover(state) >= 0 else 0
        view = game.view(state, seat)
        for _ in range(2):
            world = game.world(view, rng)
            assert game.view(world, seat) == view
            assert history.possible(slow.table_of(game, world, history.table), seat)


@pytest.mark.slow
@pytest.mark.parametrize("ask", ["any", "held"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_world_is_impossible_in_thousands_of_decisions(
    slow: type[Slow], players: int, ask: str
) -> None:
    game = slow.fish(players=players, ask=ask)
    rng = np.random.default_rng(6)
    decisions = 0
    for seed in range(12):
        for state, history in play_randomly(slow, game, seed, ask):
            decisions += 1
            seat = decisions % players
            for _ in range(3):
                world = game.world(game.view(state, seat), rng)
                assert history.possible(slow.table_of(game, world, history.table), seat)
    assert decisions > 400


def test_the_oracle_of_possible_worlds_agrees_with_bayes(slow: type[Slow]) -> None:
    """Every way to deal out the unseen cards is possible just when Bayes' rule has it."""
    seen: collections.Counter[bool] = collections.Counter()
    for ask, seed in itertools.product(("any", "held"), range(10)):
        game = slow.fish(ranks=3, hand=3, asks=12, ask=ask)
        for _, history in play_randomly(slow, game, seed, ask):
            belief = history.believe(0)
            for hands, stock in _piles(history.table):
                table = history.table._replace(hands=hands, stock=stock)
                assert history.possible(table, 0) == (table in belief)
                seen[table in belief] += 1
    assert min(seen[True], seen[False]) > 500


def _piles(table: Table) -> Iterator[tuple[Hands, tuple[int, ...]]]:
    """All hands of seats 1 and 2, and the stock, of the sizes that they have."""
    unseen = [sum(pile) for pile in zip(*table.hands[1:], table.stock, strict=True)]
    sizes = [sum(hand) for hand in table.hands]
    hands = list(itertools.product(*(range(min(n, 3) + 1) for n in unseen)))
    for first, second in itertools.product(hands, hands):
        stock = tuple(n - a - b for n, a, b in zip(unseen, first, second, strict=True))
        if (sum(first), sum(second)) == (sizes[1], sizes[2]) and min(stock) >= 0:
            yield (table.hands[0], first, second), stock


@pytest.mark.parametrize("ask", ["any", "held"])
def test_a_drawn_world_can_be_played_to_the_end(slow: type[Slow], ask: str) -> None:
    game = slow.fish(ranks=6, hand=4, ask=ask)
    rng = np.random.default_rng(9)
    for index, (state, _) in enumerate(play_randomly(slow, game, 7, ask)):
        world = game.world(game.view(state, index % 3), rng)
        while (mover := game.mover(world)) != OVER:
            if mover != CHANCE:
                # Others at this table can draw worlds of their own.
                world = game.world(game.view(world, mover), rng)
                assert game.moves(world)
            options = game.moves(world) if mover != CHANCE else [game.draw(world, rng)]
            world = game.play(world, options[int(rng.integers(len(options)))])
            s = game.record(world)
            assert min(s.hands.min(), s.stock.min()) >= 0
            assert s.hands.sum() + s.stock.sum() + 4 * s.books.sum() == 24
        assert game.payoff(world).sum() <= 6
