"""The memory of a compiled search: frames and context as records that are the same for all games.

A state, a list of moves and what an evaluator writes lie in blocks of their own, which frames name
by address, with a guard behind each: whatever a wrong plugin writes, it is not the search's own.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mpsearch.contracts import StateRecord
from mpsearch.errors import ContractError
from mpsearch.jit import GUARD, SLACK, function_address
from mpsearch.search.pruning.local_plan import LOCAL_TECHNIQUES
from mpsearch.search.tree.backup import LINE
from mpsearch.search.tree.engine import local_fields
from mpsearch.search.tree.iterative_deepening import MERITS, PROGRESS
from mpsearch.search.tree.move_ordering import KILLERS, ORDERING

#: Room for the seats of most games: one search is compiled for all that need no more.
_USUAL_SEATS = 8
_FLOAT_GUARD = -1.5e-300
_SEAT_SLACK = 64


def seats_for(players: int) -> int:
    """The number of seats that records have room for in a game of so many players."""
    seats = _USUAL_SEATS
    while seats < players:
        seats *= 2
    return seats


# Types of records are made once: numba knows at once what is the same object, and compares equal
# ones field by field.


def frame_type(players: int) -> np.dtype[Any]:
    """One level of the tree as a record."""
    return _frame_type(seats_for(players))


@functools.cache
def _frame_type(seats: int) -> np.dtype[Any]:
    addresses = ("below", "state", "moves", "probabilities")
    return np.dtype(
        [
            *((name, "i8") for name in addresses),
            *((name, "i8") for name in ("last", "ply", "seat", "cut", "end")),
            *((name, "i8") for name in ("length", "known", "kept_known")),
            ("killers", "i8", KILLERS),
            ("kept", "i8", KILLERS),
            ("value", "f8", seats),
            ("low", "f8", seats + 1),
            ("high", "f8", seats + 1),
            ("line", "i8", LINE),
        ],
        align=True,
    )


def context_type(players: int) -> np.dtype[Any]:
    """What all levels share as a record."""
    return _context_type(seats_for(players))


@functools.cache
def _context_type(seats: int) -> np.dtype[Any]:
    functions = ["expand", "branching", "outcomes", "search", "average", "local_limits", "reach"]
    outputs = ["out", "out_low", "out_high"]
    counts = ["players", "parameters", "parameter_count", "branch_parameters", "branch_count"]
    limits = ["nodes", "node_limit", "column", "prune", "exact_ends"]
    signals = ["stop", "halted", "crowded", "horizon"]
    names = (*functions, *outputs, *counts, *limits, *signals, *PROGRESS, *ORDERING)
    fields: list[Any] = [
        *((name, "i8") for name in (*names, "nearest", *sorted(LOCAL_TECHNIQUES))),
        *((name, "f8") for name in (*MERITS, "slack", "stray", "top", "bottom")),
        *((name, "f8", seats) for name in ("most", "won", "lost", "weight")),
        ("cares", "i8", seats),
        ("only", "i8", seats),
        ("matrix", "f8", (seats, seats)),
        ("corners", "f8", (seats, seats)),
        ("chains", "f8", (seats, seats, seats * seats, 2)),
        *((name, "f8", shape) for name, shape in local_fields(seats).items()),
    ]
    return np.dtype((StateRecord, np.dtype(fields, align=True)))


def root_type(players: int) -> np.dtype[Any]:
    """What is found behind one root move as a record."""
    return _root_type(seats_for(players))


@functools.cache
def _root_type(seats: int) -> np.dtype[Any]:
    return np.dtype(
        [
            *(("value", "f8", seats), ("line", "i8", LINE)),
            *((name, "i8") for name in ("length", "end", "exact")),
        ]
    )


def address(array: np.ndarray[Any, Any]) -> int:
    """Where an array lies."""
    return int(array.__array_interface__["data"][0])


def native_address(dispatcher: Any, players: int) -> int:
    """Where the machine code of a part of the search is: arguments have their types by name."""
    code = dispatcher.py_func.__code__
    kinds: dict[str, Any] = {
        "f": np.zeros(1, frame_type(players))[0],
        "context": np.zeros(1, context_type(players))[0],
        **dict.fromkeys(("low", "high", "most", "enough"), 0.0),
    }
    names = code.co_varnames[: code.co_argcount]
    return function_address(dispatcher, *(kinds.get(name, 0) for name in names))


class Blocks:
    """What frames name by address: states, lists of moves and of probabilities."""

    def __init__(self, room: int, state: np.dtype[Any], widest: int, outcomes: int) -> None:
        words = -(-state.itemsize // 8)
        #: The guard of each row is its last word; behind the last row the memory is nobody's.
        self.states = _rows(room, words, np.int64)
        self.moves = _rows(room, widest, np.int64)
        self.probabilities = _rows(room, outcomes, np.float64)
        self._guards = [(name, block[:, -1]) for name, block in self._named()]
        #: As bytes, which Python compares faster than NumPy so few numbers.
        self._intact = np.full(room, GUARD).tobytes()
        #: The bytes of the root's state.
        self.root_state = self.states[0].view(np.uint8)[: state.itemsize].data

    def place(self, frames: np.ndarray[Any, Any]) -> None:
        """Write into the frames where everything is."""
        number = np.arange(len(frames))
        frames["ply"] = number
        frames["below"] = address(frames) + (number + 1) * frames.itemsize
        frames["last"] = number + 1 == len(frames)
        for name, block in self._named():
            frames[name] = address(block) + number * block.strides[0]

    def copy_from(self, other: Blocks) -> None:
        """Take over what the frames of a smaller memory name."""
        for (_, mine), (_, its) in zip(self._named(), other._named(), strict=True):
            mine[: len(its)] = its

    def check(self, writers: dict[str, str]) -> None:
        """ContractError if anything was written beyond the end of a row."""
        for name, guards in self._guards:
            if guards.tobytes() != self._intact:
                raise overwritten(writers[name], name)

    def _named(self) -> tuple[tuple[str, np.ndarray[Any, Any]], ...]:
        # What overflows most first: it may have run over the guards of the others.
        return (
            ("moves", self.moves),
            ("probabilities", self.probabilities),
            ("state", self.states),
        )


def _rows(room: int, length: int, kind: Any) -> np.ndarray[Any, Any]:
    """Rows of so many numbers, each with a guard behind it."""
    block = np.zeros(room * (length + 1) + SLACK, kind)[: room * (length + 1)]
    rows: np.ndarray[Any, Any] = block.reshape(room, length + 1)
    rows.view(np.int64)[:, -1] = GUARD
    return rows


class Outputs:
    """Where evaluators write, beside the frames."""

    def __init__(self, players: int) -> None:
        #: Values, and the box: entries and whoever writes them.
        lengths = (players, players + 1, players + 1)
        self._rows = np.zeros((3, players + 1 + _SEAT_SLACK))
        for row, length in zip(self._rows, lengths, strict=True):
            row[length] = _FLOAT_GUARD
        #: Where the guards are: of the same memory, of which Python reads single numbers faster.
        self._guards = [
            (name, row.data, length)
            for name, row, length in zip(("value", "low", "high"), self._rows, lengths, strict=True)
        ]

    def place(self, context: Any) -> None:
        """Write into the context where they are."""
        context.out, context.out_low, context.out_high = map(address, self._rows)

    def check(self, writers: dict[str, str]) -> None:
        """ContractError if more was written than there are seats, or than a box has entries."""
        for name, row, length in self._guards:
            if row[length] != _FLOAT_GUARD:
                raise overwritten(writers[name], name)


def overwritten(writer: str, field: str) -> ContractError:
    """What to say of a function that wrote too much."""
    return ContractError(
        f"{writer} wrote beyond the end of '{field}'; see 'mpsearch plugins --check'"
    )
