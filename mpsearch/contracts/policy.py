"""Policies with scratch memory, which report more than a move."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import attrs
import numpy as np

from mpsearch._util import Array

#: The answer of a policy that leaves the decision to the player.
DECLINED = -1


class Note(NamedTuple):
    """The parts of a Decision that a policy reports."""

    #: Expected value by seat, and the static evaluation. Shape (P,).
    value: Array
    outlook: Array
    nodes: int
    #: The seat's random stream before the move, to repeat the choice.
    luck: np.ndarray[Any, np.dtype[np.uint64]]


@functools.cache
def note_type(players: int) -> np.dtype[Any]:
    """The record of a note; the policy fills it, except for the luck."""
    fields: list[Any] = [("value", "f8", players), ("outlook", "f8", players)]
    return np.dtype([*fields, ("nodes", "i8"), ("luck", "u8", 6)])


@attrs.frozen(kw_only=True, eq=False)
class ScratchPolicy:
    """A policy with scratch memory and a note; compare `Player.policy`."""

    #: choose(s, moves, count, stream, scratch, note) -> index of the move, or DECLINED; compiled.
    choose: Callable[..., Any]
    #: The type of its scratch record: one for each seat, all zero before a game.
    scratch: np.dtype[Any]
    #: lay(scratch, seat) prepares a seat's scratch for a game. What it returns is kept until the
    #: game ends; its `check` is called then, unless it is None.
    lay: Callable[[Any, int], Any]
