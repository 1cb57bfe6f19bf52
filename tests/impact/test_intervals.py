"""Intervals: a game is one draw, however many states it has."""

import math

import numpy as np
import pytest

from mpsearch.impact import Share, share
from mpsearch.impact.estimate import _student
from mpsearch.match import wilson


def test_the_share_is_of_all_states_and_not_the_mean_of_the_games() -> None:
    assert share([1, 30], [10, 30]).oi == 31 / 40
    assert share([1, 30], [10, 30]).states == 40


def test_the_interval_by_hand() -> None:
    """Games with 2, 4 and 6 hits of 10: oi .4, variance 3/2 * 8/900, effective 18 states."""
    found = share([2, 4, 6], [10, 10, 10])
    low, high = wilson(0.4 * 18, 18, z=4.3027)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_copies_of_a_state_add_nothing() -> None:
    hits = [1, 0, 0, 1, 1, 0, 1, 0, 0, 0]
    once = share(hits, [1] * 10)
    copied = share([50 * hit for hit in hits], [50] * 10)
    assert (copied.low, copied.high) == (pytest.approx(once.low), pytest.approx(once.high))


def test_where_all_states_agree_a_game_counts_as_one() -> None:
    assert share([0] * 20, [60] * 20) == Share(oi=0.0, low=0.0, high=wilson(0, 20)[1], states=1200)
    assert share([9, 9], [9, 9]).low == wilson(2, 2)[0]


def test_one_game_says_next_to_nothing_and_none_nothing() -> None:
    found = share([50], [100])
    assert found.high - found.low > 0.8
    empty = share([0, 0], [0, 0])
    assert math.isnan(empty.oi)
    assert (empty.low, empty.high, empty.states) == (0.0, 1.0, 0)


@pytest.mark.parametrize(
    ("freedom", "point"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (19, 2.0930), (99, 1.9842)],
)
def test_points_of_students_t_are_those_of_the_tables(freedom: int, point: float) -> None:
    assert _student(freedom) == pytest.approx(point, rel=0.01)


@pytest.mark.parametrize("alike", [0.5, 4.0, 1000.0])
def test_intervals_hold_the_truth_as_often_as_they_say(alike: float) -> None:
    """Games whose own share is drawn from a beta distribution: from nearly all alike to not."""
    rng = np.random.default_rng(5)
    held, runs, truth = 0, 600, 0.3
    for _ in range(runs):
        counts = rng.integers(20, 60, 20)
        hits = rng.binomial(counts, rng.beta(alike * truth, alike * (1 - truth), 20))
        found = share(hits.tolist(), counts.tolist())
        held += found.low <= truth <= found.high
    # Three standard errors of a share of .95 in 600 runs are .027.
    assert 0.95 - 0.027 < held / runs <= 1.0
