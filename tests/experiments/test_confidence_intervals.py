"""Statistics: a game is one draw, however many states it has, also where games are few."""

import math
import statistics

import numpy as np
import pytest

from mpsearch.experiments import Estimate, clustered_mean, clustered_share, student, wilson


@pytest.mark.parametrize(
    ("freedom", "point"),
    # Published, to four places.
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (6, 2.4469), (9, 2.2622),
     (10, 2.2281), (19, 2.0930), (30, 2.0423), (99, 1.9842), (1000, 1.9623)],
)  # fmt: skip
def test_points_of_students_t_are_those_of_the_tables(freedom: int, point: float) -> None:
    assert student(freedom) == pytest.approx(point, abs=6e-5)


def test_a_mean_of_games_of_one_length_has_the_textbooks_interval() -> None:
    found = clustered_mean([2 * 2.0, 2 * 4.0, 2 * 4.5], [2, 2, 2])
    reach = 4.3027 * statistics.stdev([2, 4, 4.5]) / math.sqrt(3)
    assert found.mean == pytest.approx(3.5)
    assert (found.low, found.high) == pytest.approx((3.5 - reach, 3.5 + reach), abs=1e-3)


def test_games_that_were_not_met_widen_the_interval_of_a_mean_as_by_hand() -> None:
    """Two games of two entries with means 1 and 2, and one more all of 1 or -1: deviations of
    1 and 1, and 2 for that game; variance 2 * 2/3 * (1 + 1 + 4) / 16 = 1/2."""
    found = clustered_mean([2.0, 4.0], [2, 2], unmet=1.0)
    reach = 12.7062 * math.sqrt(1 / 2)
    assert found.mean == 1.5
    assert (found.low, found.high) == pytest.approx((1.5 - reach, 1.5 + reach), abs=1e-3)


def test_one_game_says_nothing_of_how_games_differ_and_none_says_nothing() -> None:
    assert clustered_mean([4.0], [2]) == Estimate(mean=2.0, low=-math.inf, high=math.inf)
    nothing = clustered_mean([], [])
    assert all(math.isnan(end) for end in (nothing.mean, nothing.low, nothing.high))
    found = clustered_share([50], [100])
    assert found.high - found.low > 0.8
    empty = clustered_share([0, 0], [0, 0])
    assert math.isnan(empty.mean)
    assert (empty.low, empty.high) == (0.0, 1.0)


def test_the_share_is_of_all_states_and_not_the_mean_of_the_games() -> None:
    assert clustered_share([1, 30], [10, 30]).mean == 31 / 40


def test_the_interval_of_a_share_by_hand() -> None:
    """Games with 2, 4 and 6 hits of 10: share .4, spread 8 and as much for a third of a game that
    is all alike; variance 3/2 * 3/(10/3) * 16/900 = .024, as of 10 independent states."""
    found = clustered_share([2, 4, 6], [10, 10, 10])
    low, high = wilson(0.4 * 10, 10, z=4.3027)
    assert [found.low, found.high] == pytest.approx([low, high], 1e-4)


def test_copies_of_a_state_add_nothing() -> None:
    hits = [1, 0, 0, 1, 1, 0, 1, 0, 0, 0]
    once = clustered_share(hits, [1] * 10)
    copied = clustered_share([50 * hit for hit in hits], [50] * 10)
    assert [copied.low, copied.high] == pytest.approx([once.low, once.high])


def test_where_all_states_agree_a_game_counts_as_one() -> None:
    found = clustered_share([0] * 20, [60] * 20)
    assert found == Estimate(mean=0.0, low=0.0, high=wilson(0, 20)[1])
    assert clustered_share([9, 9], [9, 9]).low == wilson(2, 2)[0]


#: Games, how often the truth lies inside at least. Less than .95 only where games are so few that
#: the rare kind is easily missed; docs/explanation/statistics.md has the figures.
RUNS = 400
#: Three standard errors of a share of .95 in so many runs.
SLACK = 3 * math.sqrt(0.95 * 0.05 / RUNS)


@pytest.mark.parametrize("games", [2, 3, 5, 10, 100])
def test_intervals_of_means_hold_the_truth_as_often_as_they_say(games: int) -> None:
    """Games of unequal length whose entries share a deviation of their game."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(RUNS):
        counts = rng.integers(20, 60, games)
        sums = counts * rng.normal(5.0, 1.0, games) + rng.normal(0.0, 1.0, games) * counts**0.5
        found = clustered_mean(sums.tolist(), counts.tolist())
        held += found.low <= 5.0 <= found.high
    assert held / RUNS > 0.95 - SLACK


@pytest.mark.parametrize("games", [2, 3, 5, 10, 20, 100])
@pytest.mark.parametrize("alike", [0.5, 4.0, 1000.0])
@pytest.mark.parametrize(("truth", "least"), [(0.02, 0.90), (0.1, 0.90), (0.3, 0.95)])
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(
    truth: float, least: float, alike: float, games: int
) -> None:
    """Games whose own share is drawn from a beta distribution: from nearly all alike to not.

    Of 1,000 intervals of strongly clustered rare shares 0.917 (0.02, 100 games) and 0.920 (0.1,
    20 games) held it, of all others more; Wilson's with Student's t alone held 0.83 at worst.
    """
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(RUNS):
        counts = rng.integers(20, 60, games)
        hits = rng.binomial(counts, rng.beta(alike * truth, alike * (1 - truth), games))
        found = clustered_share(hits.tolist(), counts.tolist())
        held += found.low <= truth <= found.high
    assert held / RUNS > least - SLACK
