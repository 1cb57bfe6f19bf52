"""Other searches than the one, for comparison: best-reply search and Monte-Carlo tree search.

They take the same stances, worlds and limits, and answer with the same reports.
"""

from mpsearch.rivals.rival import (
    DEFAULT_ITERATIONS,
    SEARCHES,
    USUAL,
    Manner,
    Rival,
    SearchOffer,
    search_offer,
)

__all__ = [
    "DEFAULT_ITERATIONS",
    "SEARCHES",
    "USUAL",
    "Manner",
    "Rival",
    "SearchOffer",
    "search_offer",
]
