"""The paper's insights: walk when nothing can go wrong, search deeper without walls."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Advice, Insight, Turn
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.paths import distance
from mpsearch_quoridor.state import PASS


@attrs.frozen
class Deepen(Insight):
    """One ply deeper once somebody is out of walls: there are fewer moves to look at."""

    game: Quoridor

    def advice(self, turn: Turn, rng: np.random.Generator) -> Advice:
        s = self.game.record(turn.view)
        return Advice(deeper=int((s.walls[: self.game.players] == 0).any()))


@attrs.frozen
class SureThing(Insight):
    """If no other seat has walls and all are farther from their goals, walk."""

    game: Quoridor

    def advice(self, turn: Turn, rng: np.random.Generator) -> Advice:
        s = self.game.record(turn.view)
        others = [seat for seat in range(self.game.players) if seat != turn.seat]
        own = distance(s, turn.seat)
        if any(s.walls[seat] > 0 or distance(s, seat) <= own for seat in others):
            return Advice()
        steps = [move for move in turn.moves if move < PASS]
        if not steps:
            return Advice()
        left = {step: self._distance_from(s, turn.seat, step) for step in steps}
        best = [step for step in steps if left[step] == min(left.values())]
        return Advice(move=best[int(rng.integers(len(best)))])

    def _distance_from(self, s: Any, seat: int, square: int) -> int:
        """How far it would be for a seat from another square."""
        here = int(s.pawn[seat])
        s.pawn[seat] = square
        steps = int(distance(s, seat))
        s.pawn[seat] = here
        return steps
