"""Go Fish: nearly every turn somebody can be robbed.

The deck has four cards of each rank. Everybody is dealt `hand` cards. The mover asks another
player who has cards for a rank: any, as the MP-Mix paper describes the game, or with
`ask=held` one that it holds itself, as most people play. If the other has cards of it, it hands
all of them over and the mover asks again; if not, the mover draws a card from the stock and the
turn passes on. Four cards of a rank are a book, laid down at once. Whoever must ask and has no
cards draws one first, and is passed over when the stock is empty. Where nobody else has cards
the mover only draws. The game ends when all books are made. With an empty stock players can ask
in vain for ever, so it also ends after `asks` questions; most books win.

Everybody sees the questions, the cards that are given and the books; a card from the stock is
seen by whoever draws it, unless it completes a book.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import CompiledGame
from mpsearch.errors import MoveError
from mpsearch_calibration.go_fish.picture import draw_table
from mpsearch_calibration.go_fish.rules import RULES, begin_turn, lay_down
from mpsearch_calibration.go_fish.state import (
    ASKED,
    BOOK,
    CARDS,
    DRAWN,
    MOST_RANKS,
    SEAT,
    SINCE,
    UNTIL,
)
from mpsearch_calibration.go_fish.text import Deal, read_move, write_move
from mpsearch_calibration.go_fish.worlds import Row, Taken, fish_worlds


class View(NamedTuple):
    """A seat's view: the state without what is hidden from it."""

    seat: int
    #: A record in which the hands of the others and the stock are empty.
    known: bytes


class GoFish(CompiledGame):
    """Go Fish with `ranks` ranks and `hand` cards each."""

    rules = RULES
    hidden = True

    def __init__(self, *, players: int, ranks: int, hand: int, asks: int, ask: str) -> None:
        self.players = players
        self.ranks = ranks
        # No more than there are cards for.
        self.hand = min(hand, BOOK * ranks // players)
        self.asks = asks
        self.strict = ask == "held"

    def setup(self, s: Any) -> None:
        s.players = self.players
        s.ranks = self.ranks
        s.strict = self.strict
        s.asks_left = self.asks
        s.stock[: self.ranks] = BOOK
        s.rest = BOOK * self.ranks

    def play(self, state: bytes, move: int | Deal) -> bytes:
        if not isinstance(move, tuple):
            after: bytes = super().play(state, move)
            return after
        s = self.record(state)
        if s.dealt:
            raise MoveError("the cards are dealt only once")
        s.dealt = 1
        for seat, hand in enumerate(move):
            s.hands[seat, : self.ranks] = hand
            s.stock[: self.ranks] -= s.hands[seat, : self.ranks]
            s.sizes[seat] = sum(hand)
            s.rest -= sum(hand)
            for rank in range(self.ranks):
                if hand[rank] == BOOK:
                    s.known[seat, rank] = BOOK
                    lay_down(s, seat, rank)
            s.taken[seat] = s.sizes[seat]
        begin_turn(s, 0)
        return bytes(s.tobytes())

    def draw(self, state: bytes, rng: np.random.Generator) -> int | Deal:
        s = self.record(state)
        cards = rng.permutation(np.repeat(np.arange(self.ranks), s.stock[: self.ranks]))
        if s.dealt:
            return DRAWN + int(cards[0])
        n = self.hand
        piles = (cards[seat * n : (seat + 1) * n] for seat in range(self.players))
        return tuple(tuple(np.bincount(pile, minlength=self.ranks).tolist()) for pile in piles)

    def possible(self, state: bytes, outcome: int | Deal) -> bool:
        s = self.record(state)
        if s.dealt:
            ranks = [DRAWN + rank for rank in range(self.ranks) if s.stock[rank] > 0]
            return not isinstance(outcome, tuple) and outcome in ranks
        return (
            isinstance(outcome, tuple)
            and len(outcome) == self.players
            and all(len(hand) == self.ranks and min(hand) >= 0 for hand in outcome)
            and all(sum(hand) == self.hand for hand in outcome)
            and all(sum(counts) <= BOOK for counts in zip(*outcome, strict=True))
        )

    def view(self, state: bytes, seat: int) -> View:
        s = self.record(state)
        if s.dealt:
            s.hands[np.arange(len(s.hands)) != seat] = 0
            s.stock[:] = 0
        return View(seat, bytes(s.tobytes()))

    def world(self, view: View, rng: np.random.Generator) -> bytes:
        """Drawn in proportion to its probability, given all that the seat has seen."""
        s = self.record(view.known)
        if not s.dealt:
            return view.known
        others = [seat for seat in range(self.players) if seat != view.seat]
        unseen = BOOK * (1 - s.gone) - s.hands[view.seat] - s.known[others].sum(axis=0)
        unseen = unseen[: self.ranks].tolist()
        worlds = fish_worlds(tuple(unseen), tuple(self._taken(s, seat, unseen) for seat in others))
        hands, stock = worlds.draw(rng)
        for seat, hand in zip(others, hands, strict=True):
            s.hands[seat] = s.known[seat]
            s.hands[seat, : self.ranks] += np.array(hand, dtype=np.int8)
        s.stock[: self.ranks] = stock
        return bytes(s.tobytes())

    def _taken(self, s: Any, seat: int, unseen: list[int]) -> Taken:
        """What all know of the cards that a seat took unseen."""
        places = int(s.taken[seat])
        parted = [
            Row(entry[SINCE], entry[ASKED], entry[UNTIL], entry[CARDS], entry[CARDS])
            for entry in s.parted[: s.partings].tolist()
            if entry[SEAT] == seat
        ]
        kept = [
            # Four would have been laid down. Where there are none, all the rest is of no account.
            Row(since, asked, places, 0, min(cards, BOOK - 1 - known))
            if cards
            else Row(0, 0, places, 0, 0)
            for cards, since, asked, known in zip(
                unseen,
                s.since[seat].tolist(),
                s.asked[seat].tolist(),
                s.known[seat].tolist(),
                strict=False,
            )
        ]
        return Taken(places, tuple(parted), tuple(kept))

    def seen(self, state: bytes, move: int | Deal, seat: int) -> int | Deal | None:
        return move if isinstance(move, int) and move < DRAWN else None

    def write(self, move: int | Deal) -> str:
        return write_move(move)

    def read(self, text: str) -> int | Deal:
        return read_move(text, players=self.players, ranks=self.ranks)

    def objection(self, state: bytes, move: int | Deal) -> str:
        ranks = dict.fromkeys(str(move % MOST_RANKS + 1) for move in self.moves(state))
        return f"ask another seat that has cards for one of the ranks {' '.join(ranks)}"

    def picture(self, view: View | bytes, *, colour: bool = False) -> str:
        """The table as a seat sees it; given a state, with every hand open."""
        seat, known = view if isinstance(view, View) else (None, view)
        return draw_table(self.record(known), seat=seat)
