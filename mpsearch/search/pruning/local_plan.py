"""Plans for pruning with local bounds, made once per matrix before a search.

For the shallow bound over a box: when seat p, one level above seat q, has reached merit t, then
for every slope k >= 0 and all evaluations e of the box that give p more than t

    C[q] @ e  <=  max over the box of (C[q] + k C[p]) @ e  -  k t.

The least of the right sides is reached at a slope at which two weights of the mix C[q] + k C[p]
change places or one changes its sign: a few slopes, the same for every box.
"""

from __future__ import annotations

import itertools
import sys

import attrs
import numpy as np

from mpsearch._util import GRID, Array, array_field
from mpsearch.contracts import Bounds
from mpsearch.search.pruning.shallow_bound import slopes

#: Every technique that uses a box; docs/explanation/pruning.md says what each does.
LOCAL_TECHNIQUES = frozenset({"immediate", "futility", "shallow", "chance"})
#: Remaining depth from which on a box is worth its price.
NEAREST = 2
#: No node is so deep.
NEVER = sys.maxsize


@attrs.frozen(kw_only=True)
class LocalPlan:
    """Tables for pruning with boxes. P seats; K slopes at most for a pair of them."""

    techniques: frozenset[str]
    #: The declared bounds, from which every box starts; the last is the total. Shape (P + 1,).
    low: Array = array_field()
    high: Array = array_field()
    #: Every row, and its seats by falling weight. Shape (P, P).
    rows: Array = array_field()
    ranks: Array = array_field()
    #: How far merits stray from sums: docs/explanation/equality.md. Shape (P,), and for the column
    margin: Array = array_field()
    ahead: Array = array_field()
    behind: Array = array_field()
    stray: float
    #: For p above q: how many slopes are needed without a total, and with one. Shape (P, P, 2).
    mixed: Array = array_field()
    #: Slopes, their mixes and the mixes' seats by falling weight. Shapes (P, P, K), (P, P, K, P).
    slopes: Array = array_field()
    mixes: Array = array_field()
    orders: Array = array_field()


def most_slopes(players: int) -> int:
    """K: one for every seat and for every two."""
    return players * (players + 1) // 2


def make_local_plan(
    matrix: Array, bounds: Bounds, stray: Array, gap: float, techniques: frozenset[str]
) -> LocalPlan:
    """The tables for one matrix."""
    unknown = techniques - LOCAL_TECHNIQUES
    if unknown:
        raise ValueError(f"{sorted(unknown)} are no techniques; {sorted(LOCAL_TECHNIQUES)} are")
    players = len(matrix)
    low, high = bounds.box(players)
    mixed = np.zeros((players, players, 2))
    table = np.zeros((players, players, most_slopes(players)))
    for p, q in itertools.product(range(players), repeat=2):
        alone, shared = slopes(matrix[p], matrix[q])
        mixed[p, q] = len(alone), len(alone) + len(shared)
        table[p, q, : len(alone) + len(shared)] = alone + shared
    mixes = matrix[None, :, None, :] + table[..., None] * matrix[:, None, None, :]
    return LocalPlan(
        techniques=techniques,
        low=low,
        high=high,
        rows=matrix,
        ranks=_ranks(matrix),
        margin=2 * stray - gap / 2,
        ahead=gap / 2 - 3 * stray,
        behind=GRID / 2 + 3 * stray,
        stray=float(stray.max()),
        mixed=mixed,
        slopes=table,
        mixes=mixes,
        orders=_ranks(mixes),
    )


def _ranks(weights: Array) -> Array:
    return np.argsort(-weights, axis=-1, kind="stable").astype(np.float64)
