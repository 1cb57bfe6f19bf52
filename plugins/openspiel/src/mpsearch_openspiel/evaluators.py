"""What a state of a foreign game is worth: what OpenSpiel says of it, own affairs, roll-outs."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator
from mpsearch_openspiel.features import FEATURES
from mpsearch_openspiel.game import OpenSpielGame
from mpsearch_openspiel.position import Position


class Returns(Evaluator):
    """The returns so far, on a scale from the least to the greatest that the game can end with.

    Before the end they are nothing in most games.
    """

    decisive = False

    def __init__(self, game: OpenSpielGame) -> None:
        self.bounds = Bounds()
        self.least = float(game.inner.min_utility())
        self.span = float(game.inner.max_utility()) - self.least

    def values(self, state: Position) -> Array:
        share = (np.array(state.inner.returns()) - self.least) / self.span
        values: Array = np.clip(100 * share, 0.0, 100.0)
        return values


class Rollouts(Evaluator):
    """The mean of the returns at the end of random games; their luck depends on the state alone."""

    decisive = False
    noisy = True

    def __init__(self, game: OpenSpielGame, *, number: int) -> None:
        self.game, self.number = game, number
        self.returns = Returns(game)
        self.bounds = self.returns.bounds

    def values(self, state: Position) -> Array:
        if self.game.mover(state) == OVER:
            return self.returns.values(state)
        rng = np.random.default_rng([len(state.history), *state.history])
        found: Array = np.mean([self._played_out(state, rng) for _ in range(self.number)], axis=0)
        return found

    def _played_out(self, state: Position, rng: np.random.Generator) -> Array:
        # One state, changed in place: nobody else has it.
        here = Position.of(state.inner.clone())
        inner = here.inner
        while (mover := self.game.mover(here)) != OVER:
            if mover == CHANCE:
                inner.apply_action(self.game.draw(here, rng))
            else:
                actions = inner.legal_actions()
                inner.apply_action(actions[int(rng.random() * len(actions))])
        return self.returns.values(here)


class Own(Evaluator):
    """What is a seat's own: points, tricks, money, cards to be rid of."""

    own_affairs = True
    decisive = False

    def __init__(self, game: OpenSpielGame) -> None:
        self.game = game
        self.bounds = Bounds()
        self.feature = FEATURES[game.foreign.name]
        self.first = str(game.new())

    def values(self, state: Position) -> Array:
        return self.feature.scaled(self.game, state.inner, self.first)
