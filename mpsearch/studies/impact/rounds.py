"""A search horizon in rounds: the game ends once every seat has had so many turns.

Depth in plies is unfair where turns differ in length: in Pig a seat that holds hands the rest of
the horizon to the others, and one that rolls keeps it. Its choice then changes what others get
within the horizon although it cannot affect them. In rounds every seat gets the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs

from mpsearch.contracts import (
    CHANCE,
    GREATEST_DEPTH,
    OVER,
    Array,
    Evaluator,
    Game,
    Move,
    SearchSpace,
    State,
)

#: After so many plies a turn ends as soon as a move can end it: otherwise a tree of turns would be
#: far wider than one of plies.
SOON = 1
#: A turn that nothing ends is searched for so many plies.
LONGEST_TURN = 8


class HorizonState(NamedTuple):
    """A state within the horizon."""

    state: State
    #: Whose turn it is.
    seat: int
    #: Turns left, this one included.
    turns: int
    #: Plies of this turn so far.
    plies: int = 0


class Rounds(Game):
    """A game up to its horizon; a turn lasts until another seat is to move."""

    def __init__(self, space: SearchSpace) -> None:
        self.game, self.players = space.game, space.game.players
        self.listing = space.listing
        #: This game with the original evaluator.
        self.space = attrs.evolve(
            space, game=self, evaluator=HorizonEvaluator(space.evaluator), branching=None
        )

    def begin(self, state: State, *, rounds: int) -> HorizonState:
        """The state from which every seat, the mover first, has `rounds` turns."""
        return HorizonState(state, self.game.mover(state), rounds * self.players)

    def longest_line(self, rounds: int) -> int:
        """An upper bound on the length of a line in plies."""
        return min(rounds * self.players * LONGEST_TURN, GREATEST_DEPTH)

    @property
    def lists_chance(self) -> bool:
        return self.game.lists_chance

    def new(self) -> HorizonState:
        raise NotImplementedError("use begin: a horizon starts where a search does")

    def mover(self, state: HorizonState) -> int:
        mover = self.game.mover(state.state)
        beyond = mover >= 0 and (state.turns <= 0 or state.plies >= LONGEST_TURN)
        return OVER if beyond else mover

    def moves(self, state: HorizonState) -> Sequence[Move]:
        moves = self.listing(state.state)
        if state.plies < SOON:
            return moves
        others = {CHANCE, state.seat}
        play, mover = self.game.play, self.game.mover
        return [m for m in moves if mover(play(state.state, m)) not in others] or moves

    def play(self, state: HorizonState, move: Move) -> HorizonState:
        after, chose = self.game.play(state.state, move), self.game.mover(state.state) >= 0
        mover, plies = self.game.mover(after), state.plies + chose
        if mover < 0 or mover == state.seat:
            return state._replace(state=after, plies=plies)
        return HorizonState(after, mover, state.turns - 1)

    def chance(self, state: HorizonState) -> Sequence[tuple[Move, float]]:
        return self.game.chance(state.state)

    def tree_chance(self, state: HorizonState) -> Sequence[tuple[Move, float]]:
        return self.game.tree_chance(state.state)

    def payoff(self, state: HorizonState) -> Array:
        return self.game.payoff(state.state)

    def read(self, text: str) -> Move:
        return self.game.read(text)


class HorizonEvaluator(Evaluator):
    """The evaluator of the game itself."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.bounds = evaluator, evaluator.bounds

    def values(self, state: HorizonState) -> Array:
        return self.evaluator.values(state.state)
