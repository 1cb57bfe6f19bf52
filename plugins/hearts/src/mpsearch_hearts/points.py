"""Values of scores: linear (`points`) or as chances of winning, and of finished games."""

from __future__ import annotations

import math
from typing import Any

from mpsearch.contracts import OVER, compiled
from mpsearch_hearts.cards import SEATS
from mpsearch_hearts.rules import deal_points, penalty
from mpsearch_hearts.state import SINGLE


@compiled
def standing(total: float, parameters: Any) -> Any:
    """100 for the best total of points that counts, 0 for the worst. Linear between."""
    best, worst = parameters[0], parameters[1]
    return min(max(100.0 * (worst - total) / (worst - best), 0.0), 100.0)


@compiled
def crown_winner(s: Any, parameters: Any, out: Any) -> None:
    """In a finished game only winners have the greatest value."""
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


@compiled
def write_chances(s: Any, parameters: Any, first: int, out: Any) -> None:
    """The chance to win the tournament: a softmax of the expected totals in `out`, lowest first.

    Its temperature, in points, grows with what can still happen: the points still out in this deal
    and the points until somebody reaches the limit. The winners of a finished game share 100. The
    parameters from `first` are those of `mpsearch_hearts.options.CHANCE_WEIGHTS`.
    """
    lowest = min(min(out[0], out[1]), min(out[2], out[3]))
    highest = max(max(out[0], out[1]), max(out[2], out[3]))
    heat = 1.0
    if s.mover != OVER:
        held = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]
        heat = parameters[first] + parameters[first + 1] * penalty(held)
        if s.variant & SINGLE == 0:
            heat += parameters[first + 2] * max(s.limit - highest, 0.0)
    total = 0.0
    for seat in range(SEATS):
        behind = out[seat] - lowest
        if s.mover == OVER:
            out[seat] = 1.0 if behind == 0.0 else 0.0
        else:
            out[seat] = math.exp(-behind / math.sqrt(heat))
        total += out[seat]
    for seat in range(SEATS):
        out[seat] *= 100.0 / total
