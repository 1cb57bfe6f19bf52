"""What the plugin offers of Go Fish: its options and its evaluator."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import OVER, Array, Bounds, Evaluator, EvaluatorOffer, GameOffer, Option
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


GO_FISH = GameOffer(
    name="go_fish",
    summary="ask others for their cards: Opponent Impact near 1, with hidden hands",
    make=GoFish,
    players=(2, 4),
    default_players=3,
    options=(
        Option(name="ranks", kind=int, default=13, least=2, greatest=13, help="four cards each"),
        Option(name="hand", kind=int, default=7, least=1, greatest=26, help="cards dealt to each"),
        Option(
            name="asks",
            kind=int,
            default=150,
            least=1,
            greatest=1_000_000,
            help="questions until it ends",
        ),
        Option(
            name="ask",
            kind=str,
            default="any",
            choices=("any", "held"),
            help="which ranks one may ask for: any, or those one holds",
        ),
    ),
    evaluator="collected",
    # MP-Mix paper, section 5.
)

GO_FISH_EVALUATOR = EvaluatorOffer(
    name="collected",
    game="go_fish",
    summary="books and how near the cards in hand are to books",
    make=Collected,
)
