"""The choice of a seat that looks one ply ahead, as a branching over any game."""

from __future__ import annotations

from collections.abc import Sequence

from mpsearch.contracts import CHANCE, Array, Branching, Move, SearchSpace, State, snap


class PlainShallowChoice(Branching):
    """All moves of the root; of every other seat those that are best for it one ply ahead."""

    def __init__(self, space: SearchSpace, root: int, matrix: Array) -> None:
        self.game = space.game
        self.evaluator = space.evaluator
        self.listing = space.listing
        self.root = root
        #: What each seat cares about. Shape (P, P).
        self.rows: list[list[float]] = matrix.tolist()

    def moves(self, state: State) -> Sequence[Move]:
        listed = self.listing(state)
        seat = self.game.mover(state)
        if seat == self.root or len(listed) < 2 or not any(self.rows[seat]):
            return listed
        scores = [self._score(self.rows[seat], self.game.play(state, move)) for move in listed]
        most = max(scores)
        return [move for move, score in zip(listed, scores, strict=True) if score == most]

    def _score(self, row: list[float], after: State) -> float:
        """What a state is worth by a row; where chance decides, the mean over its outcomes."""
        outcomes = self.game.tree_chance(after) if self.game.mover(after) == CHANCE else ()
        if not outcomes:
            return float(snap(self._worth(row, after)))
        total = 0.0
        for outcome, probability in outcomes:
            total += probability * self._worth(row, self.game.play(after, outcome))
        return float(snap(total))

    def _worth(self, row: list[float], state: State) -> float:
        total = 0.0
        for weight, value in zip(row, self.evaluator.values(state).tolist(), strict=True):
            total += weight * value
        return total
