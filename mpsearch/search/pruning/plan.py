"""Which pruning a matrix allows. It follows from the matrix, never from a propagator's name.

Everything here is about *merits*: what a value is worth to a mover, snap(C[p] @ v), with the rows
of C as `plain_rows` gives them. docs/explanation/equality.md says why such pruning is exact.
"""

from __future__ import annotations

import functools
import math

import attrs
import numpy as np

from mpsearch._util import GRID, Array, array_field, frozen_array, snap
from mpsearch.contracts import Bounds
from mpsearch.search.pruning.local_plan import LocalPlan, make_local_plan
from mpsearch.search.pruning.shallow_bound import best_evaluation, corners
from mpsearch.search.tree.backup import PLY
from mpsearch.search.tree.move_ordering import ORDERINGS
from mpsearch.social import plain_rows

#: No column decides for all seats.
NO_COLUMN = -1

#: How far sums may stray through rounding, as a share of the numbers in them.
_ROUNDING = 2.0**-46
#: How far values may stray from declared bounds, likewise: probabilities that sum to 1 only
#: almost carry a mean a little beyond the greatest value.
_STRAYING = 1e-9
#: Up to this size a merit has room for plies behind it.
_GREATEST_KEY = 2.0**20
#: The most merits that are looked at one by one for a gap.
_MOST_MERITS = 100_000


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
    #: Different merits are at least so far apart.
    gap: float = GRID
    #: The most that the merit can be for each seat, for immediate pruning. Shape (P,).
    most: Array = array_field()
    #: The merits at which a finished game is won and lost for each seat: of wins the shortest is
    #: taken, of losses the longest. Infinite where there is no such preference. Shape (P,).
    won: Array = array_field()
    lost: Array = array_field()
    #: The same of the column that all look at, as its values.
    top: float = math.inf
    bottom: float = -math.inf
    #: Corners (u, f) for each seat p above each seat q, for shallow pruning: once q's merit is
    #: u, p's is no greater than a merit f it has already reached.
    #: Shape (P, P, K, 2), and how many of the K are used, shape (P, P).
    chains: Array = array_field()
    corners: Array = array_field()
    #: What the search may do with the boxes of an evaluator that knows its reach.
    local: LocalPlan | None = None
    #: How moves are found that are tried first, of ORDERINGS.
    ordering: frozenset[str] = frozenset()
    #: Whether the game is asked how it ends.
    exact_ends: bool = False

    @property
    def kind(self) -> str:
        """`none`, `deep` or `shallow`."""
        if not self.prune:
            return "none"
        return "deep" if self.column != NO_COLUMN else "shallow"

    def merit(self, seat: int, value: Array) -> float:
        """What a value is worth to a seat, summed in the order in which the search does."""
        seen = 0.0
        for c, v in zip(self.matrix[seat].tolist(), value.tolist(), strict=True):
            seen += c * v  # not sum(), which does not round as the search does
        return float(snap(seen))

    def key(self, seat: int, value: Array, end: float) -> float:
        """The merit, and among wins and losses how soon they come; `end` as in a frame."""
        merit = self.merit(seat, value)
        if merit >= self.won[seat]:
            return merit - end * PLY
        return merit + end * PLY if merit <= self.lost[seat] else merit


def make_plan(
    matrix: Array,
    bounds: Bounds,
    *,
    lists_chance: bool = False,
    prune: bool = True,
    local: frozenset[str] = frozenset(),
    ordering: frozenset[str] = frozenset(),
    short_wins: bool = True,
    exact_ends: bool = False,
) -> Plan:
    """The plan for one search. `lists_chance`: the tree may hold means over listed outcomes.

    `local` names the techniques to use with local bounds, of LOCAL_TECHNIQUES, and `ordering` those
    for the order of moves, of ORDERINGS.
    """
    # Agents take the same few stances again and again, and a plan takes longer to make than
    # a shallow search.
    entries = np.ascontiguousarray(matrix, dtype=np.float64).tobytes()
    return _make_plan(
        entries, len(matrix), bounds, lists_chance, prune, local, ordering, short_wins, exact_ends
    )


@functools.lru_cache(maxsize=256)
def _make_plan(
    entries: bytes,
    players: int,
    bounds: Bounds,
    lists_chance: bool,
    prune: bool,
    local: frozenset[str],
    ordering: frozenset[str],
    short_wins: bool,
    exact_ends: bool,
) -> Plan:
    unknown = ordering - ORDERINGS
    if unknown:
        raise ValueError(f"{sorted(unknown)} are no orderings; {sorted(ORDERINGS)} are")
    matrix = plain_rows(np.frombuffer(entries).reshape(players, players))
    if lists_chance:
        # Means leave the steps.
        bounds = attrs.evolve(bounds, step=None)
    column, slack = _column(matrix, bounds)
    gap = _gap(matrix, bounds)
    chains = np.zeros((players, players, players * players, 2))
    counts = np.zeros((players, players))
    most = np.full(players, math.inf)
    sizes = _sizes(matrix, bounds)
    stray = _STRAYING * sizes
    won, lost = np.full(players, math.inf), np.full(players, -math.inf)
    for p, row in enumerate(matrix):
        greatest = snap(row @ best_evaluation(row, bounds) + stray[p])
        least = snap(row @ best_evaluation(-row, bounds) - stray[p])
        if short_wins and least < greatest and sizes[p] <= _GREATEST_KEY:
            won[p], lost[p] = greatest, least
        if prune:
            most[p] = greatest
            if column == NO_COLUMN:
                for q, other in enumerate(matrix):
                    chain = corners(row, other, bounds)
                    counts[p, q] = len(chain)
                    # q may have half of GRID less than its merit says; p must not come
                    # closer to its next merit than half way.
                    chains[p, q, : len(chain)] = [
                        (u + GRID / 2 + 2 * stray[q], f + 2 * stray[p] - gap / 2) for u, f in chain
                    ]
    top, bottom = math.inf, -math.inf
    if prune and column != NO_COLUMN and slack == 0.0:
        for sign, greatest, least in zip(matrix[:, column], won, lost, strict=True):
            if sign:
                top, bottom = (greatest, least) if sign > 0 else (-least, -greatest)
    return Plan(
        matrix=frozen_array(matrix),
        prune=prune,
        column=column if prune else NO_COLUMN,
        top=top,
        bottom=bottom,
        slack=slack,
        gap=gap,
        most=most,
        won=won,
        lost=lost,
        chains=chains,
        corners=counts,
        # Where other columns break ties, a bound on the column alone decides nothing.
        local=make_local_plan(matrix, bounds, stray, gap, local)
        if prune and local and slack == 0.0
        else None,
        # Where nothing is cut, nothing is gained.
        ordering=ordering if prune else frozenset(),
        exact_ends=exact_ends,
    )


def _column(matrix: Array, bounds: Bounds) -> tuple[int, float]:
    """The column that decides for every seat that cares at all, and the slack it needs."""
    used = np.flatnonzero(matrix.any(axis=0))
    if len(used) <= 1:
        return int(used[0]) if len(used) else 0, 0.0
    if bounds.step is not None:
        for column in used:
            if all(_decides(row, int(column), bounds) for row in matrix if row.any()):
                return int(column), bounds.step / 2
    return NO_COLUMN, 0.0


def _decides(row: Array, column: int, bounds: Bounds) -> bool:
    """Whether one step in this column always outweighs the others, so far that merits differ.

    The condition of Theorems 3 and 4 (`mpsearch.social.follows`), with room for rounding.
    """
    assert bounds.step is not None
    rest = np.abs(np.delete(row, column)).sum()
    lead = bounds.step * abs(row[column]) - (bounds.greatest - bounds.least) * rest
    return bool(lead > 4 * GRID)


def _gap(matrix: Array, bounds: Bounds) -> float:
    """How far apart different merits are: a step, if they surely lie on steps; else GRID.

    Sums and differences of values lie on steps. They must also be clear of the middle between
    two multiples of GRID, so that rounding cannot give one sum two merits.
    """
    if bounds.step is None or bounds.step < 4 * GRID or not np.isin(matrix, (-1, 0, 1)).all():
        return GRID
    players = len(matrix)
    most = players * math.ceil((bounds.greatest - bounds.least) / bounds.step)
    if most > _MOST_MERITS:
        return GRID
    bases = np.unique(matrix.sum(axis=1)) * bounds.least
    sums = bases[:, None] + bounds.step * np.arange(-most, most + 1)
    stray = _ROUNDING * _sizes(matrix, bounds).max()
    clear = np.abs(sums - snap(sums)) < GRID / 2 - stray
    return bounds.step if clear.all() else GRID


def _sizes(matrix: Array, bounds: Bounds) -> Array:
    """How large the sums in a merit can be, by seat. Shape (P,)."""
    size = max(abs(bounds.least), abs(bounds.greatest), 1.0)
    sizes: Array = size * np.maximum(np.abs(matrix).sum(axis=1), 1.0)
    return sizes
