"""Arrays in records: floats that nobody can write to, and no copies of those that are."""

import numpy as np

from mpsearch.contracts import frozen_array


def test_what_can_be_written_to_is_copied() -> None:
    mine = np.array([1.0, 2.0])
    found = frozen_array(mine)
    mine[0] = 5.0
    assert found.tolist() == [1.0, 2.0]
    assert not found.flags.writeable


def test_what_is_frozen_already_is_returned_itself() -> None:
    found = frozen_array([1, 2])
    assert frozen_array(found) is found


def test_whole_numbers_become_floats_frozen_or_not() -> None:
    whole = np.array([1, 2])
    whole.flags.writeable = False
    assert frozen_array(whole).dtype == np.float64
