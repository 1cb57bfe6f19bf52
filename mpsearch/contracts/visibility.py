"""Visibility: what a seat may see of a state, of a move and of what others think.

All turns and events are made here, and terminal and page ask here what they may show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from mpsearch.contracts.game import Game, Move, State, View
from mpsearch.contracts.player import Event, Turn

#: What whoever asks is told where `thoughts_are_open` says no.
THOUGHTS_WITHHELD = "the others' thinking is shown after the game, because it reveals cards"


def turn_of(game: Game, state: State, moves: Sequence[Move] | None = None) -> Turn:
    """The turn of the seat to move; `moves` are the legal ones, if they are at hand."""
    seat = game.mover(state)
    legal = game.moves(state) if moves is None else moves
    return Turn(seat=seat, view=game.view(state, seat), moves=tuple(legal))


def event_of(game: Game, seat: int, *, before: State, move: Move, after: State) -> Event:
    """What `seat` sees of another's move or an outcome of chance, made in the state `before`."""
    return Event(
        mover=game.mover(before),
        move=game.seen(before, move, seat),
        before=game.view(before, seat),
        after=game.view(after, seat),
    )


def turn_in(game: Game, view: View) -> Turn:
    """The turn of the seat to move, from its view alone: its legal moves follow from that."""
    state = any_world(game, view)
    return Turn(seat=game.mover(state), view=view, moves=tuple(game.moves(state)))


def told_event(*, mover: int, move: Move | None, before: View, after: View) -> Event:
    """An event as a seat was told of it, in views of its own."""
    return Event(mover=mover, move=move, before=before, after=after)


def seen_alike(game: Game, seats: Iterable[int], *, before: State, move: Move) -> Move | None:
    """A move as all these seats saw it; None if it was made in secret, or some saw more of it."""
    first, *others = (game.seen(before, move, seat) for seat in seats)
    return first if all(other == first for other in others) else None


def heard(game: Game, seats: Iterable[int], *, before: State, move: Move) -> str:
    """What is said of a move to seats that all saw the whole of it, and nothing to others."""
    whole = all(game.seen(before, move, seat) == move for seat in seats)
    return game.remark(before, move) if whole else ""


def thoughts_are_open(game: Game, *, people: Collection[int], over: bool) -> bool:
    """Whether agents' stances, values and searches may be shown at a table with these people.

    In a game with hidden information they come from an agent's own hidden cards and give them
    away: they are kept until the game is over, unless only agents play.
    """
    return over or not game.hidden or not people


def any_world(game: Game, view: View) -> State:
    """A state that agrees with a view, always the same one: for texts and pictures."""
    return game.world(view, np.random.default_rng(0))
