"""Undo: how far moves may be taken back without giving information away."""

from __future__ import annotations

from collections.abc import Sequence

from mpsearch.contracts import CHANCE, Game
from mpsearch.errors import MpsearchError, UsageError


class TakenBackError(MpsearchError):
    """A person takes moves back, from this ply on, instead of moving."""

    def __init__(self, ply: int, *, seat: int) -> None:
        super().__init__(f"taken back to ply {ply}")
        self.ply, self.seat = ply, seat


def undo_point(game: Game, movers: Sequence[int], seat: int) -> int:
    """The ply of the seat's last move, from which moves may be taken back.

    `movers` has the seat of each ply. UsageError says why moves may not be taken back: cards that
    were seen and dice that fell stay known.
    """
    if game.hidden:
        raise UsageError("moves cannot be taken back in a game with hidden cards")
    for ply in reversed(range(len(movers))):
        if movers[ply] == CHANCE:
            raise UsageError("dice have been rolled since your last move, so it stands")
        if movers[ply] == seat:
            return ply
    raise UsageError("you have not moved yet")
