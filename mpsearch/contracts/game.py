"""Game: the rules for a fixed number of players and fixed options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mpsearch._util import Array
from mpsearch.contracts.value_text import read_value, write_value
from mpsearch.errors import ContractError, MoveError, UsageError

if TYPE_CHECKING:
    from mpsearch.contracts.compiled_rules import Rules

#: The value of `mover` at a chance node.
CHANCE = -1
#: The value of `mover` when the game is over.
OVER = -2

#: An immutable, hashable position of any type.
State: TypeAlias = Any
#: What one seat may know of a state; the state itself if nothing is hidden.
View: TypeAlias = Any
#: A hashable move of a player or outcome of chance.
Move: TypeAlias = Any


class Game(ABC):
    """The rules of a game for a fixed number of players and fixed options.

    States are immutable, hashable values. The initial state is fixed: a random start, such as a
    deal, is an outcome of chance, so that the moves of a game, chance included, are a complete
    record of it.
    """

    #: Number of seats, P.
    players: int
    #: Whether the game has hidden information. If so, `view`, `world` and `seen` must be defined.
    hidden: bool = False
    #: The compiled rules, if there are any.
    rules: Rules | None = None
    #: Number of actions, if moves of seats are numbered for machine learning.
    actions: int | None = None
    #: The greatest number of plies, chance included; a longer game ends with an error.
    most_plies: int = 10_000

    @abstractmethod
    def new(self) -> State:
        """The initial state."""

    @abstractmethod
    def mover(self, state: State) -> int:
        """The seat to move, CHANCE or OVER."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """The mover's legal moves, at least one, in a fixed order."""

    @abstractmethod
    def play(self, state: State, move: Move) -> State:
        """The state after a legal move or an outcome of chance."""

    @abstractmethod
    def payoff(self, state: State) -> Array:
        """The result of a finished game by seat; more is better. Shape (P,)."""

    @property
    def lists_chance(self) -> bool:
        """Whether `chance` lists outcomes in any state.

        A search expands every listed outcome. Chance that is only drawn ends its line.
        """
        return False

    def chance(self, state: State) -> Sequence[tuple[Move, float]]:
        """All outcomes of chance with their probabilities; empty if there are too many."""
        return ()

    def tree_chance(self, state: State) -> Sequence[tuple[Move, float]]:
        """The outcomes for a search: fewer if the game merges equivalent ones."""
        return self.chance(state)

    def draw(self, state: State, rng: np.random.Generator) -> Move:
        """Draw an outcome of chance. Must be overridden if outcomes are not listed."""
        outcomes = self.chance(state)
        probabilities = np.array([probability for _, probability in outcomes])
        chosen = rng.choice(len(outcomes), p=probabilities / probabilities.sum())
        return outcomes[int(chosen)][0]

    def possible(self, state: State, outcome: Move) -> bool:
        """Whether `outcome`, any value that `read` returns, is possible in `state`.

        Must be overridden if outcomes are not listed.
        """
        return any(outcome == listed for listed, _ in self.chance(state))

    @property
    def skips(self) -> bool:
        """Whether `skip` is defined, which best-reply search can use."""
        return False

    def skip(self, state: State) -> State:
        """The state after the mover passes, legal or not, with the next seat to move.

        Only searches use it; it is never played.
        """
        raise UsageError("this game does not allow skipping a turn")

    @property
    def solves(self) -> bool:
        """Whether the game knows how some games will end before they do; see `solve`."""
        return False

    def solve(self, state: State) -> tuple[State, int] | None:
        """The finished game that best play of two opposed seats comes to, and how many plies later.

        The winner wins as soon as it can, the loser loses as late. None: not known here.
        """
        return None

    def view(self, state: State, seat: int) -> View:
        """What `seat` may know of `state`. A hidden game must override it."""
        if self.hidden:
            raise ContractError(undeclared(self, "view"))
        return state

    def world(self, view: View, rng: np.random.Generator) -> State:
        """A determinization: a state that agrees with `view`, drawn with its probability.

        Called only where a seat is to move. A hidden game must override it.
        """
        if self.hidden:
            raise ContractError(undeclared(self, "world"))
        return view

    def worlds(self, view: View, count: int, rng: np.random.Generator) -> list[State]:
        """Draw `count` worlds, the same as by repeated calls of `world`."""
        return [self.world(view, rng) for _ in range(count)]

    def seen(self, state: State, move: Move, seat: int) -> Move | None:
        """A move or outcome in `state` as `seat` sees it; None if it is secret.

        A hidden game must override it; by default a seat sees only its own moves there.
        """
        return move if not self.hidden or self.mover(state) == seat else None

    def write(self, move: Move) -> str:
        """The text of a move or an outcome, without white space at its ends."""
        return str(move)

    def write_in(self, state: State, move: Move) -> str:
        """The text of a move in `state`, for games where it depends on the state."""
        return self.write(move)

    def parts(self, move: Move) -> tuple[str, ...]:
        """The words of a move that a person may enter one after the other."""
        return (self.write(move),)

    def remark(self, state: State, move: Move) -> str:
        """The effect of a move in `state` in a few words, which every seat may hear."""
        return ""

    def stage(self, view: View) -> str:
        """The stage of the game, such as "round 5" or "trick 3", under which moves are listed.

        Empty if the game has no stages.
        """
        return ""

    @abstractmethod
    def read(self, text: str) -> Move:
        """The move with this text, legal or not; MoveError if there is none."""

    def read_in(self, state: State, text: str) -> Move:
        """The move that `write_in` or `write` wrote, legal or not; MoveError if there is none."""
        return self.read(text)

    def write_view(self, view: View) -> str:
        """A view as one line of text, for engines in other processes.

        The default handles numbers, texts, bytes, tuples, frozen sets and records (attrs,
        dataclasses, named tuples) that the game's module knows.
        """
        return write_value(self, view)

    def read_view(self, text: str) -> View:
        """The view that `write_view` wrote; UsageError if it is none."""
        return read_value(self, text)

    def action(self, move: Move) -> int:
        """The number of a seat's move, below `actions` and unique among legal moves."""
        raise UsageError("this game does not number its moves")

    def observation(self, view: View, seat: int) -> Array | None:
        """A view as an array of fixed shape, for machine learning; None if not supported."""
        return None

    def objection(self, state: State, move: Move) -> str:
        """Why a move is illegal in `state`, in a few words."""
        legal = self.moves(state)
        shown = ", ".join(self.write_in(state, m) for m in legal[:12])
        return f"legal are {shown}" + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")

    def position(self, state: State) -> str:
        """A state as one line of text, for games with a notation for positions."""
        raise UsageError("this game has no notation for positions")

    def from_position(self, text: str) -> State:
        """The state that `position` wrote; UsageError says what is wrong."""
        raise UsageError("this game has no notation for positions")

    def picture(self, view: View, *, colour: bool = False) -> str:
        """The position as lines of text; with `colour`, as rich markup."""
        return str(view).replace("[", "\\[") if colour else str(view)

    def svg(self, view: View, *, moves: Sequence[Move] = ()) -> str | None:
        """The position as an SVG document; None if the game draws none.

        Legal `moves` of the viewer are marked with `data-move`, or made of `data-part` elements, so
        that they can be clicked (docs/reference/drawings.md).
        """
        return None


#: What a hidden game must define.
HIDDEN_METHODS = {
    "view": "view(state, seat), what a seat may know of a state",
    "world": "world(view, rng), a state drawn to agree with a view",
    "seen": "seen(state, move, seat), a move or an outcome of chance as a seat sees it, and None "
    "where it is made in secret",
}


def undeclared(game: Game, method: str) -> str:
    """The message for a hidden game that lacks a method."""
    return (
        f"{type(game).__name__} is declared hidden but does not define `{method}`: "
        f"define {HIDDEN_METHODS[method]}"
    )


def winners(payoff: Array) -> list[int]:
    """The seats with the greatest payoff; empty if all are equal."""
    best = payoff.max()
    return [] if bool((payoff == best).all()) else [int(s) for s in np.flatnonzero(payoff == best)]


def forfeit_payoff(players: int, seat: int) -> Array:
    """The payoff if a seat forfeits: 0 for it and 1 for each other seat."""
    return np.array([0.0 if other == seat else 1.0 for other in range(players)])


def legal_move(game: Game, state: State, text: str) -> Move:
    """The legal move with this text in `state`; MoveError says what is wrong."""
    move = game.read_in(state, text)
    if game.mover(state) < 0:
        raise MoveError(f"move '{text}' is not legal: no player is to move")
    if move not in game.moves(state):
        raise MoveError(
            f"move '{text}' is not legal for seat {game.mover(state)}: "
            f"{game.objection(state, move)}"
        )
    return move


class Branching(ABC):
    """Forward pruning and move ordering: the moves worth searching, best first."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """Some of the legal moves, at least one."""

    def for_root(self, root: int) -> Branching:
        """The branching for the seat that searches."""
        return self
