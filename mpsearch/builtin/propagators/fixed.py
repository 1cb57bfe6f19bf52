"""Propagators whose stance never changes, and how a seat is named in a propagator's options."""

from __future__ import annotations

from abc import abstractmethod

from mpsearch.contracts import Propagator, Situation, Stance
from mpsearch.errors import UsageError


class FixedStance(Propagator):
    """A propagator whose stance is the same in every situation."""

    def stance(self, situation: Situation) -> Stance:
        return self.settled(situation.root, situation.players)

    @abstractmethod
    def settled(self, root: int, players: int) -> Stance:
        """The stance of a root."""


def read_seat(text: str, players: int, owner: str) -> int:
    """The seat that an option names."""
    seats = {str(seat): seat for seat in range(players)}
    if text not in seats:
        raise UsageError(f"{owner}={text} is not a seat; seats are 0 to {players - 1}")
    return seats[text]
