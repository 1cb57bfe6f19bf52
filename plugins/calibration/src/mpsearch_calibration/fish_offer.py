"""What the plugin offers of Go Fish: its options and its evaluator."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import (
    OVER,
    Bounds,
    CompiledEvaluator,
    EvaluatorOffer,
    GameOffer,
    Option,
    compiled,
)
from mpsearch_calibration.fish_rules import BOOK, MOST_RANKS, MOST_SEATS, mover
from mpsearch_calibration.go_fish import GoFish


@compiled
def collected(s: Any, parameters: Any, out: Any) -> None:
    """Books, and how near the cards in hand are to books, in percent of the deck.

    A book is worth 4 cards, and n cards of a rank n * n / 4. The winners of a finished game
    have 100.
    """
    most, least = s.books[0], s.books[0]
    for seat in range(s.players):
        quarters = BOOK * BOOK * s.books[seat]
        for rank in range(s.ranks):
            quarters += s.hands[seat, rank] * s.hands[seat, rank]
        out[seat] = 100.0 * (quarters / BOOK) / (BOOK * s.ranks)
        most = max(most, s.books[seat])
        least = min(least, s.books[seat])
    if mover(s) == OVER and most > least:
        for seat in range(s.players):
            if s.books[seat] == most:
                out[seat] = 100.0


def make_collected(game: GoFish) -> CompiledEvaluator:
    return CompiledEvaluator(game, collected, bounds=Bounds(step=100 / (BOOK * BOOK * game.ranks)))


GO_FISH = GameOffer(
    name="go_fish",
    summary="ask others for their cards: Opponent Impact near 1, with hidden hands",
    make=GoFish,
    players=(2, MOST_SEATS),
    default_players=3,
    options=(
        Option(
            name="ranks",
            kind=int,
            default=13,
            least=2,
            greatest=MOST_RANKS,
            help="four cards each",
        ),
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
    make=make_collected,
)
