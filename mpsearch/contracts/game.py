"""Game: the rules, bound to a number of players and to options."""

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

#: What `mover` answers when dice, cards or other chance decide next.
CHANCE = -1
#: What `mover` answers when the game is finished.
OVER = -2

#: An immutable, hashable position. Its type is the game's own affair.
State: TypeAlias = Any
#: What one seat may know of a state; the state itself where nothing is hidden.
View: TypeAlias = Any
#: A hashable move of a player, or outcome of chance.
Move: TypeAlias = Any


class Game(ABC):
    """The rules of a game for a fixed number of players and fixed options.

    States are immutable, hashable values. The start is fixed: whatever is random about it (a
    deal, a draw for territories) is a chance outcome like any other, so that the moves of a
    game, chance included, are a complete record of it.
    """

    #: Number of seats, P.
    players: int
    #: Whether some seat may not know everything. If so, `view`, `world` and `seen` must be defined:
    #: what a hidden game does not declare is withheld.
    hidden: bool = False
    #: The compiled form of these rules, if the game has one.
    rules: Rules | None = None
    #: How many different moves of seats there are, if they are numbered, as learners want them.
    actions: int | None = None
    #: No game takes more plies, chance included: one that does is ended with an error.
    most_plies: int = 10_000

    @abstractmethod
    def new(self) -> State:
        """The state in which every game begins."""

    @abstractmethod
    def mover(self, state: State) -> int:
        """The seat to move, CHANCE or OVER."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """The mover's legal moves, at least one, in the game's own fixed order."""

    @abstractmethod
    def play(self, state: State, move: Move) -> State:
        """The state after a legal move, or after an outcome of chance."""

    @abstractmethod
    def payoff(self, state: State) -> Array:
        """The result of a finished game by seat, more is better. Shape (P,)."""

    @property
    def lists_chance(self) -> bool:
        """Whether outcomes of chance may be listed; a game that lists any says so.

        A search looks at every listed outcome. Chance that is only drawn ends its line.
        """
        return False

    def chance(self, state: State) -> Sequence[tuple[Move, float]]:
        """Every outcome of chance with its probability; empty if they are too many to list."""
        return ()

    def tree_chance(self, state: State) -> Sequence[tuple[Move, float]]:
        """The outcomes as a search sees them: fewer, where a game merges what is alike."""
        return self.chance(state)

    def draw(self, state: State, rng: np.random.Generator) -> Move:
        """One outcome of chance. A game defines its own where outcomes are not listed."""
        outcomes = self.chance(state)
        probabilities = np.array([probability for _, probability in outcomes])
        chosen = rng.choice(len(outcomes), p=probabilities / probabilities.sum())
        return outcomes[int(chosen)][0]

    def possible(self, state: State, outcome: Move) -> bool:
        """Whether chance can bring `outcome`, which may be any value that `read` returns.

        A game defines its own where outcomes are not listed.
        """
        return any(outcome == listed for listed, _ in self.chance(state))

    @property
    def skips(self) -> bool:
        """Whether a turn may go by in thought, as best-reply search has it; see `skip`."""
        return False

    def skip(self, state: State) -> State:
        """The state if the mover let its turn go by, be that legal or not.

        Nobody plays it. The next seat is to move then, as it would be after most moves.
        """
        raise UsageError("this game does not allow skipping a turn")

    def view(self, state: State, seat: int) -> View:
        """What `seat` may know of `state`. A hidden game defines its own."""
        if self.hidden:
            raise ContractError(undeclared(self, "view"))
        return state

    def world(self, view: View, rng: np.random.Generator) -> State:
        """A state that agrees with `view`, drawn in proportion to the probability of chance.

        Asked only where a seat is to move. Play goes on from there as from any other state.
        A hidden game defines its own.
        """
        if self.hidden:
            raise ContractError(undeclared(self, "world"))
        return view

    def worlds(self, view: View, count: int, rng: np.random.Generator) -> list[State]:
        """So many worlds, as `world` draws them one after the other."""
        return [self.world(view, rng) for _ in range(count)]

    def seen(self, state: State, move: Move, seat: int) -> Move | None:
        """The move made in `state` as `seat` sees it; None if it is made in secret.

        A hidden game defines its own, for outcomes of chance too. Where it does not, a seat sees
        its own moves and nothing else.
        """
        return move if not self.hidden or self.mover(state) == seat else None

    def write(self, move: Move) -> str:
        """A move, or an outcome of chance, as text without white space at its ends."""
        return str(move)

    def write_in(self, state: State, move: Move) -> str:
        """The text of what is played in `state`, where it depends on that, as that of a foreign
        game's moves may."""
        return self.write(move)

    def parts(self, move: Move) -> tuple[str, ...]:
        """The words by which a person may say a move one after the other; first to last."""
        return (self.write(move),)

    def remark(self, state: State, move: Move) -> str:
        """What a move in `state` brings about, in a few words that every seat may hear."""
        return ""

    def stage(self, view: View) -> str:
        """The part of the game that a position belongs to, such as "round 5" or "trick 3".

        Moves are listed under it. Empty: the game has no parts with names of their own.
        """
        return ""

    @abstractmethod
    def read(self, text: str) -> Move:
        """The move that a text stands for, legal or not; MoveError if it is none."""

    def read_in(self, state: State, text: str) -> Move:
        """What `write_in` wrote in `state`, or `write`, legal or not; MoveError if it is none."""
        return self.read(text)

    def write_view(self, view: View) -> str:
        """A view as one line of text, for engines in other processes.

        What is made of numbers, texts, bytes, tuples, frozen sets and records (attrs, dataclasses,
        named tuples) that the game's module knows needs no definition of its own.
        """
        return write_value(self, view)

    def read_view(self, text: str) -> View:
        """The view that `write_view` wrote; UsageError if it is none."""
        return read_value(self, text)

    def action(self, move: Move) -> int:
        """The number of a seat's move, below `actions`; different legal moves have different."""
        raise UsageError("this game does not number its moves")

    def observation(self, view: View, seat: int) -> Array | None:
        """What `seat` may know as numbers, always as many, for learners; None if not offered."""
        return None

    def objection(self, state: State, move: Move) -> str:
        """Why a move is not legal in `state`, in a few words."""
        legal = self.moves(state)
        shown = ", ".join(self.write_in(state, m) for m in legal[:12])
        return f"legal are {shown}" + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")

    def position(self, state: State) -> str:
        """A state as one line of text, for games that have such a notation."""
        raise UsageError("this game has no notation for positions")

    def from_position(self, text: str) -> State:
        """The state that `position` wrote; UsageError says what is wrong with a text."""
        raise UsageError("this game has no notation for positions")

    def picture(self, view: View, *, colour: bool = False) -> str:
        """The position as lines of text; with `colour`, as rich markup."""
        return str(view).replace("[", "\\[") if colour else str(view)

    def svg(self, view: View, *, moves: Sequence[Move] = ()) -> str | None:
        """The position as an SVG document, if the game draws one.

        `moves` are the legal moves of whoever looks at it: each is marked with `data-move` or
        made of `data-part` elements, and can then be chosen by a click: docs/reference/contract.md
        """
        return None


#: What a hidden game must define, and what each answers.
HIDDEN_METHODS = {
    "view": "view(state, seat), what a seat may know of a state",
    "world": "world(view, rng), a state drawn to agree with a view",
    "seen": "seen(state, move, seat), a move or an outcome of chance as a seat sees it, and None "
    "where it is made in secret",
}


def undeclared(game: Game, method: str) -> str:
    """What an author is told who declared a game hidden and forgot a method."""
    return (
        f"{type(game).__name__} is declared hidden but does not define `{method}`: "
        f"define {HIDDEN_METHODS[method]}"
    )


def winners(payoff: Array) -> list[int]:
    """The seats with the greatest payoff; nobody where all are equal."""
    best = payoff.max()
    return [] if bool((payoff == best).all()) else [int(s) for s in np.flatnonzero(payoff == best)]


def forfeit_payoff(players: int, seat: int) -> Array:
    """The result of a game that a seat forfeits: nothing for it, and one for each of the others."""
    return np.array([0.0 if other == seat else 1.0 for other in range(players)])


def legal_move(game: Game, state: State, text: str) -> Move:
    """The legal move that a text stands for in `state`; MoveError says what is wrong."""
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
    """A list of the moves worth searching, in the order in which they are worth it."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """Some of the legal moves, at least one."""

    def for_root(self, root: int) -> Branching:
        """The same branching as the seat that searches uses it."""
        return self
