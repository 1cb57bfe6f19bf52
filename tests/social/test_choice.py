"""What a choice says about the mover, computed by hand."""

import math

import numpy as np
import pytest

from mpsearch.contracts import Observation
from mpsearch.social import advantage_of, angle, chance_of_choice, effect_of, is_forced


def saw(*worlds: tuple[list[list[float]], int]) -> Observation:
    return Observation(
        mover=1,
        before=np.array([10.0, 20.0]),
        after=np.array([15.0, 10.0]),
        greatest=50.0,
        alternatives=lambda: tuple((np.array(values), chosen) for values, chosen in worlds),
    )


def test_an_effect_is_the_change_as_a_share_of_the_greatest_value() -> None:
    assert effect_of(saw()).tolist() == pytest.approx([0.1, -0.2])


def test_an_advantage_is_the_effect_beyond_the_mean_of_all_moves() -> None:
    found = advantage_of(saw(([[10, 0], [30, 20], [20, 40]], 1)))
    assert found is not None
    assert found.tolist() == pytest.approx([(30 - 20) / 50, (20 - 20) / 50])


def test_advantages_are_means_over_worlds_with_a_choice() -> None:
    free = [[10.0, 0.0], [30.0, 20.0]]
    found = advantage_of(saw((free, 1), (free, 0), (free, 1), ([[99, 99]], 0)))
    assert found is not None
    assert found.tolist() == pytest.approx([(10 - 10 + 10) / 3 / 50, (10 - 10 + 10) / 3 / 50])


def test_forced_moves_have_no_advantage() -> None:
    assert advantage_of(saw(([[1, 2]], 0), ([[3, 4]], 0))) is None
    assert is_forced(saw(([[1, 2]], 0)).alternatives())
    assert not is_forced(saw(([[1, 2]], 0), ([[1, 2], [3, 4]], 0)).alternatives())


@pytest.mark.parametrize("precision", [0.0, 0.5, 3.0, 1000.0])
def test_of_two_moves_the_better_is_chosen_by_the_logistic_rule(precision: float) -> None:
    """Two merits are one deviation below and above their mean, whatever the scale."""
    values = np.array([[0.0, 7.0], [0.4, 3.0]])
    rows = np.array([[1.0, 0.0], [0.001, 0.0], [0.0, 1.0], [10.0, 1.0]])
    found = chance_of_choice(rows, [(values, 1)], precision=precision)
    better = 1 / (1 + math.exp(-2 * precision))
    assert found.tolist() == pytest.approx([better, better, 1 - better, 0.5])


def test_chances_are_means_over_worlds() -> None:
    values = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    row = np.array([[1.0, 0.0]])
    one, other = (chance_of_choice(row, [(values, k)], precision=2.0)[0] for k in (0, 1))
    both = chance_of_choice(row, [(values, 0), (values, 1)], precision=2.0)[0]
    assert one + 2 * other == pytest.approx(1)
    assert both == pytest.approx((one + other) / 2)


def test_angles_are_degrees() -> None:
    assert angle(np.array([1.0, 0]), np.array([0.2, 0.2])) == pytest.approx(45)
    assert angle(np.array([1.0, 0]), np.array([-3.0, 0])) == pytest.approx(180)
    assert angle(np.array([1.0, 0]), np.array([0.0, 0])) == 90


def test_rounding_makes_no_angle_of_a_row_with_itself() -> None:
    """The cosine of these comes out as 1.0000000000000002."""
    row = np.array([0.4, 0.9, 0.3])
    assert angle(row, row) == 0
    assert angle(row, -row) == 180


def test_an_advantage_stays_within_what_a_matrix_may_hold() -> None:
    """Where values fall below 0, a change may be greater than the greatest value."""
    found = advantage_of(saw(([[-400.0, 400.0], [400.0, -400.0]], 1)))
    assert found is not None
    assert found.tolist() == [1, -1]
