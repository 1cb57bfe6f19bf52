"""Hearts as a Game: deals, views, worlds and text around the compiled rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import CHANCE, CompiledGame
from mpsearch.errors import MoveError, UsageError
from mpsearch_hearts.cards import DECK, HAND, LANE, SEATS, TWO_OF_CLUBS
from mpsearch_hearts.learned import FEATURES
from mpsearch_hearts.options import choose_variant
from mpsearch_hearts.picture import draw_table, stage
from mpsearch_hearts.rules import RULES, begin_play, legal_cards, penalty
from mpsearch_hearts.state import NOBODY, PASSING_STARTS
from mpsearch_hearts.svg import draw
from mpsearch_hearts.text import (
    SUIT_NAMES,
    Deal,
    cards_in,
    read_card,
    read_deal,
    suit_of,
    write_card,
    write_deal,
)
from mpsearch_hearts.worlds import draw_world, draw_worlds, hide

_CARDS = np.array([LANE * suit + rank for suit in range(4) for rank in range(HAND)])


class View(NamedTuple):
    """A seat's view: the state without what is hidden from it."""

    seat: int
    #: A record without the others' hands and the cards they passed unseen.
    known: bytes


class Hearts(CompiledGame):
    """Hearts for four: a tournament of deals, or a single one."""

    rules = RULES
    features = FEATURES
    hidden = True
    players = SEATS

    def __init__(
        self,
        *,
        players: int = SEATS,
        preset: str,
        limit: int,
        lead: int = 0,
        leader: int = 0,
        **flags: str,
    ) -> None:
        if players != SEATS:
            raise ValueError(f"hearts: {players} players; the game is for {SEATS}")
        if lead >= limit:
            raise UsageError(f"hearts: lead={lead}: must be below the limit, which is {limit}")
        self.scores = [0 if seat == leader else lead for seat in range(SEATS)]
        self.limit = limit
        self.preset = preset
        self.variant = choose_variant(preset, flags)

    def setup(self, s: Any) -> None:
        s.variant = self.variant.flags
        s.limit = self.limit
        s.scores[:] = self.scores
        s.jack = NOBODY
        s.mover = CHANCE

    def play(self, state: bytes, move: int | Deal) -> bytes:
        if not isinstance(move, tuple):
            after: bytes = super().play(state, move)
            return after
        s = self.record(state)
        if s.mover != CHANCE:
            raise MoveError("a deal is only possible between deals")
        s.hands[:] = move
        s.direction = self.variant.direction(int(s.deals))
        if s.direction:
            s.count = PASSING_STARTS
            s.mover = 0
        else:
            begin_play(s)
        return bytes(s.tobytes())

    def draw(self, state: bytes, rng: np.random.Generator) -> Deal:
        cards = rng.permutation(_CARDS).reshape(SEATS, HAND).tolist()
        return tuple(sum(1 << card for card in hand) for hand in cards)

    def possible(self, state: bytes, outcome: int | Deal) -> bool:
        """A deal: thirteen cards each, and all of them."""
        return (
            isinstance(outcome, tuple)
            and [hand.bit_count() for hand in outcome] == [HAND] * SEATS
            and outcome[0] | outcome[1] | outcome[2] | outcome[3] == DECK
        )

    def view(self, state: bytes, seat: int) -> View:
        records = self.records(state)
        hide.on(records, seat)
        return View(seat, records.tobytes())

    def world(self, view: View, rng: np.random.Generator) -> bytes:
        """Uniform over all deals, and all ways of passing, that agree with the view."""
        return draw_world(view.known, view.seat, rng)

    def worlds(self, view: View, count: int, rng: np.random.Generator) -> list[bytes]:
        return draw_worlds(view.known, view.seat, count, rng)

    def seen(self, state: bytes, move: int | Deal, seat: int) -> int | Deal | None:
        if isinstance(move, tuple):
            return tuple(hand if owner == seat else 0 for owner, hand in enumerate(move))
        s = self.record(state)
        return None if s.count < 0 and s.mover != seat else move

    def write(self, move: int | Deal) -> str:
        return write_deal(move) if isinstance(move, tuple) else write_card(move)

    def remark(self, state: bytes, move: int | Deal) -> str:
        """Who takes the trick that a card completes, and what it costs."""
        s = self.record(state)
        if isinstance(move, tuple) or s.count < 0 or s.count % SEATS != SEATS - 1:
            return ""
        follows = suit_of(move) == suit_of(int(s.best)) and move > s.best
        taker = int(s.mover if follows else s.winner)
        points = int(penalty(int(s.pile) | 1 << move))
        cost = f", {points} point{'s' * (points != 1)}" if points else ""
        return f"seat {taker} takes the trick{cost}"

    def stage(self, view: View | bytes) -> str:
        return stage(self.record(view.known if isinstance(view, View) else view))

    def read(self, text: str) -> int | Deal:
        return read_deal(text) if "|" in text else read_card(text)

    def objection(self, state: bytes, move: int | Deal) -> str:
        s = self.record(state)
        if isinstance(move, tuple):
            return "it is a deal, not a card"
        hand = int(s.hands[s.mover])
        if not hand >> move & 1:
            return f"{write_card(move)} is not in the hand"
        if s.count < 0:
            return f"{write_card(move)} was already chosen"
        if s.count == 0:
            return f"{write_card(TWO_OF_CLUBS)} must be led first"
        if s.count % SEATS == 0:
            return "hearts are not broken yet"
        suit = suit_of(int(s.best))
        if any(suit_of(card) == suit for card in cards_in(hand)):
            return f"{SUIT_NAMES[suit]} must be followed"
        return "points are not allowed in the first trick"

    def picture(self, view: View | bytes, *, colour: bool = False) -> str:
        """The table as a seat sees it; given a state, with every hand open."""
        seat, known = view if isinstance(view, View) else (None, view)
        s = self.record(known)
        legal = int(legal_cards(s)) if s.mover >= 0 and seat in (None, s.mover) else 0
        return draw_table(s, seat=seat, legal=legal, colour=colour)

    def svg(self, view: View | bytes, *, moves: Sequence[int] = ()) -> str:
        """The table as a seat sees it; given a state, with every hand open."""
        seat, known = view if isinstance(view, View) else (None, view)
        return draw(self.record(known), seat=seat, moves=moves)
