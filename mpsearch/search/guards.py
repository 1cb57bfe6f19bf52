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
from mpsearch.jit import compiled


def guarded_frame(fields: list[Any]) -> list[Any]:
    """The fields, each with a guard behind it."""
    return [f for field in fields for f in (field, (f"{field[0]}_guard", "i8"))]


def make_frames(dtype: np.dtype[Any], room: int) -> np.ndarray[Any, Any]:
    """Frames whose guards are set."""
    spare = SLACK * 8 // dtype.itemsize + 1
    frames = np.zeros(room + spare, dtype)
    set_guards(frames)
    return frames[:room]


def set_guards(frames: np.ndarray[Any, Any]) -> None:
    """Set the guards in frames that have been made."""
    for name in frames.dtype.names or ():
        if name.endswith("_guard"):
            frames[name] = GUARD


@compiled
def intact(words: Any, columns: Any) -> bool:
    """Whether every guard is there: `columns` says where they are in every frame's words."""
    for row in range(words.shape[0]):
        for column in columns:
            if words[row, column] != GUARD:
                return False
    return True


class Guards:
    """The guards of some frames; `writers` says which function writes to which field."""

    def __init__(self, frames: np.ndarray[Any, Any], writers: dict[str, str]) -> None:
        fields = frames.dtype.fields or {}
        self._frames = frames
        self._writers = writers
        self._words = frames.view(np.int64).reshape(len(frames), -1)
        self._columns = np.array([fields[f"{field}_guard"][1] // 8 for field in writers])

    def check(self) -> None:
        """ContractError if a guard is gone."""
        if intact(self._words, self._columns):
            return
        for field, writer in self._writers.items():
            if (self._frames[f"{field}_guard"] != GUARD).any():
                raise ContractError(
                    f"{writer} wrote beyond the end of '{field}'; see 'mpsearch plugins --check'"
                )
