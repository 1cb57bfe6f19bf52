"""A second, plain implementation of Go Fish that shares nothing with the rules, and two oracles.

`believe` is Bayes' rule written out: it keeps every full state that agrees with what a seat has
seen, with the number of deals and draws that lead to it. `possible` only asks whether one exists,
and is fast enough for the usual game.
"""

from __future__ import annotations

import collections
import itertools
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pytest
from mpsearch_calibration.go_fish.game import GoFish

from mpsearch import load_catalog

BOOK = 4

#: Cards by rank, for every seat.
Hands: TypeAlias = tuple[tuple[int, ...], ...]


class Table(NamedTuple):
    """Everything about a game under way; hands and stock as numbers of cards by rank."""

    hands: Hands
    stock: tuple[int, ...]
    #: Ranks laid down by each seat, in order of time.
    books: tuple[tuple[int, ...], ...]
    asks_left: int
    seat: int = 0
    draws: bool = False
    passes: bool = False

    @property
    def public(self) -> tuple[object, ...]:
        """What everybody sees."""
        sizes = tuple(map(sum, self.hands)), sum(self.stock)
        return sizes, self.books, self.asks_left, self.seat, self.draws, self.passes

    def questions(self, ask: str) -> list[tuple[int, int]]:
        gone = set(itertools.chain(*self.books))
        return [
            (other, rank)
            for other, hand in enumerate(self.hands)
            if other != self.seat and any(hand)
            for rank in range(len(self.stock))
            if (self.hands[self.seat][rank] if ask == "held" else rank not in gone)
        ]

    def asked(self, other: int, rank: int) -> Table:
        given = self.hands[other][rank]
        hands = [list(hand) for hand in self.hands]
        hands[other][rank] = 0
        hands[self.seat][rank] += given
        after = self._replace(asks_left=self.asks_left - 1).with_hands(hands)
        if given:
            return after.turn(self.seat)
        if any(self.stock):
            return after._replace(draws=True, passes=True)
        return after.turn(self.seat + 1)

    def drawn(self, rank: int) -> Table:
        stock, hands = list(self.stock), [list(hand) for hand in self.hands]
        stock[rank] -= 1
        hands[self.seat][rank] += 1
        after = self._replace(stock=tuple(stock)).with_hands(hands)
        return after.turn(self.seat + self.passes)

    def with_hands(self, hands: list[list[int]]) -> Table:
        """These hands, once all books are laid down."""
        books = [
            (*made, *(rank for rank, cards in enumerate(hand) if cards == BOOK))
            for made, hand in zip(self.books, hands, strict=True)
        ]
        left = [tuple(cards % BOOK for cards in hand) for hand in hands]
        return self._replace(hands=tuple(left), books=tuple(books))

    def turn(self, seat: int) -> Table:
        players = len(self.hands)
        for who in (k % players for k in range(seat, seat + players)):
            others = any(any(hand) for k, hand in enumerate(self.hands) if k != who)
            cards = any(self.hands[who])
            if cards and others:
                return self._replace(seat=who, draws=False, passes=False)
            if any(self.stock):
                return self._replace(seat=who, draws=True, passes=cards)
        return self._replace(seat=seat % players, draws=False, passes=False)


def dealt(hands: Hands, *, ranks: int, asks: int) -> Table:
    stock = tuple(BOOK - sum(hand[rank] for hand in hands) for rank in range(ranks))
    table = Table(hands=(), stock=stock, books=((),) * len(hands), asks_left=asks)
    return table.with_hands([list(hand) for hand in hands]).turn(0)


class Event(NamedTuple):
    """Something that happened: a question, or a card drawn (`other` is None)."""

    before: Table
    other: int | None
    rank: int
    after: Table


class History:
    """A game in the plain rules, with all that happened."""

    def __init__(self, hands: Hands, *, ranks: int, asks: int, ask: str) -> None:
        self.ask, self.ranks, self.asks = ask, ranks, asks
        self.deal = hands
        self.start = self.table = dealt(hands, ranks=ranks, asks=asks)
        self.events: list[Event] = []

    def happens(self, other: int | None, rank: int) -> None:
        table = self.table
        self.table = table.drawn(rank) if other is None else table.asked(other, rank)
        self.events.append(Event(table, other, rank, self.table))

    def believe(self, seat: int) -> collections.Counter[Table]:
        """Every table that `seat` may be at, and in how many ways it came about."""
        belief = collections.Counter(
            {
                table: ways
                for hands, ways in self._deals(seat).items()
                for table in [dealt(hands, ranks=self.ranks, asks=self.asks)]
                if self._agrees(table, self.start, seat)
            }
        )
        for event in self.events:
            following: collections.Counter[Table] = collections.Counter()
            for table, ways in belief.items():
                if event.other is not None:
                    if (event.other, event.rank) in table.questions(self.ask):
                        following[table.asked(event.other, event.rank)] += ways
                    continue
                secret = event.before.seat != seat
                for rank in range(self.ranks) if secret else [event.rank]:
                    if table.stock[rank]:
                        following[table.drawn(rank)] += ways * table.stock[rank]
            belief = collections.Counter(
                {t: ways for t, ways in following.items() if self._agrees(t, event.after, seat)}
            )
        return belief

    @staticmethod
    def _agrees(table: Table, real: Table, seat: int) -> bool:
        return table.public == real.public and table.hands[seat] == real.hands[seat]

    def _deals(self, seat: int) -> collections.Counter[Hands]:
        """All deals in which `seat` has what it has, dealt card by card."""
        mine = self.deal[seat]
        none = (0,) * self.ranks
        start = tuple(mine if owner == seat else none for owner in range(len(self.deal)))
        found = collections.Counter({start: 1})
        for owner in (owner for owner in range(len(self.deal)) if owner != seat):
            for _ in range(sum(mine)):
                following: collections.Counter[Hands] = collections.Counter()
                for hands, ways in found.items():
                    for rank in range(self.ranks):
                        left = BOOK - sum(hand[rank] for hand in hands)
                        if left:
                            hand = list(hands[owner])
                            hand[rank] += 1
                            more = (*hands[:owner], tuple(hand), *hands[owner + 1 :])
                            following[more] += ways * left
                found = following
        return found

    def possible(self, world: Table, seat: int) -> bool:
        """Whether `seat` may be at this table."""
        everywhere = [*world.hands, world.stock]
        whole = all(
            sum(pile[rank] for pile in everywhere)
            == (0 if any(rank in made for made in world.books) else BOOK)
            for rank in range(self.ranks)
        )
        return (
            whole
            and self._agrees(world, self.table, seat)
            and all(max(hand) < BOOK for hand in world.hands)
            and all(self._came_by(who, hand) for who, hand in enumerate(world.hands))
        )

    def _came_by(self, who: int, hand: tuple[int, ...]) -> bool:
        """Whether a seat can have come by its hand through a deal and draws.

        Each card that it has or had and that it was not given in public came with one of its
        draws: not before it last had none of the rank, and not after it gave it away. Draws take
        the most urgent card first.
        """
        draws = sum(self.start.hands[who])
        given = [0] * self.ranks
        earliest = [0] * self.ranks
        proven: list[int | None] = [None] * self.ranks
        wanted: list[tuple[int, int]] = []

        def parts(rank: int, cards: int) -> bool:
            unseen = cards - given[rank]
            by = [draws] * unseen
            if (shown := proven[rank]) is not None:
                if unseen < 1:
                    return False
                by[0] = shown
            wanted.extend((earliest[rank], latest) for latest in by)
            given[rank], earliest[rank], proven[rank] = 0, draws, None
            return unseen >= 0

        for event in self.events:
            before, after, rank = event.before, event.after, event.rank
            made = len(after.books[who]) > len(before.books[who])
            if event.other is None:
                if before.seat != who:
                    continue
                if not made:
                    draws += 1
                elif not parts(rank, BOOK - 1):
                    return False
            elif event.other == who:
                cards = sum(before.hands[who]) - sum(after.hands[who])
                if not parts(rank, cards):
                    return False
            elif before.seat == who:
                if self.ask == "held" and not given[rank] and proven[rank] is None:
                    proven[rank] = draws
                given[rank] += sum(before.hands[event.other]) - sum(after.hands[event.other])
                if made and not parts(rank, BOOK):
                    return False
        if not all(parts(rank, cards) for rank, cards in enumerate(hand)):
            return False
        for draw in range(draws):
            ready = [card for card in wanted if card[0] <= draw]
            if not ready or min(latest for _, latest in ready) <= draw:
                return False
            wanted.remove(min(ready, key=lambda card: card[1]))
        return not wanted


def fish(players: int = 3, **options: Any) -> GoFish:
    game = load_catalog().game("go_fish", players=players, **options)
    assert isinstance(game, GoFish)
    return game


def table_of(game: GoFish, state: bytes, like: Table) -> Table:
    """A state of the game as a table; the order of books is taken from `like`."""
    s = game.record(state)
    hands = s.hands[: game.players, : game.ranks].tolist()
    assert [len(made) for made in like.books] == s.books[: game.players].tolist()
    assert sorted(itertools.chain(*like.books)) == np.flatnonzero(s.gone).tolist()
    return like._replace(
        hands=tuple(map(tuple, hands)),
        stock=tuple(s.stock[: game.ranks].tolist()),
        asks_left=int(s.asks_left),
        seat=int(s.seat),
        draws=bool(s.draws),
        passes=bool(s.passes),
    )


class Slow:
    """The plain rules and their helpers, for tests, which cannot import this file."""

    History = History
    fish = staticmethod(fish)
    table_of = staticmethod(table_of)


@pytest.fixture(scope="session")
def slow() -> type[Slow]:
    return Slow
