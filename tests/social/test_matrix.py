"""Social matrices: named forms, validation, text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpsearch.errors import UsageError
from mpsearch.social import (
    coalition,
    identity,
    offensive,
    paranoid,
    plain_rows,
    random_matrix,
    read_matrix,
    social_matrix,
)


def test_named_forms_are_those_of_the_papers() -> None:
    assert identity(3).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert paranoid(3, 1).tolist() == [[0, -1, 0], [0, 1, 0], [0, -1, 0]]
    assert offensive(3, 0, 2).tolist() == [[0, 0, -1], [0, 1, 0], [0, 0, 1]]
    assert coalition(4, [0, 2]).tolist() == [
        [1, 0, 1, 0],
        [-1, 0, -1, 0],
        [1, 0, 1, 0],
        [-1, 0, -1, 0],
    ]


def test_rows_are_scaled_to_a_greatest_entry_of_1_and_rounding_errors_are_0() -> None:
    rows = plain_rows(np.array([[0.5, -0.25, 1e-14], [0.0, 0.0, 0.0], [-0.25, 0.125, 0.0]]))
    assert rows.tolist() == [[1.0, -0.5, 0.0], [0.0, 0.0, 0.0], [-1.0, 0.5, 0.0]]


def test_a_matrix_that_is_read_may_work_against_oneself() -> None:
    assert read_matrix("-1:0/0.5:1").tolist() == [[-1.0, 0.0], [0.5, 1.0]]


def test_matrices_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        identity(3)[0, 0] = 5


def test_random_matrices_follow_the_stated_law_and_the_seed() -> None:
    first, second = (random_matrix(4, np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(first, second)
    many = np.array([random_matrix(3, np.random.default_rng(seed)) for seed in range(2000)])
    diagonal = many[:, [0, 1, 2], [0, 1, 2]]
    others = many[:, [0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]]
    assert (diagonal > 0).all()
    assert (diagonal <= 1).all()
    # Means of 6,000 and 12,000 uniform numbers; five standard errors are 0.019 and 0.026.
    assert abs(diagonal.mean() - 0.5) < 0.019
    assert abs(others.mean()) < 0.027
    assert others.min() < -0.99
    assert others.max() > 0.99


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[1, 0]], "square"),
        ([[1, 0, 0], [0, 1, 0]], "square with 2 or more rows, not 2 x 3"),
        ([1, 2], "square"),
        ([[1]], "2 or more rows"),
        ([[1, 0], [0]], "rows of numbers"),
        ([[1, "x"], [0, 1]], "rows of numbers"),
        ([[1, 2], [0, 1]], r"entry \[0, 1\] is 2, not in \[-1, 1\]"),
        ([[1, -1.5], [0, 1]], r"entry \[0, 1\] is -1.5, not in \[-1, 1\]"),
        ([[1, float("nan")], [0, 1]], r"entry \[0, 1\] is nan"),
        ([[1, 0], [0, -0.5]], r"entry \[1, 1\] is -0.5"),
    ],
)
def test_tables_that_are_no_social_matrix_are_refused(table: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        social_matrix(table)


def test_a_negative_diagonal_is_refused_at_its_first_entry_and_zero_is_not() -> None:
    assert social_matrix([[0, 1], [1, 0]]).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(UsageError, match=r"entry \[1, 1\] is -0.5; a seat that works against"):
        social_matrix([[0, 1, 0], [0, -0.5, 0], [0, 0, -1]])


def test_a_negative_diagonal_can_be_allowed() -> None:
    assert social_matrix([[-1, 0], [0, 1]], negative_diagonal=True)[0, 0] == -1


@given(st.integers(2, 6), st.integers(0, 10**6))
def test_a_matrix_is_read_to_the_last_digit(players: int, seed: int) -> None:
    matrix = random_matrix(players, np.random.default_rng(seed))
    text = "/".join(":".join(map(repr, row)) for row in matrix.tolist())
    assert np.array_equal(read_matrix(text), matrix)


@pytest.mark.parametrize("text", ["", "1:0", "1:0/x:1", "1,0/0,1", "1:0/0"])
def test_text_that_is_no_matrix_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_matrix(text)
