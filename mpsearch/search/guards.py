"""Guards in the frames of a compiled search: numbers that must still be there afterwards.

Machine code does not notice when a rule or an evaluator writes beyond the end of a field. A
guard stands behind every field they write to, and behind the last frame there is memory that
belongs to nobody, so that a wrong plugin ends in a message and not in a wrong answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts.room import GUARD, SLACK
from mpsearch.errors import ContractError


def guarded_frame(fields: list[Any]) -> list[Any]:
    """The fields, each with a guard behind it."""
    return [f for field in fields for f in (field, (f"{field[0]}_guard", "i8"))]


def make_frames(dtype: np.dtype[Any], room: int) -> np.ndarray[Any, Any]:
    """Frames whose guards are set."""
    spare = SLACK * 8 // dtype.itemsize + 1
    frames = np.zeros(room + spare, dtype)
    for name in dtype.names or ():
        if name.endswith("_guard"):
            frames[name] = GUARD
    return frames[:room]


class Guards:
    """The guards of some frames; `writers` says which function writes to which field."""

    def __init__(self, frames: np.ndarray[Any, Any], writers: dict[str, str]) -> None:
        self._guards = [(frames[f"{field}_guard"], field, who) for field, who in writers.items()]

    def check(self) -> None:
        """ContractError if a guard is gone."""
        for guards, field, writer in self._guards:
            if np.count_nonzero(guards == GUARD) < len(guards):
                raise ContractError(
                    f"{writer} wrote beyond the end of '{field}'; see 'mpsearch plugins --check'"
                )
