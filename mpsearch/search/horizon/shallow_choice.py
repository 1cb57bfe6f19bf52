"""The choice of a seat that looks one or two plies ahead, as a branching over any game."""

from __future__ import annotations

from collections.abc import Sequence

from mpsearch.contracts import Array, Branching, Move, SearchSpace, State, snap
from mpsearch.search.horizon.lookahead import PlainLookahead


class PlainShallowChoice(Branching):
    """The moves that are best for a seat as far as it looks; all if its horizon is 0."""

    def __init__(self, space: SearchSpace, matrix: Array, horizons: Sequence[int]) -> None:
        self.game = space.game
        self.listing = space.listing
        #: What each seat cares about. Shape (P, P).
        self.rows: list[list[float]] = matrix.tolist()
        #: What each seat sees of the state after a move; None: it is searched as ever.
        self.sights = [PlainLookahead(space, plies - 1) if plies else None for plies in horizons]

    def moves(self, state: State) -> Sequence[Move]:
        listed = self.listing(state)
        seat = self.game.mover(state)
        row, sight = self.rows[seat], self.sights[seat]
        if sight is None or len(listed) < 2 or not any(row):
            return listed
        scores = [_worth(row, sight(self.game.play(state, move))) for move in listed]
        most = max(scores)
        return [move for move, score in zip(listed, scores, strict=True) if score == most]


def _worth(row: list[float], values: Array) -> float:
    total = 0.0
    for weight, value in zip(row, values.tolist(), strict=True):
        total += weight * value
    return float(snap(total))
