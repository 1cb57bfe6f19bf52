"""Games of tricks: what a seat has seen of the cards, and worlds that are dealt from that alone.

A world is a history. All cards that a seat has not seen are dealt out in one of the ways that agree
with what everybody played, all equally likely; cards passed on or laid away in secret are drawn
from the hand that they were in, and hands are put in an order. Each deal has equally many of those,
so all histories that agree with a view are equally likely.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mpsearch.errors import ContractError
from mpsearch_openspiel.deals import Deals, Place
from mpsearch_openspiel.position import Inner, Position, Seen, numbers

#: In place of an action that a seat has not seen, and of every card dealt.
HIDDEN = -1

#: `plies`, `placed` and `played` of a view.
Looked = tuple[Sequence[int], Iterable[tuple[int, ...]], Iterable[tuple[int, int]]]


class TrickGame(ABC):
    """What is common: a deal in turns, tricks in which suit is followed, cards modulo suits."""

    #: Cards of the pack, and suits.
    cards = 52
    suits = 4
    #: The ply of the first card dealt.
    start = 0

    def __init__(self, game: Any) -> None:
        self.game = game
        self.players: int = game.num_players()
        self._counted: tuple[Seen, Deals] | None = None

    def view(self, inner: Inner, seat: int) -> Seen:
        mover: int = inner.current_player()
        # While cards are dealt, and at the end, nobody asks for worlds.
        looked = self.look(inner.history(), seat) if mover >= 0 else ((), (), ())
        plies, placed, played = looked
        return Seen(
            seat=seat, mover=mover, plies=tuple(plies), placed=tuple(placed), played=tuple(played),
            known=inner.information_state_string(seat), numbers=numbers(inner, seat),
        )  # fmt: skip

    def world(self, view: Seen, rng: np.random.Generator) -> Position:
        # An agent draws many worlds from one view: they are counted once.
        if self._counted is None or self._counted[0] is not view:
            self._counted = (view, Deals(range(self.cards), self.places(view)))
        plies = list(view.plies)
        dealt = self.undone(plies, self._counted[1].draw(rng), rng)
        orders = [rng.permutation(sorted(hand)).tolist() for hand in dealt]
        for number in range(sum(map(len, orders))):
            plies[self.start + number] = orders[self.receiver(number, plies)].pop()
        return self._replayed(plies)

    def _replayed(self, plies: Sequence[int]) -> Position:
        inner = self.game.new_initial_state()
        for ply, action in enumerate(plies):
            # What follows an illegal action may end the process. Of the deal all is legal.
            if not inner.is_chance_node() and action not in inner.legal_actions():
                raise ContractError(f"a world has an illegal action, {action} at ply {ply}")
            inner.apply_action(action)
        return Position.of(inner)

    @abstractmethod
    def look(self, history: Sequence[int], seat: int) -> Looked:
        """What a seat knows of a history after which a seat is to move."""

    @abstractmethod
    def places(self, view: Seen) -> list[Place]:
        """What may lie where at the start of play: the hands by seat, and whatever else there is.

        A card that was played lies in the hand from which it was.
        """

    def undone(
        self, plies: list[int], places: list[set[int]], rng: np.random.Generator
    ) -> list[set[int]]:
        """The hands as they were dealt; writes what was done in secret since into `plies`."""
        return places[: self.players]

    def receiver(self, number: int, plies: Sequence[int]) -> int:
        """Who is dealt the card of that number."""
        return number % self.players

    def suit(self, card: int, view: Seen) -> int:
        return card % self.suits

    def in_trick(self, view: Seen) -> int:
        return self.players

    def banned(self, view: Seen) -> list[set[int]]:
        """By seat, the cards it has shown not to have: the suit that it did not follow."""
        banned: list[set[int]] = [set() for _ in range(self.players)]
        led = 0
        for number, (seat, card) in enumerate(view.played):
            suit = self.suit(card, view)
            if number % self.in_trick(view) == 0:
                led = suit
            elif suit != led:
                banned[seat].update(c for c in range(self.cards) if self.suit(c, view) == led)
        return banned

    def _hands(self, view: Seen, sizes: Sequence[int]) -> list[Place]:
        return [
            Place(size=size, sure=frozenset(sure), banned=frozenset(banned))
            for size, sure, banned in zip(sizes, view.placed, self.banned(view), strict=False)
        ]


def placed_cards(
    where: Mapping[int, int], seen: Collection[int], places: int
) -> list[tuple[int, ...]]:
    """The cards seen by place, out of where all cards are."""
    return [tuple(sorted(c for c in seen if where[c] == place)) for place in range(places)]


def own_cards(where: Mapping[int, int], seat: int) -> set[int]:
    return {card for card, place in where.items() if place == seat}
