"""Go Fish: nearly every turn somebody can be robbed.

The deck has four cards of each rank. Everybody is dealt `hand` cards. The mover asks another
player who has cards for a rank: any, as the MP-Mix paper describes the game, or with
`ask=held` one that it holds itself, as most people play. If the other has cards of it, it hands
all of them over and the mover asks again; if not, the mover draws a card from the stock and the
turn passes on. Four cards of a rank are a book, laid down at once. Whoever must ask and has no
cards draws one first, and is passed over when the stock is empty. Where nobody else has cards
the mover only draws. The game ends when all books are made. With an empty stock players can ask
in vain for ever, so it also ends after `asks` questions; most books win.

What all have seen is kept in the state: who was given cards holds them, and with `ask=held`
who asked for a rank holds one. That a player did not have a rank is not kept, because its next
card may be one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Game
from mpsearch.errors import MoveError
from mpsearch_calibration.fish_worlds import UNKNOWN, Counts, deal_worlds

BOOK = 4


class Position(NamedTuple):
    """A state, or a seat's view of one, in which others' cards and the stock are UNKNOWN."""

    #: Cards of each rank in each hand; in a view, the others' sizes in place of the counts.
    hands: tuple[Counts, ...]
    #: Cards of each rank in the stock.
    stock: Counts
    #: Cards of each rank that all know to be in each hand.
    shown: tuple[Counts, ...]
    #: Books laid down by each seat, and which ranks are gone.
    books: tuple[int, ...]
    gone: tuple[int, ...] = ()
    seat: int = 0
    #: Whether the mover must draw before anything else, and whether the turn then passes on.
    draws: bool = False
    passes: bool = False
    asks_left: int = 0
    dealt: bool = False


class GoFish(Game):
    """Go Fish with `ranks` ranks and `hand` cards each."""

    hidden = True

    def __init__(self, *, players: int, ranks: int, hand: int, asks: int, ask: str) -> None:
        self.players = players
        self.ranks = ranks
        # No more than there are cards for.
        self.hand = min(hand, BOOK * ranks // players)
        self.asks = asks
        self.any_rank = ask == "any"

    def new(self) -> Position:
        none = (0,) * self.ranks
        return Position(
            hands=(none,) * self.players,
            stock=(BOOK,) * self.ranks,
            shown=(none,) * self.players,
            books=(0,) * self.players,
            asks_left=self.asks,
        )

    def mover(self, state: Position) -> int:
        if not state.dealt:
            return CHANCE
        if state.asks_left == 0 or sum(state.books) == self.ranks:
            return OVER
        return CHANCE if state.draws else state.seat

    def moves(self, state: Position) -> Sequence[tuple[int, int]]:
        me = state.seat
        others = [seat for seat in range(self.players) if seat != me]
        held = [seat for seat in others if _has_cards(state.hands[seat])]
        mine = state.hands[me]
        ranks = [
            rank
            for rank in range(self.ranks)
            if (rank not in state.gone if self.any_rank else mine[rank])
        ]
        return [(seat, rank) for seat in held for rank in ranks]

    def play(self, state: Position, move: Any) -> Position:
        if not state.dealt:
            rest = tuple(BOOK - sum(counts) for counts in zip(*move, strict=True))
            state = state._replace(hands=move, stock=rest, dealt=True)
            for seat in range(self.players):
                state = self._lay_down(state, seat)
            return self._turn(state, 0)
        if state.draws:
            me = state.seat
            stock = _added(state.stock, move, -1)
            hands = _put(state.hands, me, _added(state.hands[me], move, 1))
            drawn = self._lay_down(state._replace(stock=stock, hands=hands, draws=False), me)
            return self._turn(drawn, (me + 1) % self.players if state.passes else me)
        return self._ask(state, *move)

    def _ask(self, state: Position, other: int, rank: int) -> Position:
        me, given = state.seat, state.hands[other][rank]
        known = max(state.shown[me][rank], 0 if self.any_rank else 1)
        shown = _put(state.shown, me, _set(state.shown[me], rank, known + given))
        shown = _put(shown, other, _set(shown[other], rank, 0))
        hands = _put(state.hands, me, _added(state.hands[me], rank, given))
        hands = _put(hands, other, _set(hands[other], rank, 0))
        state = state._replace(hands=hands, shown=shown, asks_left=state.asks_left - 1)
        if given:
            return self._turn(self._lay_down(state, me), me)
        if any(state.stock):
            return state._replace(draws=True, passes=True)
        return self._turn(state, (me + 1) % self.players)

    def _lay_down(self, state: Position, seat: int) -> Position:
        for rank, count in enumerate(state.hands[seat]):
            if count == BOOK:
                state = state._replace(
                    hands=_put(state.hands, seat, _set(state.hands[seat], rank, 0)),
                    shown=_put(state.shown, seat, _set(state.shown[seat], rank, 0)),
                    books=_added(state.books, seat, 1),
                    gone=tuple(sorted((*state.gone, rank))),
                )
        return state

    def _turn(self, state: Position, seat: int) -> Position:
        """The turn of `seat`, or of the next who has cards or may draw one."""
        for step in range(self.players):
            who = (seat + step) % self.players
            has_cards = any(state.hands[who])
            if has_cards and any(any(state.hands[s]) for s in range(self.players) if s != who):
                return state._replace(seat=who, draws=False, passes=False)
            if any(state.stock):
                return state._replace(seat=who, draws=True, passes=has_cards)
        return state._replace(seat=seat, draws=False, passes=False)

    def payoff(self, state: Position) -> Array:
        return np.array(state.books, dtype=np.float64)

    def draw(self, state: Position, rng: np.random.Generator) -> Any:
        cards = rng.permutation(np.repeat(np.arange(self.ranks), state.stock))
        if state.dealt:
            return int(cards[0])
        n = self.hand
        piles = (cards[seat * n : (seat + 1) * n] for seat in range(self.players))
        return tuple(tuple(np.bincount(pile, minlength=self.ranks).tolist()) for pile in piles)

    def possible(self, state: Position, outcome: Any) -> bool:
        if state.dealt:
            return (
                isinstance(outcome, int)
                and 0 <= outcome < self.ranks
                and (state.stock[outcome] > 0)
            )
        return (
            isinstance(outcome, tuple)
            and len(outcome) == self.players
            and all(
                isinstance(hand, tuple) and len(hand) == self.ranks and min(hand) >= 0
                for hand in outcome
            )
            and all(sum(hand) == self.hand for hand in outcome)
            and all(sum(counts) <= BOOK for counts in zip(*outcome, strict=True))
        )

    def view(self, state: Position, seat: int) -> Position:
        hands = tuple(
            hand if owner == seat or not state.dealt else (UNKNOWN, sum(hand))
            for owner, hand in enumerate(state.hands)
        )
        stock = (UNKNOWN, sum(state.stock)) if state.dealt else state.stock
        return state._replace(hands=hands, stock=stock)

    def world(self, view: Position, rng: np.random.Generator) -> Position:
        if not view.dealt:
            return view
        seat = next(s for s, hand in enumerate(view.hands) if hand[0] != UNKNOWN)
        unseen = tuple(
            0 if rank in view.gone else BOOK - held for rank, held in enumerate(view.hands[seat])
        )
        others = [s for s in range(self.players) if s != seat]
        sizes = tuple(view.hands[s][1] for s in others)
        least = tuple(view.shown[s] for s in others)
        dealt, stock = deal_worlds(unseen, sizes, least).draw(rng)
        hands = list(view.hands)
        for other, hand in zip(others, dealt, strict=True):
            hands[other] = hand
        return view._replace(hands=tuple(hands), stock=stock)

    def seen(self, state: Position, move: Any, seat: int) -> Any:
        return move if state.dealt and not state.draws else None

    def write(self, move: Any) -> str:
        if isinstance(move, int):
            return f"draw {move + 1}"
        if isinstance(move[0], tuple):
            return "|".join(",".join(map(str, hand)) for hand in move)
        return f"{move[0]}:{move[1] + 1}"

    def read(self, text: str) -> Any:
        try:
            if text.startswith("draw "):
                return int(text.removeprefix("draw ")) - 1
            if "|" in text:
                return tuple(tuple(int(n) for n in part.split(",")) for part in text.split("|"))
            seat, rank = text.split(":")
            return int(seat), int(rank) - 1
        except ValueError:
            raise MoveError(
                f"move '{text}' is not a seat and a rank, such as '1:7' to ask seat 1 for a 7"
            ) from None

    def objection(self, state: Position, move: Any) -> str:
        ranks = dict.fromkeys(str(rank + 1) for _, rank in self.moves(state))
        return f"ask another seat that has cards for one of the ranks {' '.join(ranks)}"

    def picture(self, view: Position, *, colour: bool = False) -> str:
        stock = view.stock[1] if view.stock[0] == UNKNOWN else sum(view.stock)
        lines = [f"stock: {stock} cards   questions left: {view.asks_left}"]
        for seat, hand in enumerate(view.hands):
            hidden = hand[0] == UNKNOWN
            counts = view.shown[seat] if hidden else hand
            cards = " ".join(str(rank + 1) for rank, n in enumerate(counts) for _ in range(n))
            size = hand[1] if hidden else sum(hand)
            known = "shown" if hidden else "hand"
            lines.append(f"  seat {seat}  {view.books[seat]} books  {size} cards  {known}: {cards}")
        return "\n".join(lines)


def _has_cards(hand: Counts) -> bool:
    """Whether a hand, or what a view says of it, has cards."""
    return hand[1] > 0 if hand[0] == UNKNOWN else any(hand)


def _set(counts: Counts, index: int, value: int) -> Counts:
    return (*counts[:index], value, *counts[index + 1 :])


def _added(counts: Counts, index: int, change: int) -> Counts:
    return _set(counts, index, counts[index] + change)


def _put(table: tuple[Counts, ...], index: int, counts: Counts) -> tuple[Counts, ...]:
    return (*table[:index], counts, *table[index + 1 :])
