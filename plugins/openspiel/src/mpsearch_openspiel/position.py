"""Positions of foreign games as values: equal if their histories are, never changed."""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

#: A state of pyspiel. It has no types.
Inner: TypeAlias = Any


class Position:
    """A state of OpenSpiel that nobody changes."""

    __slots__ = ("_history", "inner")

    inner: Inner
    _history: tuple[int, ...]

    # No __init__: it would be a call of Python's, and a search makes a position for every node.
    @classmethod
    def of(cls, inner: Inner) -> Position:
        """The position that this state is."""
        position = cls()
        position.inner = inner
        return position

    @property
    def history(self) -> tuple[int, ...]:
        """Every action so far, those of chance included: it decides all else."""
        # Not set before it is asked for: a search makes many positions and asks none of them.
        try:
            return self._history
        except AttributeError:
            self._history = tuple(self.inner.history())
            return self._history

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __str__(self) -> str:
        return str(self.inner)


@attrs.frozen(kw_only=True)
class Notes:
    """A view as what a seat knew after every ply; worlds are filtered by it."""

    seat: int
    #: OpenSpiel's information state of the seat, first to last.
    known: tuple[str, ...]
    #: What the seat itself did at every ply, None for others: OpenSpiel may not tell it again.
    own: tuple[int | None, ...]
    #: All actions, those of chance too, up to the last ply by which the seat was shown them all.
    shown: tuple[int, ...] = ()
    #: The last one as numbers, for learners; none where OpenSpiel has none.
    numbers: tuple[float, ...] = attrs.field(default=(), eq=False, repr=False)

    def __str__(self) -> str:
        return self.known[-1]

    def continues(self, earlier: Notes) -> bool:
        """Whether this is what the seat of an earlier view knew later in the same game."""
        plies = len(earlier.own)
        return (
            self.seat == earlier.seat
            and self.shown == earlier.shown
            and self.own[:plies] == earlier.own
            and self.known[: plies + 1] == earlier.known
        )


@attrs.frozen(kw_only=True)
class Seen:
    """A view of a game of tricks: the cards and actions that a seat has seen, and no others."""

    seat: int
    mover: int
    #: OpenSpiel's information state of the seat.
    known: str
    #: Every action so far; `tricks.HIDDEN` for those made in secret, and for cards dealt.
    plies: tuple[int, ...]
    #: By place, hands first, the cards that are known to have been there as play began.
    placed: tuple[tuple[int, ...], ...]
    #: The cards played, each after the seat whose it was.
    played: tuple[tuple[int, int], ...]
    #: As in `Notes`.
    numbers: tuple[float, ...] = attrs.field(default=(), eq=False, repr=False)

    def __str__(self) -> str:
        return self.known


def numbers(inner: Inner, seat: int) -> tuple[float, ...]:
    """What a seat may know, as OpenSpiel has it for learners; nothing where it has none."""
    kind = inner.get_game().get_type()
    if kind.provides_observation_tensor:
        return tuple(inner.observation_tensor(seat))
    if kind.provides_information_state_tensor:
        return tuple(inner.information_state_tensor(seat))
    return ()
