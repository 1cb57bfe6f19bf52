"""Taking back: how far a person may go back without having learned anything by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpsearch.contracts import CHANCE, Game
from mpsearch.errors import UsageError
from mpsearch.match.record import Record, replay
from mpsearch.match.referee import Ply


def undo_point(game: Game, plies: Sequence[Ply], seat: int) -> int:
    """The ply of the seat's last move, from which on moves may be taken back.

    UsageError says why they may not: cards that were seen and dice that fell stay known.
    """
    if game.hidden:
        raise UsageError("nothing is taken back in a game with hidden cards")
    for ply in reversed(plies):
        if ply.seat == CHANCE:
            raise UsageError("the dice have been thrown since your last move; it stays")
        if ply.seat == seat:
            return ply.number
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
