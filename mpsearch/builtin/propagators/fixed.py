"""Propagators with a fixed stance, and how their options name a seat."""

from __future__ import annotations

import functools
from abc import abstractmethod
from typing import ClassVar

from mpsearch.contracts import Array, Propagator, Situation, Stance
from mpsearch.errors import UsageError


class FixedStance(Propagator):
    """A propagator with the same matrix in every situation. Equal ones have equal matrices."""

    label: ClassVar[str]

    @abstractmethod
    def matrix(self, root: int, players: int) -> Array:
        """The social matrix of a root."""

    def stance(self, situation: Situation) -> Stance:
        return self.settled(situation.root, situation.players)

    def settled(self, root: int, players: int) -> Stance:
        return _settled(self, root, players)


@functools.lru_cache(maxsize=1024)
def _settled(propagator: FixedStance, root: int, players: int) -> Stance:
    return Stance(matrix=propagator.matrix(root, players), label=propagator.label)


def read_seat(text: str, players: int, owner: str) -> int:
    """The seat that an option names."""
    seats = {str(seat): seat for seat in range(players)}
    if text not in seats:
        raise UsageError(f"{owner}={text} is not a seat; seats are 0 to {players - 1}")
    return seats[text]
