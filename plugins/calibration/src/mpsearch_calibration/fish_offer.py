"""What the plugin offers of Go Fish: its options and its evaluator."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import OVER, Array, Bounds, Evaluator
from mpsearch_calibration.go_fish import BOOK, GoFish, Position


class Collected(Evaluator):
    """Books, and how near the cards in hand are to books, in percent of the deck.

    A book is worth 4 cards, and n cards of a rank n * n / 4. The winners of a finished game
    have 100.
    """

    def __init__(self, game: GoFish) -> None:
        self.game = game
        self.deck = BOOK * game.ranks
        self.bounds = Bounds(step=100 / (BOOK * self.deck))

    def values(self, state: Position) -> Array:
        points = [
            BOOK * books + sum(n * n for n in hand) / BOOK
            for books, hand in zip(state.books, state.hands, strict=True)
        ]
        values = 100 * np.array(points) / self.deck
        if self.game.mover(state) == OVER and max(state.books) > min(state.books):
            values[np.array(state.books) == max(state.books)] = 100
        return values
