"""Probing a state: whom its mover's choice affects, and how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs
import numpy as np

from mpsearch.contracts import Array, Limits, SearchSpace, Stance, State
from mpsearch.search import TreeSearch, root_values, search
from mpsearch.social import identity
from mpsearch.studies.impact.influence import Touched, influence
from mpsearch.studies.impact.rounds import Rounds


@attrs.frozen(kw_only=True)
class StateSample:
    """What was found in one state."""

    #: Whom the mover can affect, by depth and reading. Shape (D, R, P).
    touched: Touched
    #: Variance of each seat's value over the mover's moves. Shape (D, P).
    variance: Array


#: Examines a state in which a player has to move.
Probe: TypeAlias = Callable[[State], StateSample]


def variance_over_moves(after: Array, tolerance: float) -> Array:
    """Each seat's variance of the values after moves, shape (M, P); 0 where all are equal."""
    if len(after) < 2:
        return np.zeros(after.shape[1])
    # Rounding leaves a variance of equal values, and a ratio of two of those would be a number.
    return np.where(np.ptp(after, axis=0) > tolerance, after.var(axis=0, ddof=1), 0.0)


class SearchProbe:
    """Searches every move with MaxN to every depth, in plies or in rounds."""

    def __init__(
        self, space: SearchSpace, *, depths: Sequence[int], tolerance: float, rounds: bool
    ) -> None:
        self.tree, self.depths = TreeSearch(space=space), depths
        self.tolerance, self.rounds = tolerance, rounds
        self.game, self.evaluator = space.game, space.evaluator
        self.stance = Stance(matrix=identity(self.game.players), label="maxn")

    def __call__(self, state: State) -> StateSample:
        root = self.game.mover(state)
        before = self.evaluator.values(state)
        after = [self._after(state, depth) for depth in self.depths]
        return StateSample(
            touched=np.array(
                [influence(before, v, root=root, tolerance=self.tolerance) for v in after]
            ),
            variance=np.array([variance_over_moves(v, self.tolerance) for v in after]),
        )

    def _after(self, state: State, depth: int) -> Array:
        """The values after each move. Shape (M, P)."""
        space, engine = self.tree.engine_for(self.game.mover(state))
        if not self.rounds:
            return root_values(space, state, self.stance, depth=depth, engine=engine)
        horizon = Rounds(space)
        report = search(
            horizon.space,
            [horizon.begin(state, rounds=depth)],
            self.stance,
            Limits(depth=horizon.longest_line(depth)),
            exact=True,
        )
        return np.array([entry.value for entry in report.moves])
