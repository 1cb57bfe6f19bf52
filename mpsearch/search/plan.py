"""Which pruning a matrix allows. It follows from the matrix, never from a propagator's name."""

from __future__ import annotations

import functools
import math

import attrs
import numpy as np

from mpsearch.contracts.arrays import Array, array_field, frozen_array
from mpsearch.contracts.evaluator import Bounds
from mpsearch.search.frontier import best_evaluation, corners
from mpsearch.social.theorems import follows

#: No column decides for all seats.
NO_COLUMN = -1


@attrs.frozen(kw_only=True)
class Plan:
    """A matrix, and what the search may skip with it."""

    #: Shape (P, P).
    matrix: Array = array_field()
    prune: bool
    #: The seat whose value every seat looks at first, for deep pruning; or NO_COLUMN.
    column: int = NO_COLUMN
    #: How far inside the window a value must lie to be cut: half a step where ties in the
    #: column are decided by other columns, 0 where nothing else matters.
    slack: float = 0.0
    #: The most that C[p] @ e can be for each seat, for immediate pruning. Shape (P,).
    most: Array = array_field()
    #: Corners (u, f) for each seat p above each seat q, for shallow pruning.
    #: Shape (P, P, K, 2), and how many of the K are used, shape (P, P).
    reach: Array = array_field()
    corners: Array = array_field()

    @property
    def kind(self) -> str:
        """`none`, `deep` or `shallow`."""
        if not self.prune:
            return "none"
        return "deep" if self.column != NO_COLUMN else "shallow"


def make_plan(
    matrix: Array, bounds: Bounds, *, lists_chance: bool = False, prune: bool = True
) -> Plan:
    """The plan for one search. `lists_chance`: the tree may hold means over listed outcomes."""
    # Agents take the same few stances again and again, and a plan takes longer to make than
    # a shallow search.
    entries = np.ascontiguousarray(matrix, dtype=np.float64).tobytes()
    return _make_plan(entries, len(matrix), bounds, lists_chance, prune)


@functools.lru_cache(maxsize=256)
def _make_plan(
    entries: bytes, players: int, bounds: Bounds, lists_chance: bool, prune: bool
) -> Plan:
    matrix = plain_rows(np.frombuffer(entries).reshape(players, players))
    column, slack = _column(matrix, bounds, lists_chance=lists_chance)
    reach = np.zeros((players, players, players * players, 2))
    counts = np.zeros((players, players))
    most = np.full(players, math.inf)
    if prune:
        exact = _exact(matrix, bounds) and not lists_chance
        tolerance = 0.0 if exact else 1e-9 * _scale(matrix, bounds)
        for p, row in enumerate(matrix):
            # A single entry times a bound is exact; a sum over seats may be rounded.
            single = np.count_nonzero(row) == 1 and bounds.total is None
            most[p] = row @ best_evaluation(row, bounds) + (0.0 if single else tolerance)
            if column == NO_COLUMN:
                for q, other in enumerate(matrix):
                    chain = corners(row, other, bounds)
                    counts[p, q] = len(chain)
                    reach[p, q, : len(chain)] = [(u, f + tolerance) for u, f in chain]
    return Plan(
        matrix=frozen_array(matrix),
        prune=prune,
        column=column if prune else NO_COLUMN,
        slack=slack,
        most=most,
        reach=reach,
        corners=counts,
    )


def plain_rows(matrix: Array) -> Array:
    """The matrix with every row of a single entry replaced by that entry's sign.

    A seat that looks at one value only wants it large or small (Theorem 2 is the case of a
    positive diagonal). The sign says so, and no product can be rounded into a false tie.
    """
    single = np.count_nonzero(matrix, axis=1, keepdims=True) == 1
    return np.where(single, np.sign(matrix), matrix)


def _column(matrix: Array, bounds: Bounds, *, lists_chance: bool) -> tuple[int, float]:
    """The column that decides for every seat that cares at all, and the slack it needs."""
    used = np.flatnonzero(matrix.any(axis=0))
    if len(used) <= 1:
        return int(used[0]) if len(used) else 0, 0.0
    if bounds.step is not None and not lists_chance:
        for column in used:
            caring = (row for row in matrix if row.any())
            if all(follows(row, int(column), bounds) for row in caring):
                return int(column), bounds.step / 2
    return NO_COLUMN, 0.0


def _scale(matrix: Array, bounds: Bounds) -> float:
    size = max(abs(bounds.least), abs(bounds.greatest), 1.0)
    return size * max(float(np.abs(matrix).sum(axis=1).max()), 1.0)


def _exact(matrix: Array, bounds: Bounds) -> bool:
    """Whether all sums in the search are free of rounding: small multiples of 1/1024."""
    if bounds.step is None:
        return False
    numbers = [bounds.least, bounds.greatest, bounds.step, *(bounds.total or ())]
    scaled = np.array(numbers) * 1024
    return bool(np.isin(matrix, (-1, 0, 1)).all() and (scaled == np.round(scaled)).all())
