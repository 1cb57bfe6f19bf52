"""Policies with scratch memory: a record of their own to work in, and more to say than a move."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import attrs
import numpy as np

from mpsearch._util import Array

#: What a policy answers if the player itself is to be asked.
DECLINED = -1


class Note(NamedTuple):
    """What a policy says of one of its moves: some of a Decision."""

    #: Expected value by seat, and the position as it was evaluated before. Shape (P,).
    value: Array
    outlook: Array
    nodes: int
    #: The seat's stream before the move, from which the choice can be made again.
    luck: np.ndarray[Any, np.dtype[np.uint64]]


@functools.cache
def note_type(players: int) -> np.dtype[Any]:
    """A note as the record that a policy fills; the referee fills in the luck."""
    fields: list[Any] = [("value", "f8", players), ("outlook", "f8", players)]
    return np.dtype([*fields, ("nodes", "i8"), ("luck", "u8", 6)])


@attrs.frozen(kw_only=True, eq=False)
class ScratchPolicy:
    """A policy as `Player.policy` has it, but for what it is called with and may answer."""

    #: choose(s, moves, count, stream, scratch, note) -> index of the move, or DECLINED; compiled.
    choose: Callable[..., Any]
    #: The record that it works in: every seat has one of its own, all zero before a game.
    scratch: np.dtype[Any]
    #: lay(scratch, seat) puts into a seat's scratch what must be there when a game begins; what it
    #: returns is kept until the game has ended, and asked to `check` itself then if it is not None.
    lay: Callable[[Any, int], Any]
