"""The evaluator of Go Fish."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import OVER, Bounds, CompiledEvaluator, compiled
from mpsearch_calibration.go_fish.game import GoFish
from mpsearch_calibration.go_fish.rules import mover
from mpsearch_calibration.go_fish.state import BOOK


@compiled
def collected(s: Any, parameters: Any, out: Any) -> None:
    """Books, and how near the cards in hand are to books, in percent of the deck.

    A book is worth 4 cards, and n cards of a rank n * n / 4. The winners of a finished game
    have 100.
    """
    most, least = s.books[0], s.books[0]
    for seat in range(s.players):
        # As whole numbers of Python: a byte, which NumPy would go on with, is too small.
        quarters = BOOK * BOOK * int(s.books[seat])
        for rank in range(s.ranks):
            held = int(s.hands[seat, rank])
            quarters += held * held
        out[seat] = 100.0 * (quarters / BOOK) / (BOOK * s.ranks)
        most = max(most, s.books[seat])
        least = min(least, s.books[seat])
    if mover(s) == OVER and most > least:
        for seat in range(s.players):
            if s.books[seat] == most:
                out[seat] = 100.0


def make_collected(game: GoFish) -> CompiledEvaluator:
    bounds = Bounds(step=100 / (BOOK * BOOK * game.ranks))
    return CompiledEvaluator(game, collected, bounds=bounds, own_affairs=True)
