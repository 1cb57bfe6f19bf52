"""Player: chooses moves for a seat from views, never from states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch._util import Array, optional_array_field
from mpsearch.contracts.game import Move, State, View
from mpsearch.contracts.policy import Note, ScratchPolicy
from mpsearch.contracts.propagator import Stance
from mpsearch.jit import Compiled

#: A player's immutable memory of one game.
Memory: TypeAlias = Any


@attrs.frozen(kw_only=True)
class Turn:
    """What the referee gives to the seat to move."""

    seat: int
    view: View
    #: The legal moves in the game's order.
    moves: tuple[Move, ...]


@attrs.frozen(kw_only=True)
class Event:
    """A move of a seat, or an outcome of chance, as another seat saw it."""

    #: The seat that moved, or CHANCE.
    mover: int
    #: The move; None if it was secret.
    move: Move | None
    #: The observer's views before and after it.
    before: View
    after: View


@attrs.frozen(kw_only=True, slots=False)  # as `Report`
class Decision:
    """A move and the reasons for it, as far as a player can tell; the record keeps them."""

    move: Move
    stance: Stance | None = None
    #: Expected value by seat. Shape (P,).
    value: Array | None = optional_array_field()
    #: The static evaluation of the position. Shape (P,).
    outlook: Array | None = optional_array_field()
    #: False if the value is only a bound.
    exact: bool = True
    nodes: int = 0
    depth: int = 0
    _report: Any = attrs.field(default=None, eq=False, repr=False)

    @property
    def report(self) -> Any:
        """The full report of the search; if given as a function, it is made now."""
        return self._report() if callable(self._report) else self._report


class Player(ABC):
    """Chooses moves for a seat."""

    #: The game it was made for; None: any game.
    game: Any = None
    #: `choose` as a compiled function: policy(s, moves, count, stream) -> index of the move. `s` is
    #: what the seat may know; `stream` is for `mpsearch.gamekit.below`. A player with a policy has
    #: no memory between moves; `account` gives the rest of a Decision.
    policy: Compiled | ScratchPolicy | None = None

    @property
    def observes(self) -> bool:
        """Whether `observe` is called for moves of others."""
        return False

    @property
    def observes_chance(self) -> bool:
        """Whether `observe` is also called for outcomes of chance."""
        return False

    def start(self, seat: int, rng: np.random.Generator) -> Memory:
        """The memory before the first move."""
        return None

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        """The memory after an event."""
        return memory

    def end(self, memory: Memory) -> None:  # noqa: B027  # most keep nothing
        """Release what was kept for a game that is over or abandoned."""

    def account(
        self, seat: int, memory: Memory, *, move: Move, known: State, note: Note | None
    ) -> Decision:
        """The Decision of `choose` for a move that the policy made.

        `known` is `s` after the policy ran; a ScratchPolicy also leaves a note.
        """
        return Decision(move=move)

    @abstractmethod
    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        """Choose a legal move."""
