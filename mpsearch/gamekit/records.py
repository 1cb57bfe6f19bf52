"""Records of compiled rules outside a search."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.jit import jit_enabled


def record_array(state: bytes, dtype: np.dtype[Any]) -> Any:
    """A copy of a state as an array of one record, for compiled functions that change it.

    numba accepts an array of records ten times faster than a record; in plain Python fields are
    attributes.
    """
    array = np.frombuffer(bytearray(state), dtype=dtype)
    return array if jit_enabled() else array.view(np.recarray)


def record_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type for copies of a state in compiled functions, `np.empty(1, RECORD)`.

    In plain Python too, the fields of its records are attributes.
    """
    return np.dtype((np.record, dtype))
