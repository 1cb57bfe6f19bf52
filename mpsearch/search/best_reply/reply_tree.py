"""The tree of best-reply search, as a game that is narrower than the one it is made of.

Between two moves of the root at most one opponent, the *replier*, chooses freely. All others make
their first move, or none. So whoever has the choice has it once: to make the first move, or to
reply with another one and leave the first move to all who come after. Searched with Paranoid's
matrix that is best-reply search: the reply is the one move, of all opponents' moves, that is worst
for the root. Nothing else about a search changes: depth counts every ply, chance is a mean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import (
    OVER,
    Array,
    Branching,
    Evaluator,
    Game,
    Move,
    SearchSpace,
    State,
    snap,
)

#: What a move in this tree is: one that costs nothing, a reply, or that the turn goes by.
MOVE, REPLY, SKIP = 0, 1, 2
#: The replier while nobody has replied.
NOBODY = -1


class ReplyTree(ABC):
    """What best-reply search searches, for one root."""

    space: SearchSpace

    @abstractmethod
    def enter(self, state: State) -> State:
        """A state of the game as the root of this tree."""

    @abstractmethod
    def taken_apart(self, move: Move) -> tuple[Move, int]:
        """A move of this tree: the game's own, and what it is here."""


class ReplyState(NamedTuple):
    """A state, and who has replied since the root moved."""

    state: State
    replier: int


class PlainReplies(ReplyTree):
    """The tree over any game. Its moves are pairs: a move of the game, and what it is."""

    def __init__(self, space: SearchSpace, root: int, others: str) -> None:
        game = _Replies(space.game, root)
        self.space = SearchSpace(
            game=game,
            evaluator=_Values(space.evaluator, boxed=others != "skip"),
            branching=_Narrowed(space, root, others),
            exact_ends=space.exact_ends,
        )

    def enter(self, state: State) -> ReplyState:
        return ReplyState(state, NOBODY)

    def taken_apart(self, move: Move) -> tuple[Move, int]:
        made: tuple[Move, int] = move
        return made


class _Replies(Game):
    """The game under the tree."""

    def __init__(self, game: Game, root: int) -> None:
        self.game = game
        self.players = game.players
        self.root = root

    def new(self) -> ReplyState:
        return ReplyState(self.game.new(), NOBODY)

    def mover(self, state: ReplyState) -> int:
        return self.game.mover(state.state)

    def moves(self, state: ReplyState) -> Sequence[Move]:
        return [(move, REPLY) for move in self.game.moves(state.state)]

    def play(self, state: ReplyState, move: Move) -> ReplyState:
        made, kind = move
        seat = self.game.mover(state.state)
        play = self.game.play
        after = self.game.skip(state.state) if kind == SKIP else play(state.state, made)
        if seat == self.root:
            return ReplyState(after, NOBODY)
        return ReplyState(after, seat if kind == REPLY else state.replier)

    def payoff(self, state: ReplyState) -> Array:
        return self.game.payoff(state.state)

    @property
    def solves(self) -> bool:
        return self.game.solves

    def solve(self, state: ReplyState) -> tuple[ReplyState, int] | None:
        ending = self.game.solve(state.state)
        return None if ending is None else (ReplyState(ending[0], state.replier), ending[1])

    @property
    def lists_chance(self) -> bool:
        return self.game.lists_chance

    def tree_chance(self, state: ReplyState) -> Sequence[tuple[Move, float]]:
        outcomes = self.game.tree_chance(state.state)
        return [((outcome, MOVE), probability) for outcome, probability in outcomes]

    def read(self, text: str) -> Move:
        return self.game.read(text), MOVE


class _Values(Evaluator):
    """The evaluator under the tree. Its boxes hold here too, unless turns go by."""

    def __init__(self, evaluator: Evaluator, *, boxed: bool) -> None:
        self.evaluator = evaluator
        self.bounds = evaluator.bounds
        self.short_wins = evaluator.short_wins
        self.reaches = evaluator.reaches and boxed

    def values(self, state: ReplyState) -> Array:
        return self.evaluator.values(state.state)

    def box(self, state: ReplyState, depth: int) -> tuple[Array, Array]:
        return self.evaluator.box(state.state, depth)


class _Narrowed(Branching):
    """Who may choose, and what the others do."""

    def __init__(self, space: SearchSpace, root: int, others: str) -> None:
        self.game = space.game
        self.evaluator = space.evaluator
        self.listing = space.listing
        self.root = root
        self.others = others

    def moves(self, state: ReplyState) -> Sequence[Move]:
        listed = list(self.listing(state.state))
        seat = self.game.mover(state.state)
        if seat in (self.root, state.replier):
            return [(move, MOVE) for move in listed]
        if self.others == "skip":
            return self._with_skip(state, listed)
        if self.others == "greedy":
            listed.insert(0, listed.pop(self._greediest(state.state, seat, listed)))
        first, *rest = listed
        replies = [(move, REPLY) for move in rest] if state.replier == NOBODY else []
        return [(first, MOVE), *replies]

    def _greediest(self, state: State, seat: int, listed: list[Move]) -> int:
        """The index of the move after which the mover's own value is greatest."""
        after = (self.game.play(state, move) for move in listed)
        return int(np.argmax([snap(self.evaluator.values(s)[seat]) for s in after]))

    def _with_skip(self, state: ReplyState, listed: list[Move]) -> list[Any]:
        skip = (None, SKIP)
        if state.replier != NOBODY:
            return [skip]
        replies = [(move, REPLY) for move in listed]
        following = self.game.mover(self.game.skip(state.state))
        # Somebody has to reply: the last who can does.
        return replies if following in (self.root, OVER) else [*replies, skip]
