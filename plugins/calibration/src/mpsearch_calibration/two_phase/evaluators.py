"""The evaluator of the race."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import Array, Bounds, Evaluator
from mpsearch_calibration.two_phase.game import Position, TwoPhase


class Walked(Evaluator):
    """Squares walked by both pawns, in percent."""

    own_affairs = True

    def __init__(self, game: TwoPhase) -> None:
        self.home = game.home
        self.bounds = Bounds(step=100 / (2 * game.home))

    def values(self, state: Position) -> Array:
        return np.array([100 * sum(pair) / (2 * self.home) for pair in state.pawns])
