"""Player: anything that sits at the table. It sees views, never states."""

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
    """What the referee hands to the seat that must move."""

    seat: int
    view: View
    #: The legal moves, in the game's own order.
    moves: tuple[Move, ...]


@attrs.frozen(kw_only=True)
class Event:
    """A move of some seat, or an outcome of chance, as another seat saw it."""

    #: The seat that moved, or CHANCE.
    mover: int
    #: The move; None if it was made in secret.
    move: Move | None
    #: The observer's views before and after it.
    before: View
    after: View


@attrs.frozen(kw_only=True)
class Decision:
    """A move, and why: whatever of this a player can tell is kept in the record."""

    move: Move
    stance: Stance | None = None
    #: Expected value by seat. Shape (P,).
    value: Array | None = optional_array_field()
    #: The position by seat, as it was evaluated before any search. Shape (P,).
    outlook: Array | None = optional_array_field()
    #: False if the value is only a bound.
    exact: bool = True
    nodes: int = 0
    depth: int = 0
    _report: Any = attrs.field(default=None, eq=False, repr=False)

    @property
    def report(self) -> Any:
        """The full report of the search; a function that was given as `report` makes it now."""
        return self._report() if callable(self._report) else self._report


class Player(ABC):
    """Chooses moves for a seat."""

    #: The game it was made for; None if it can sit at any table.
    game: Any = None
    #: The same choice as a compiled function: policy(s, moves, count, stream) -> the index of the
    #: move. `s` holds what the seat may know, `stream` draws with `mpsearch.gamekit.below`. Whoever
    #: has one remembers nothing between moves; `account` says the rest of a Decision.
    policy: Compiled | ScratchPolicy | None = None

    @property
    def observes(self) -> bool:
        """Whether this player wants to hear of the others' moves."""
        return False

    @property
    def observes_chance(self) -> bool:
        """Whether it also wants to hear of outcomes of chance, as far as its seat sees them."""
        return False

    def start(self, seat: int, rng: np.random.Generator) -> Memory:
        """The memory before the first move."""
        return None

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        """The memory after a move of another seat."""
        return memory

    def end(self, memory: Memory) -> None:  # noqa: B027  # most keep nothing
        """The game is over, or nobody goes on with it: let go of what was kept for it."""

    def account(
        self, seat: int, memory: Memory, *, move: Move, known: State, note: Note | None
    ) -> Decision:
        """What `choose` says of a move that the policy made.

        `known` is what it left of `s`; a policy with a scratch also leaves a note.
        """
        return Decision(move=move)

    @abstractmethod
    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        """A legal move for the turn."""
