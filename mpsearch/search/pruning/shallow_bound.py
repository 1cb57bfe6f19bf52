"""The shallow bound: the most that one seat can still get once another has secured a value.

For the shallow bound: when seat q, moving, has reached C[q] @ e = u, it will end with at least
u, so seat p one level above can get at most

    f(u) = max C[p] @ e   over all evaluations e within the bounds with C[q] @ e >= u.

f is the upper right edge of the bounds' image under (C[q], C[p]): a falling, concave chain of
straight pieces between a few corners. They are computed once per pair of seats before a search.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from mpsearch._util import Array
from mpsearch.contracts import Bounds


def best_evaluation(weights: Array, bounds: Bounds) -> Array:
    """The evaluation within the bounds that maximises weights @ e. Shape (P,).

    Start from the least values and raise the seats in order of weight, as far as that pays and
    the total allows, or until the least total is reached.
    """
    e = np.full(len(weights), bounds.least, dtype=np.float64)
    least, greatest = bounds.total if bounds.total is not None else (-math.inf, math.inf)
    for seat in np.argsort(-weights, kind="stable"):
        limit = greatest if weights[seat] > 0 else least
        room = limit - e.sum()
        if room > 0:
            e[seat] += min(room, bounds.greatest - bounds.least)
    return e


def slopes(p_row: Array, q_row: Array) -> tuple[list[float], list[float]]:
    """Where a weight of q_row + k p_row changes its sign, and where two change places."""
    weights = list(zip(q_row.tolist(), p_row.tolist(), strict=True))
    alone = {-q / p for q, p in weights if q * p < 0}
    pairs = [(a[0] - b[0], a[1] - b[1]) for a, b in itertools.combinations(weights, 2)]
    shared = {-q / p for q, p in pairs if q * p < 0}
    return sorted(alone), sorted(shared - alone)


def corners(p_row: Array, q_row: Array, bounds: Bounds) -> list[tuple[float, float]]:
    """The corners (u, f(u)) of the chain for seat p above seat q, f falling, u rising."""
    # The best evaluation for cos(a) q_row + sin(a) p_row changes only at angles where two
    # seats' weights become equal or one becomes zero.
    alone, shared = slopes(p_row, q_row)
    angles = {0.0, math.pi / 2, *map(math.atan, alone + shared)}
    chain: list[tuple[float, float]] = []
    for low, high in itertools.pairwise(sorted(angles, reverse=True)):
        middle = (low + high) / 2
        e = best_evaluation(math.cos(middle) * q_row + math.sin(middle) * p_row, bounds)
        corner = (float(q_row @ e), float(p_row @ e))
        if not chain or (corner[0] > chain[-1][0] and corner[1] < chain[-1][1]):
            chain.append(corner)
    return chain


def cap(context: Any, above: int, seat: int, reached: float) -> Any:
    """The merit at which a node of `seat` is of no more interest to the seat above."""
    last = int(context.corners[above, seat]) - 1
    if reached < context.chains[above, seat, last, 1]:
        return math.inf
    for k in range(1, last + 1):
        u = context.chains[above, seat, k, 0]
        f = context.chains[above, seat, k, 1]
        if reached >= f and reached < context.chains[above, seat, k - 1, 1]:
            run = u - context.chains[above, seat, k - 1, 0]
            return u - (reached - f) * run / (context.chains[above, seat, k - 1, 1] - f)
    return -math.inf


def declared(f: Any, context: Any, above: int, low: float) -> Any:
    """The merits at which a node can end, by the bounds that the evaluator declares.

    The most that its mover can get, and what is enough for the seat above to leave it.
    """
    most = context.most[f.seat]
    if context.column < 0 and above >= 0:
        return most, min(most, cap(context, above, f.seat, low))
    return most, most


#: For `bind`.
FUNCTIONS = (cap, declared)
