"""Visibility: what a seat may see of states, moves and other agents' thoughts.

All turns and events are made here, and terminal and web page ask here what they may show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from mpsearch.contracts.game import Game, Move, State, View
from mpsearch.contracts.player import Event, Turn

#: The answer to users where `thoughts_are_open` is False.
THOUGHTS_WITHHELD = "the others' thinking is shown after the game, because it reveals cards"


def turn_of(game: Game, state: State, moves: Sequence[Move] | None = None) -> Turn:
    """The turn of the seat to move; `moves` are the legal ones, if already known."""
    seat = game.mover(state)
    legal = game.moves(state) if moves is None else moves
    return Turn(seat=seat, view=game.view(state, seat), moves=tuple(legal))


def event_of(game: Game, seat: int, *, before: State, move: Move, after: State) -> Event:
    """What `seat` sees of another's move or an outcome of chance in the state `before`."""
    return Event(
        mover=game.mover(before),
        move=game.seen(before, move, seat),
        before=game.view(before, seat),
        after=game.view(after, seat),
    )


def turn_in(game: Game, view: View) -> Turn:
    """The turn of the seat to move, from its view alone."""
    state = any_world(game, view)
    return Turn(seat=game.mover(state), view=view, moves=tuple(game.moves(state)))


def told_event(*, mover: int, move: Move | None, before: View, after: View) -> Event:
    """An event from what a seat was told, with its own views."""
    return Event(mover=mover, move=move, before=before, after=after)


def seen_alike(game: Game, seats: Iterable[int], *, before: State, move: Move) -> Move | None:
    """A move as all these seats saw it; None if it was secret or they saw it differently."""
    first, *others = (game.seen(before, move, seat) for seat in seats)
    return first if all(other == first for other in others) else None


def heard(game: Game, seats: Iterable[int], *, before: State, move: Move) -> str:
    """The remark on a move if all these seats saw the whole move; otherwise empty."""
    whole = all(game.seen(before, move, seat) == move for seat in seats)
    return game.remark(before, move) if whole else ""


def thoughts_are_open(game: Game, *, people: Collection[int], over: bool) -> bool:
    """Whether agents' stances, values and searches may be shown to these people.

    In a hidden game they reveal an agent's cards: they are withheld until the game is over, unless
    only agents play.
    """
    return over or not game.hidden or not people


def any_world(game: Game, view: View) -> State:
    """A fixed state that agrees with a view, for texts and pictures."""
    return game.world(view, np.random.default_rng(0))
