"""The evaluator of Bingo."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import Array, Bounds, Evaluator
from mpsearch_calibration.bingo.game import Bingo, Position


class Marked(Evaluator):
    """Cells marked, in percent."""

    own_affairs = True

    def __init__(self, game: Bingo) -> None:
        self.game = game
        self.bounds = Bounds(step=100 / game.cells)

    def values(self, state: Position) -> Array:
        game = self.game
        return np.array([100 * game.marked(state, s) / game.cells for s in range(game.players)])
