"""Taking back: how far a person may go back without having learned anything by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpsearch.contracts import CHANCE, Game
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match.record import Record
from mpsearch.match.referee import Ply
from mpsearch.match.replaying import replay


class TakenBackError(MpsearchError):
    """A person, asked for a move, takes moves back instead, from this ply on."""

    def __init__(self, ply: int, *, seat: int) -> None:
        super().__init__(f"taken back to ply {ply}")
        self.ply = ply
        self.seat = seat


def undo_point(game: Game, movers: Sequence[int], seat: int) -> int:
    """The ply of the seat's last move, from which on moves may be taken back.

    `movers` is who made each ply. UsageError says why moves may not be taken back: cards that were
    seen and dice that fell stay known.
    """
    if game.hidden:
        raise UsageError("nothing is taken back in a game with hidden cards")
    for ply in reversed(range(len(movers))):
        if movers[ply] == CHANCE:
            raise UsageError("the dice have been thrown since your last move; it stays")
        if movers[ply] == seat:
            return ply
    raise UsageError("you have not moved yet")


def recalled(game: Game, record: Record) -> Iterator[Ply]:
    """The plies of a record; what was behind the decisions is not in them."""
    states = replay(game, record)
    before = next(states)
    for number, (entry, state) in enumerate(zip(record.plies, states, strict=True)):
        yield Ply(
            number=number,
            seat=CHANCE if entry["seat"] is None else entry["seat"],
            move=game.read_in(before, entry["move"]),
            decision=None,
            before=before,
            state=state,
        )
        before = state
