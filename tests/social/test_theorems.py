"""Theorems 2 to 4 of the SOS paper, each against brute force over all evaluations."""

import itertools

import numpy as np
import pytest

from mpsearch.contracts import Bounds
from mpsearch.search import make_plan
from mpsearch.social import (
    follows,
    follows_maxn,
    follows_paranoid,
    identity,
    paranoid,
    plain_rows,
)

#: All evaluations of three seats with values 0, 1, 2, 3.
GRID = np.array(list(itertools.product(range(4), repeat=3)), dtype=float)
BOUNDS = Bounds(least=0, greatest=3, step=1)


def orders_by(row: np.ndarray, seat: int, sign: float) -> bool:
    """Whether row @ e rises whenever sign * e[seat] does, for every pair of evaluations."""
    seen = GRID @ row
    key = sign * GRID[:, seat]
    better = key[:, None] > key[None, :]
    return bool((seen[:, None] > seen[None, :])[better].all())


def same_choices(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two matrices order all pairs of evaluations alike for every seat, ties included."""
    for a, b in zip(first, second, strict=True):
        u, v = GRID @ a, GRID @ b
        if not np.array_equal(np.sign(u[:, None] - u), np.sign(v[:, None] - v)):
            return False
    return True


def matrices(count: int) -> list[np.ndarray]:
    """Random matrices, many of them near the edge of the theorems' conditions."""
    rng = np.random.default_rng(11)
    found = []
    for _ in range(count):
        matrix = rng.uniform(-1, 1, (3, 3)) * rng.choice([0, 0.05, 0.1, 1], (3, 3))
        for i in range(3):
            matrix[i, rng.choice([i, 0])] = rng.choice([-1, -0.6, 0.4, 1])
        found.append(matrix)
    return found


def test_theorem_2_holds_because_rows_are_compared_by_direction() -> None:
    """A positive diagonal is to the search what the identity is, and plays exactly as MaxN."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        matrix = np.diag(1 - rng.random(3))
        assert same_choices(matrix, identity(3))
        assert np.array_equal(plain_rows(matrix), identity(3))
    for matrix in (np.diag([1.0, 0.0, 1.0]), np.diag([1.0, -1.0, 1.0]), paranoid(3, 0)):
        assert not same_choices(matrix, identity(3))
        assert not np.array_equal(plain_rows(matrix), identity(3))


def test_property_2_holds_for_scaled_paranoid_matrices() -> None:
    matrix = paranoid(3, 1) * np.array([[0.2], [0.7], [1.0]])
    assert same_choices(matrix, paranoid(3, 1))
    assert np.array_equal(plain_rows(matrix), paranoid(3, 1))
    assert not same_choices(matrix, paranoid(3, 0))


def test_a_row_follows_a_seat_exactly_when_no_evaluation_contradicts_it() -> None:
    seen = set()
    for matrix in matrices(400):
        for row in matrix:
            for seat in range(3):
                expected = row[seat] != 0 and orders_by(row, seat, np.sign(row[seat]))
                assert follows(row, seat, BOUNDS) == expected
                seen.add(expected)
    assert seen == {True, False}


def test_theorem_3_holds_exactly_when_brute_force_says_so() -> None:
    seen = set()
    for matrix in matrices(3000):
        expected = all(orders_by(matrix[i], i, 1.0) for i in range(3))
        assert follows_maxn(matrix, BOUNDS) == expected
        seen.add(expected)
    assert seen == {True, False}


def test_theorem_4_holds_exactly_when_brute_force_says_so() -> None:
    seen = set()
    for matrix in matrices(3000):
        for root in range(3):
            signs = [1.0 if i == root else -1.0 for i in range(3)]
            expected = all(orders_by(matrix[i], root, signs[i]) for i in range(3))
            assert follows_paranoid(matrix, root, BOUNDS) == expected
            seen.add(expected)
    assert seen == {True, False}


def test_theorems_3_and_4_do_not_settle_ties() -> None:
    """SOS goes on to the other seats where MaxN is indifferent: followed, not equal."""
    matrix = np.array([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])
    assert follows_maxn(matrix, BOUNDS)
    assert not same_choices(matrix, identity(3))


def test_without_granularity_nothing_outweighs_anything() -> None:
    row = np.array([1, 1e-12, 0])
    assert follows(row, 0, BOUNDS)
    assert not follows(row, 0, Bounds(least=0, greatest=3))


#: Every number below is a float, so both sides of the condition are exact. One step is 1, the
#: values span 3, and they need not begin at 0.
EDGES = [Bounds(least=least, greatest=least + 3, step=1) for least in (0.0, -1.0, 5.0)]
#: Entries of the others, and whether 0.75 of oneself outweighs three times their sum.
EDGE = {(0.25, 0.0): False, (-0.125, 0.125): False, (0.25 - 2**-40, 0.0): True, (0.0, 0.0): True}


@pytest.mark.parametrize("bounds", EDGES, ids=lambda bounds: f"from {bounds.least:g}")
@pytest.mark.parametrize("others", EDGE)
def test_theorems_3_and_4_need_more_than_a_balance(
    others: tuple[float, float], bounds: Bounds
) -> None:
    """Where a step is worth just as much as all the rest, SOS may differ; a little more will do."""
    grid = GRID + bounds.least
    for sign in (1.0, -1.0):
        row = np.array([sign * 0.75, *others])
        rises = sign * (grid[:, None, 0] - grid[None, :, 0]) > 0
        brute = bool(((grid @ row)[:, None] > (grid @ row)[None, :])[rises].all())
        assert follows(row, 0, bounds) == brute == EDGE[others]
    own = np.array([np.roll([0.75, *others], seat) for seat in range(3)])
    assert follows_maxn(own, bounds) == EDGE[others]
    against = np.array([[0.75, *others], [-0.75, *others], [-0.75, *others]])
    assert follows_paranoid(against, 0, bounds) == EDGE[others]


@pytest.mark.parametrize(("grids", "deep"), [(0, False), (1, False), (2, True), (1000, True)])
def test_deep_pruning_begins_where_theorem_4_does_with_room_for_rounding(
    grids: int, deep: bool
) -> None:
    """A step must lead by more than 4 of the grid, so that rounding cannot make merits equal."""
    other = 0.25 - grids * 2**-20  # values span 4: the lead is 4 * grids of the grid
    matrix = np.array([[1, other, 0], [-1, 0, other], [-1, other, 0]])
    plan = make_plan(matrix, Bounds(least=-1, greatest=3, step=1))
    assert (plan.kind == "deep") == deep


def test_a_seat_that_does_not_care_for_its_own_value_follows_nobody() -> None:
    assert not follows_maxn(np.diag([1.0, 0.0, 1.0]), BOUNDS)
    assert not follows_maxn(np.diag([1.0, -1.0, 1.0]), BOUNDS)
    assert not follows_paranoid(np.zeros((3, 3)), 0, BOUNDS)
