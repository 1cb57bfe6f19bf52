"""The games of tricks: how they are dealt, what is done in secret, what playing a card shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mpsearch_openspiel.deals import Place
from mpsearch_openspiel.position import Seen
from mpsearch_openspiel.tricks import HIDDEN, Looked, TrickGame, own_cards, placed_cards


class Hearts(TrickGame):
    """Three cards are passed on in secret, by one seat after the other, before play begins."""

    start = 1
    _DEALT, _PASSED = 53, 3
    _TWO_OF_CLUBS, _HEARTS, _QUEEN = 0, 2, 43

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        options = game.get_parameters()
        self.breaks: bool = options.get("must_break_hearts", True)
        self.safe_first: bool = options.get("no_pts_on_first_trick", True)
        self.points = {c for c in range(52) if c % 4 == self._HEARTS} | {self._QUEEN}

    def _passes(self, plies: Sequence[int]) -> tuple[list[range], bool]:
        """The plies at which each seat has passed cards on, and whether that is over."""
        play = self._DEALT + (self.players * self._PASSED if plies[0] else 0)
        ends = min(len(plies), play)
        firsts = [min(self._DEALT + self._PASSED * giver, ends) for giver in range(self.players)]
        return [range(first, min(first + self._PASSED, ends)) for first in firsts], ends == play

    def look(self, history: Sequence[int], seat: int) -> Looked:
        where = {card: i % self.players for i, card in enumerate(history[1 : self._DEALT])}
        passes, over = self._passes(history)
        played = history[passes[-1].stop :]
        plies = [history[0], *[HIDDEN] * (len(history) - len(played) - 1), *played]
        # In what order cards were passed, nobody is told.
        for giver in (seat, self._receiver(seat, -history[0])) if over else (seat,):
            for ply, card in zip(
                passes[giver], sorted(history[p] for p in passes[giver]), strict=True
            ):
                plies[ply] = card
        seen = {*played}
        if over:
            for giver, at in enumerate(passes):
                where |= {history[ply]: self._receiver(giver, history[0]) for ply in at}
            seen |= {history[ply] for ply in passes[seat]}
            # Who is to lead first has the two of clubs: all can see that.
            seen |= {self._TWO_OF_CLUBS} if not played else set()
        seen |= own_cards(where, seat)
        return plies, placed_cards(where, seen, self.players), [(where[c], c) for c in played]

    def _receiver(self, giver: int, direction: int) -> int:
        return (giver + direction) % self.players

    def places(self, view: Seen) -> list[Place]:
        return self._hands(view, [13] * self.players)

    def banned(self, view: Seen) -> list[set[int]]:
        """Also who leads hearts too early has nothing else, and who gives points too early."""
        banned = super().banned(view)
        broken = not self.breaks
        for number, (seat, card) in enumerate(view.played):
            heart = card % self.suits == self._HEARTS
            if number % self.players == 0 and heart and not broken:
                banned[seat].update(c for c in range(52) if c % self.suits != self._HEARTS)
            if self.safe_first and number < self.players and card in self.points:
                banned[seat].update(c for c in range(52) if c not in self.points)
            broken |= card in self.points
        return banned

    def undone(
        self, plies: list[int], places: list[set[int]], rng: np.random.Generator
    ) -> list[set[int]]:
        passes, over = self._passes(plies)
        dealt = [set(hand) for hand in places]
        for giver, at in enumerate(passes):
            # The cards are with the receiver once all have passed.
            holder = self._receiver(giver, plies[0]) if over else giver
            known = [plies[ply] for ply in at if plies[ply] != HIDDEN]
            cards = (
                rng.permutation(known)
                if known
                else rng.choice(sorted(places[holder]), size=len(at), replace=False)
            )
            for ply, card in zip(at, cards.tolist(), strict=True):
                plies[ply] = card
                dealt[holder].discard(card)
                dealt[giver].add(card)
        return dealt


class Bridge(TrickGame):
    """After the first card dummy's hand lies open."""

    def look(self, history: Sequence[int], seat: int) -> Looked:
        where = {card: i % self.players for i, card in enumerate(history[: self.cards])}
        since = history[self.cards :]
        # Calls have numbers above those of cards.
        played = [action for action in since if action < self.cards]
        seen = {*played, *own_cards(where, seat)}
        if played:
            seen |= own_cards(where, (where[played[0]] + 1) % self.players)
        plies = [*[HIDDEN] * self.cards, *since]
        return plies, placed_cards(where, seen, self.players), [(where[c], c) for c in played]

    def places(self, view: Seen) -> list[Place]:
        return self._hands(view, [13] * self.players)


class OhHell(TrickGame):
    """As many cards as there are tricks, one more that says what is trump, and the rest unseen."""

    start = 2

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        options = game.get_parameters()
        self.suits = options.get("num_suits", 4)
        self.cards = self.suits * options.get("num_cards_per_suit", 13)

    def look(self, history: Sequence[int], seat: int) -> Looked:
        dealt = self.start + self.players * history[0]
        where = {card: i % self.players for i, card in enumerate(history[self.start : dealt])}
        where[history[dealt]] = self.players
        played = history[dealt + 1 + self.players :]
        seen = {*played, *own_cards(where, seat), history[dealt]}
        plies = [*history[: self.start], *[HIDDEN] * (dealt - self.start), *history[dealt:]]
        return plies, placed_cards(where, seen, self.players + 1), [(where[c], c) for c in played]

    def places(self, view: Seen) -> list[Place]:
        tricks = view.plies[0]
        rest = Place(
            size=self.cards - tricks * self.players, sure=frozenset(view.placed[self.players])
        )
        return [*self._hands(view, [tricks] * self.players), rest]


class Euchre(TrickGame):
    """Three cards are not dealt, and the dealer may take up a fourth for one it lays away."""

    cards = 24
    start = 1
    _TRICKS, _UP, _PASS, _ALONE, _JACKS = 5, 21, 24, 29, 8
    #: Places besides hands: what was not dealt or turned down, and what was laid away.
    _REST, _AWAY = 4, 5

    def _calls(self, plies: Sequence[int]) -> tuple[int | None, int | None]:
        """The trump suit, and the ply at which the dealer lays a card away; None if not known."""
        passes = 0
        while plies[self._UP + 1 + passes :][:1] == [self._PASS]:
            passes += 1
        at = self._UP + 1 + passes
        if at >= len(plies):
            return None, None
        return plies[at] - self._PASS - 1, at + 1 if passes < self.players else None

    def look(self, history: Sequence[int], seat: int) -> Looked:
        dealer, up = history[0], history[self._UP]
        where = {card: self.receiver(i, history) for i, card in enumerate(history[1 : self._UP])}
        trump, away = self._calls(history)
        where[up] = self._REST if away is None else dealer
        plies = [dealer, *[HIDDEN] * (self._UP - 1), *history[self._UP :]]
        # Whether to go alone is said after that, with numbers above those of cards.
        played = []
        if trump is not None:
            said = self._UP + 1 if away is None else away + 1
            played = [action for action in history[said:] if action < self.cards]
        seen = {*played, up}
        if away is not None and away < len(history):
            where[history[away]] = self._AWAY
            if seat == dealer:
                seen.add(history[away])
            else:
                plies[away] = HIDDEN
        seen |= own_cards(where, seat)
        return plies, placed_cards(where, seen, self._AWAY + 1), [(where[c], c) for c in played]

    def receiver(self, number: int, plies: Sequence[int]) -> int:
        return (plies[0] + number) % self.players

    def suit(self, card: int, view: Seen) -> int:
        trump, _ = self._calls(list(view.plies))
        # The other jack of its colour is a trump.
        if trump is not None and card == self._JACKS + 3 - trump:
            return trump
        return card % self.suits

    def in_trick(self, view: Seen) -> int:
        return self.players - view.plies.count(self._ALONE)

    def places(self, view: Seen) -> list[Place]:
        _, away = self._calls(list(view.plies))
        laid = away is not None and away < len(view.plies)
        sizes = [self._TRICKS] * self.players
        if away is not None and not laid:
            sizes[view.plies[0]] += 1
        rest = Place(size=3 + (away is None), sure=frozenset(view.placed[self._REST]))
        laid_away = Place(size=int(laid), sure=frozenset(view.placed[self._AWAY]))
        return [*self._hands(view, sizes), rest, laid_away]

    def undone(
        self, plies: list[int], places: list[set[int]], rng: np.random.Generator
    ) -> list[set[int]]:
        hands = places[: self.players]
        hands[plies[0]].discard(plies[self._UP])
        if places[self._AWAY]:
            _, away = self._calls(plies)
            assert away is not None
            (plies[away],) = places[self._AWAY]
            hands[plies[0]] |= places[self._AWAY]
        return hands


TRICK_GAMES: dict[str, Callable[[Any], TrickGame]] = {
    "bridge": Bridge,
    "euchre": Euchre,
    "hearts": Hearts,
    "oh_hell": OhHell,
}
