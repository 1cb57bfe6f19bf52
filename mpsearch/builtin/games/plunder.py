"""Plunder: a small card game with hidden hands and chance, for 3 to 5 players.

Everybody is dealt the same number of cards from a deck of different ranks; two cards stay
hidden. Each round a die decides what is at stake: a curse of -2 (1 in 6), a prize of 1 or 2
(1 in 3 each) or of 3 (1 in 6). Then everybody in turn plays a card face up, and the highest
takes what is at stake and leads the next round. Most points win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator, Game
from mpsearch.errors import MoveError

#: What can be at stake, and how likely it is.
STAKES = ((-2, 1 / 6), (1, 1 / 3), (2, 1 / 3), (3, 1 / 6))
LEAST_STAKE, GREATEST_STAKE = STAKES[0][0], STAKES[-1][0]
SPARE_CARDS = 2
#: A card whose rank a seat does not know.
UNKNOWN = 0


class Position(NamedTuple):
    """A state, or a seat's view of one, in which the others' cards are UNKNOWN."""

    #: Each seat's cards in rising order; empty before the deal.
    hands: tuple[tuple[int, ...], ...]
    #: Cards played so far, in order, this round's last.
    played: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    #: What is at stake in this round; None before the die is cast.
    stake: int | None = None
    #: The seat that leads this round.
    leader: int = 0
    dealt: bool = False


class Plunder(Game):
    """Plunder with `cards` cards each."""

    hidden = True
    lists_chance = True

    def __init__(self, *, players: int, cards: int) -> None:
        self.players = players
        self.cards = cards
        self.deck = range(1, players * cards + SPARE_CARDS + 1)

    def new(self) -> Position:
        return Position(hands=((),) * self.players, scores=(0,) * self.players)

    def mover(self, state: Position) -> int:
        if not state.dealt:
            return CHANCE
        if len(state.played) == self.players * self.cards:
            return OVER
        if state.stake is None:
            return CHANCE
        return (state.leader + len(state.played) % self.players) % self.players

    def moves(self, state: Position) -> Sequence[int]:
        return state.hands[self.mover(state)]

    def play(self, state: Position, move: Any) -> Position:
        if not state.dealt:
            return state._replace(hands=move, dealt=True)
        if state.stake is None:
            return Position(state.hands, state.played, state.scores, move, state.leader, True)
        seat = self.mover(state)
        hand = tuple(card for card in state.hands[seat] if card != move)
        hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
        played = (*state.played, move)
        if len(played) % self.players:
            # A search does this all the time, and `_replace` takes four times as long.
            return Position(hands, played, state.scores, state.stake, state.leader, True)
        trick = played[-self.players :]
        winner = (state.leader + trick.index(max(trick))) % self.players
        scores = list(state.scores)
        scores[winner] += state.stake
        return Position(hands, played, tuple(scores), None, winner, True)

    def payoff(self, state: Position) -> Array:
        return np.array(state.scores, dtype=np.float64)

    def chance(self, state: Position) -> Sequence[tuple[int, float]]:
        return STAKES if state.dealt else ()

    def draw(self, state: Position, rng: np.random.Generator) -> Any:
        if state.dealt:
            return super().draw(state, rng)
        cards = rng.permutation(np.array(self.deck)).tolist()
        n = self.cards
        return tuple(tuple(sorted(cards[s * n : (s + 1) * n])) for s in range(self.players))

    def possible(self, state: Position, outcome: Any) -> bool:
        if state.dealt:
            return super().possible(state, outcome)
        if not isinstance(outcome, tuple) or [len(hand) for hand in outcome] != (
            [self.cards] * self.players
        ):
            return False
        cards = [card for hand in outcome for card in hand]
        rising = all(list(hand) == sorted(hand) for hand in outcome)
        return rising and len(set(cards)) == len(cards) and set(cards) <= set(self.deck)

    def view(self, state: Position, seat: int) -> Position:
        masked = tuple(
            hand if owner == seat else (UNKNOWN,) * len(hand)
            for owner, hand in enumerate(state.hands)
        )
        return state._replace(hands=masked)

    def world(self, view: Position, rng: np.random.Generator) -> Position:
        known = {card for hand in view.hands for card in hand} | set(view.played)
        unseen = rng.permutation([card for card in self.deck if card not in known]).tolist()
        hands = []
        for hand in view.hands:
            if UNKNOWN in hand:
                hand = tuple(sorted(unseen[: len(hand)]))
                unseen = unseen[len(hand) :]
            hands.append(hand)
        return view._replace(hands=tuple(hands))

    def seen(self, state: Position, move: Any, seat: int) -> Any:
        if state.dealt:
            return move
        return tuple(hand if s == seat else (UNKNOWN,) * len(hand) for s, hand in enumerate(move))

    def write(self, move: Any) -> str:
        if isinstance(move, tuple):
            return "|".join(",".join(str(card) for card in hand) for hand in move)
        return str(move)

    def read(self, text: str) -> Any:
        try:
            if "|" in text:
                return tuple(
                    tuple(int(card) for card in hand.split(",")) for hand in text.split("|")
                )
            return int(text)
        except ValueError:
            raise MoveError(f"move '{text}' is not the number of a card") from None

    def objection(self, state: Position, move: Any) -> str:
        return "the hand is " + " ".join(str(card) for card in self.moves(state))

    def picture(self, view: Position, *, colour: bool = False) -> str:
        round_played = len(view.played) % self.players
        table = view.played[len(view.played) - round_played :]
        lines = [
            f"at stake: {'-' if view.stake is None else view.stake}   "
            f"on the table: {' '.join(map(str, table)) or '-'}"
        ]
        for seat, hand in enumerate(view.hands):
            cards = " ".join("?" if card == UNKNOWN else str(card) for card in hand)
            lines.append(f"  seat {seat}  {view.scores[seat]:3} points   {cards}")
        return "\n".join(lines)


class Score(Evaluator):
    """Points, scaled so that the worst possible score is 0 and the best 100."""

    own_affairs = True

    def __init__(self, game: Plunder) -> None:
        self.game = game
        self.rounds = game.cards
        self.span = (GREATEST_STAKE - LEAST_STAKE) * self.rounds
        self.bounds = Bounds(step=100 / self.span)

    def values(self, state: Position) -> Array:
        # As Python's numbers: for so few of them NumPy takes twice as long.
        least, scores = LEAST_STAKE * self.rounds, state.scores
        values = [100 * (score - least) / self.span for score in scores]
        if self.game.mover(state) == OVER:
            best = max(scores)
            values = [
                100.0 if score == best else v for score, v in zip(scores, values, strict=True)
            ]
        return np.array(values)
