"""What a seat sees that looks a few plies ahead: all who move in them reply for themselves.

Chance gives the mean over its outcomes; a second event of chance in a row is not looked through.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mpsearch.contracts import CHANCE, Array, CompiledGame, SearchSpace, State, frozen_array, snap
from mpsearch.jit import by_seat


def lookahead(space: SearchSpace, plies: int) -> Callable[[State], Array]:
    """The values of a state by so many plies of MaxN; compiled where the space is."""
    if not space.compiles:
        return PlainLookahead(space, plies)
    from mpsearch.search.horizon.compiled import compiled_lookahead, sight

    game, function, parameters = space.game, compiled_lookahead(space, plies), sight(space)
    assert isinstance(game, CompiledGame)
    return lambda state: by_seat(game.players, function, game.records(state), parameters)


class PlainLookahead:
    """Plain Python, for any game."""

    def __init__(self, space: SearchSpace, plies: int) -> None:
        self.space = space
        self.plies = plies
        self.after = PlainLookahead(space, plies - 1) if plies else None

    def __call__(self, state: State) -> Array:
        game = self.space.game
        outcomes = game.tree_chance(state) if game.mover(state) == CHANCE else ()
        if not outcomes:
            return self._settled(state)
        total = np.zeros(game.players)
        for outcome, probability in outcomes:
            total += probability * self._settled(game.play(state, outcome))
        return frozen_array(total)

    def _settled(self, state: State) -> Array:
        """The values where no chance is looked through."""
        game = self.space.game
        seat = game.mover(state)
        if self.after is None or seat < 0:
            return self.space.evaluator.values(state)
        found = [self.after(game.play(state, move)) for move in self.space.listing(state)]
        return max(found, key=lambda value: float(snap(value[seat])))
