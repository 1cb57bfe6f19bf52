"""`points`: what a score is worth, and what a finished game is."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import OVER, compiled
from mpsearch_hearts.cards import SEATS
from mpsearch_hearts.rules import deal_points


@compiled
def standing(total: float, parameters: Any) -> Any:
    """100 for the best total of points that counts, 0 for the worst. Linear between."""
    best, worst = parameters[0], parameters[1]
    return min(max(100.0 * (worst - total) / (worst - best), 0.0), 100.0)


@compiled
def crown_winner(s: Any, parameters: Any, out: Any) -> None:
    """In a finished game the winner's value is the greatest, and nobody else's."""
    if s.mover == OVER:
        lowest = min(min(s.scores[0], s.scores[1]), min(s.scores[2], s.scores[3]))
        for seat in range(SEATS):
            if s.scores[seat] == lowest:
                out[seat] = 100.0
            else:
                out[seat] = min(out[seat], standing(parameters[0] + 1.0, parameters))


@compiled
def points(s: Any, parameters: Any, out: Any) -> None:
    for seat in range(SEATS):
        out[seat] = standing(float(s.scores[seat] + deal_points(s, seat)), parameters)
    crown_winner(s, parameters, out)
