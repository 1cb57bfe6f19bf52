"""Records of compiled rules outside the search: to change one, to keep several."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.jit import jit_enabled


def record_array(state: bytes, dtype: np.dtype[Any]) -> Any:
    """A copy of a state as an array of one record, for compiled functions that change it.

    numba takes an array of records ten times faster than a record; in plain Python the
    fields must be attributes.
    """
    array = np.frombuffer(bytearray(state), dtype=dtype)
    return array if jit_enabled() else array.view(np.recarray)


def record_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type for copies of a state that compiled functions make: `np.empty(1, RECORD)`.

    Its records have their fields as attributes in plain Python too.
    """
    return np.dtype((np.record, dtype))
