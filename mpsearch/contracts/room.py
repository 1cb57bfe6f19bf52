"""Room for what compiled functions write, with a guard behind it.

Machine code does not notice when it writes beyond the end of an array. The memory behind the end
of a Room is its own, so that a wrong function does no harm elsewhere, and begins with a number
that must still be there afterwards.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.errors import ContractError
from mpsearch.jit import Compiled

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
    whole = np.zeros(players + _SEAT_SLACK)
    whole[players] = _FLOAT_GUARD
    function.on(records, *arguments, whole[:players])
    if whole[players] != _FLOAT_GUARD:
        raise _overwritten(function, players)
    return whole[:players].copy()


def all_by_seat(players: int, function: Compiled, records: Any, parameters: Array) -> Array:
    """The same for every record, in one native call. Shape (N, P)."""
    whole = np.zeros((len(records), players + _SEAT_SLACK))
    whole[:, players] = _FLOAT_GUARD
    function.on_each(records, parameters, whole, players)
    if (whole[:, players] != _FLOAT_GUARD).any():
        raise _overwritten(function, players)
    return whole[:, :players].copy()


def _overwritten(function: Compiled, players: int) -> ContractError:
    return ContractError(f"{function.where} wrote more than {players} values, one for each seat")
