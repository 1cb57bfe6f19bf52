"""The social-range matrix and its named forms.

A matrix is a read-only array of shape (P, P) with entries in [-1, 1]: row i is the orientation
of seat i, from -1 (hostile) through 0 (indifferent) to 1 (as important as oneself).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from mpsearch._util import Array, frozen_array, snap
from mpsearch.errors import UsageError


def social_matrix(table: Any, *, negative_diagonal: bool = False) -> Array:
    """A checked matrix; negative diagonal entries must be allowed explicitly."""
    try:
        matrix = frozen_array(table)
    except (TypeError, ValueError):
        raise UsageError("a social matrix needs rows of numbers, all of one length") from None
    if matrix.ndim != 2 or len(set(matrix.shape)) > 1 or len(matrix) < 2:
        shape = " x ".join(map(str, matrix.shape))
        raise UsageError(f"a social matrix is square with 2 or more rows, not {shape}")
    outside = ~((matrix >= -1) & (matrix <= 1))
    if outside.any():
        i, j = (int(k) for k in np.argwhere(outside)[0])
        raise UsageError(f"social matrix: entry [{i}, {j}] is {matrix[i, j]:g}, not in [-1, 1]")
    if not negative_diagonal and (matrix.diagonal() < 0).any():
        i = int(np.argmax(matrix.diagonal() < 0))
        raise UsageError(
            f"social matrix: entry [{i}, {i}] is {matrix[i, i]:g}; a seat that works against "
            "itself must be allowed with negative_diagonal"
        )
    return matrix


@functools.cache
def identity(players: int) -> Array:
    """Every seat for itself: MaxN (Property 1 of the SOS paper)."""
    return frozen_array(np.eye(players))


def paranoid(players: int, root: int) -> Array:
    """All seats against the root: Paranoid (Property 2 of the SOS paper)."""
    matrix = np.zeros((players, players))
    matrix[:, root] = -1
    matrix[root, root] = 1
    return frozen_array(matrix)


def offensive(players: int, root: int, target: int, own: float = 0.0) -> Array:
    """The root minimises its target's value; the others maximise their own.

    `own` is the weight of the root's own value; a small one breaks ties.
    """
    matrix = np.eye(players)
    matrix[root] = 0
    matrix[root, root] = own
    matrix[root, target] = -1
    return frozen_array(matrix)


def coalition(players: int, members: Iterable[int]) -> Array:
    """Members maximise the sum of their values; all others minimise it."""
    inside = np.zeros(players)
    inside[list(members)] = 1
    return frozen_array(np.where(inside[:, None] > 0, inside, -inside))


def plain_rows(matrix: Array) -> Array:
    """Rows scaled to a greatest absolute entry of 1, with entries equal to zero set to 0.

    Only the direction of a row matters, so its length must not decide which values are equal.
    Shape (R, P).
    """
    rows = np.where(snap(matrix) == 0, 0.0, matrix)
    size = np.abs(rows).max(axis=1, keepdims=True)
    plain: Array = rows / np.where(size == 0, 1.0, size)
    return plain


def random_row(players: int, seat: int, rng: np.random.Generator) -> Array:
    """A random orientation: uniform in [-1, 1] for others, in (0, 1] for oneself."""
    row = rng.uniform(-1, 1, players)
    row[seat] = 1 - rng.random()
    return row


def random_matrix(players: int, rng: np.random.Generator) -> Array:
    """A matrix of independent random rows."""
    return frozen_array([random_row(players, seat, rng) for seat in range(players)])


def read_matrix(text: str) -> Array:
    """Parse a matrix: rows separated by '/', entries by ':', such as '1:0/-0.5:1'."""
    try:
        table = [[float(entry) for entry in row.split(":")] for row in text.split("/")]
    except ValueError:
        raise UsageError(
            f"matrix '{text}' is not rows of numbers such as 1:0/-0.5:1 (':' separates "
            "entries, '/' separates rows)"
        ) from None
    return social_matrix(table, negative_diagonal=True)
