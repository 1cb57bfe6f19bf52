"""Guarded memory: what compiled functions write to, with a guard word behind it.

Machine code does not notice when it writes beyond the end of an array or of a field. The memory
behind the end of a buffer is its own, so that a wrong function does no harm elsewhere, and begins
with a number that must still be there afterwards. The frames of a search have such a word behind
every field that rules and evaluators write to.
"""

from __future__ import annotations

import functools
from typing import Any, TypeAlias

import numpy as np

from mpsearch._util import Array
from mpsearch.errors import ContractError
from mpsearch.jit.compile import Compiled, compiled

Entries: TypeAlias = np.ndarray[Any, Any]

#: What stands behind the end.
GUARD = 0x5AFE_C0DE_5AFE_C0DE
_FLOAT_GUARD = -1.5e-300
#: How many entries beyond the end do no harm; memory that is not touched costs nothing.
SLACK = 4096
_SEAT_SLACK = 64


#: Rooms that are free, by length: making one takes longer than most functions take to fill it.
_FREE: dict[int, list[Room]] = {}


def take_room(length: int) -> Room:
    """A room of this length for the caller alone, until it has `listed`."""
    try:
        return _FREE[length].pop()
    except (KeyError, IndexError):
        return Room(length)


class Room:
    """An array for moves or outcomes, `out`, that notices when it did not suffice."""

    __slots__ = ("_free", "_guard", "_whole", "out")

    def __init__(self, length: int) -> None:
        self._whole = np.empty(length + SLACK, dtype=np.int64)
        self._whole[length] = GUARD
        self.out = self._whole[:length]
        self._guard = self._whole[length:].data
        self._free = _FREE.setdefault(length, [])

    def listed(self, count: int, function: Compiled) -> list[int]:
        """The first `count` entries as Python numbers; then somebody else may take the room."""
        length = len(self.out)
        if not 0 <= count <= length or self._guard[0] != GUARD:
            raise ContractError(
                f"{function.where} listed {count} moves or outcomes"
                + (f" and wrote more than {length}; most_moves is too small" if count >= 0 else "")
            )
        moves: list[int] = self.out[:count].tolist()
        self._free.append(self)
        return moves


def by_seat(players: int, function: Compiled, records: Any, *arguments: Any) -> Array:
    """What a compiled function of a record writes into an array of one number for each seat."""
    empty, its_bytes = _between_guards(players)
    whole = empty.copy()
    out = whole[_SEAT_SLACK : _SEAT_SLACK + players]
    function.on(records, *arguments, out)
    found: Array = out.copy()
    out.fill(0.0)
    # All of them, on both sides: a wrong index need not be the next one.
    if whole.tobytes() != its_bytes:
        raise _overwritten(function, players)
    return found


@functools.cache
def _between_guards(players: int) -> tuple[Array, bytes]:
    """Zeros for all seats with guards on both sides, and the same as bytes."""
    whole = np.full(players + 2 * _SEAT_SLACK, _FLOAT_GUARD)
    whole[_SEAT_SLACK : _SEAT_SLACK + players] = 0.0
    return whole, whole.tobytes()


def all_by_seat(players: int, function: Compiled, records: Any, parameters: Array) -> Array:
    """The same for every record, in one native call. Shape (N, P)."""
    whole = np.full((len(records) + 1, players + _SEAT_SLACK), _FLOAT_GUARD)
    # What lies before the first row is the end of another, which is guarded too.
    rows = whole[1:]
    rows[:, :players] = 0.0
    function.on_each(records, parameters, rows, players)
    if (rows[:, players:] != _FLOAT_GUARD).any() or (whole[0] != _FLOAT_GUARD).any():
        raise _overwritten(function, players)
    return rows[:, :players].copy()


def _overwritten(function: Compiled, players: int) -> ContractError:
    return ContractError(
        f"{function.where} wrote outside of its {players} values, one for each seat; see 'mpsearch "
        "plugins --check'"
    )


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
