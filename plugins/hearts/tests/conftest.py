"""A second, slow implementation of Hearts that shares nothing with the rules, and deals."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest
from mpsearch_hearts.game import Hearts

from mpsearch.contracts import State
from mpsearch.plugins.catalog import installed

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a"]
DECK = [rank + suit for suit in "cdsh" for rank in RANKS]

#: Cards played, each with the seat that played it.
History: TypeAlias = list[tuple[int, str]]
#: What the fixture `make` hands to tests.
Make: TypeAlias = Callable[..., Hearts]


def rank(card: str) -> int:
    return RANKS.index(card[:-1])


def is_penalty(card: str) -> bool:
    return card.endswith("h") or card == "qs"


class SlowDeal:
    """One deal after passing, with cards as texts: written for clarity, and as an oracle."""

    def __init__(self, hands: list[set[str]], *, breaking: bool = False, safe_first: bool = False):
        self.hands = [set(hand) for hand in hands]
        self.breaking = breaking
        self.safe_first = safe_first
        self.tricks: list[list[tuple[int, str]]] = [[]]
        self.taken: list[list[str]] = [[], [], [], []]
        self.mover = next(seat for seat, hand in enumerate(hands) if "2c" in hand)

    def legal(self) -> set[str]:
        hand = self.hands[self.mover]
        trick = self.tricks[-1]
        first = len(self.tricks) == 1
        if not trick:
            if first:
                return {"2c"}
            seen = [card for past in self.tricks for _, card in past]
            if self.breaking and not any(card.endswith("h") for card in seen):
                return {card for card in hand if not card.endswith("h")} or set(hand)
            return set(hand)
        led = trick[0][1][-1]
        same = {card for card in hand if card[-1] == led}
        if same:
            return same
        if first and self.safe_first:
            return {card for card in hand if not is_penalty(card)} or set(hand)
        return set(hand)

    def play(self, card: str) -> None:
        self.hands[self.mover].remove(card)
        trick = self.tricks[-1]
        trick.append((self.mover, card))
        self.mover = (self.mover + 1) % 4
        if len(trick) == 4:
            led = trick[0][1][-1]
            seat, _ = max((p for p in trick if p[1][-1] == led), key=lambda p: rank(p[1]))
            self.taken[seat] += [played for _, played in trick]
            self.mover = seat
            self.tricks.append([])

    def scores(self, *, moon: str = "none", jack: bool = False) -> list[int]:
        points = [
            sum(13 if card == "qs" else 1 for card in cards if is_penalty(card))
            for cards in self.taken
        ]
        if moon != "none" and 26 in points:
            shooter = points.index(26)
            other = 26 if moon == "add" else 0
            points = [other] * 4
            points[shooter] = 0 if moon == "add" else -26
        if jack:
            points = [p - 10 * ("jd" in cards) for p, cards in zip(points, self.taken, strict=True)]
        return points


def count_lines(deal: SlowDeal, depth: int) -> int:
    """Lines of `depth` cards, by the slow rules."""
    if depth == 0:
        return 1
    total = 0
    for card in sorted(deal.legal()):
        again = SlowDeal.__new__(SlowDeal)
        again.hands = [set(hand) for hand in deal.hands]
        again.breaking, again.safe_first = deal.breaking, deal.safe_first
        again.tricks = [list(trick) for trick in deal.tricks]
        again.taken = [list(cards) for cards in deal.taken]
        again.mover = deal.mover
        again.play(card)
        total += count_lines(again, depth - 1)
    return total


def lawful(hands: list[set[str]], history: History, **rules: bool) -> bool:
    """Whether a history of plays was possible from these hands."""
    if sum("2c" in hand for hand in hands) != 1 or any(len(hand) != 13 for hand in hands):
        return False
    deal = SlowDeal(hands, **rules)
    for seat, card in history:
        if deal.mover != seat or card not in deal.hands[seat] or card not in deal.legal():
            return False
        deal.play(card)
    return True


def fill(*hands: str) -> list[set[str]]:
    """A whole deal in which each hand has the given cards; the rest goes round in deck order."""
    given = [set(hand.split()) for hand in (*hands, "", "", "", "")[:4]]
    rest = [card for card in DECK if not any(card in hand for hand in given)]
    for hand in itertools.cycle(given):
        if not rest:
            return given
        if len(hand) < 13:
            hand.add(rest.pop(0))
    return given


def cards_of(game: Hearts, cards: int) -> set[str]:
    return {game.write(c) for c in range(64) if int(cards) >> c & 1}


def number(game: Hearts, card: str) -> int:
    found = game.read(card)
    assert isinstance(found, int)
    return found


def to_deal(game: Hearts, hands: list[set[str]]) -> tuple[int, ...]:
    return tuple(sum(1 << number(game, card) for card in hand) for hand in hands)


def dealt(game: Hearts, hands: list[set[str]], *cards: str) -> State:
    """The state after a deal and some cards."""
    state = game.play(game.new(), to_deal(game, hands))
    for card in cards:
        assert game.read(card) in game.moves(state), f"{card} is not legal"
        state = game.play(state, game.read(card))
    return state


def legal(game: Hearts, state: State) -> set[str]:
    return {game.write(move) for move in game.moves(state)}


def random_deal(game: Hearts, seed: int, *, until: int) -> tuple[State, History]:
    """A state `until` cards into a random deal (passing not counted), and what was played."""
    rng = np.random.default_rng(seed)
    state = game.play(game.new(), game.draw(game.new(), rng))
    history: History = []
    while len(history) < until:
        passing = game.record(state).count < 0
        move = int(rng.choice(game.moves(state)))
        if not passing:
            history.append((game.mover(state), game.write(move)))
        state = game.play(state, move)
    while game.record(state).count < 0:
        state = game.play(state, int(rng.choice(game.moves(state))))
    return state, history


def assignments(
    cards: list[str], sizes: list[int]
) -> Iterator[tuple[set[str], set[str], set[str]]]:
    """All ways to divide cards among three hands of these sizes."""
    for first in itertools.combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in first]
        for second in itertools.combinations(rest, sizes[1]):
            yield set(first), set(second), set(rest) - set(second)


class Slow:
    """The oracle and its helpers, for tests, which cannot import this file."""

    DECK = DECK
    Deal = SlowDeal
    assignments = staticmethod(assignments)
    cards_of = staticmethod(cards_of)
    count_lines = staticmethod(count_lines)
    dealt = staticmethod(dealt)
    fill = staticmethod(fill)
    is_penalty = staticmethod(is_penalty)
    lawful = staticmethod(lawful)
    legal = staticmethod(legal)
    random_deal = staticmethod(random_deal)
    to_deal = staticmethod(to_deal)


@pytest.fixture(scope="session")
def make() -> Make:
    """make(**settings): Hearts as it is installed."""

    def hearts(**settings: Any) -> Hearts:
        game = installed().game("hearts", **settings)
        assert isinstance(game, Hearts)
        return game

    return hearts


@pytest.fixture(scope="session")
def slow() -> type[Slow]:
    return Slow
