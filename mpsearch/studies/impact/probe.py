"""Probing a state: whom its mover's choice touches, and how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.contracts import Array, Limits, SearchSpace, Stance, State
from mpsearch.search import TreeSearch, root_values, search
from mpsearch.social import identity
from mpsearch.studies.impact.influence import Touched, influence
from mpsearch.studies.impact.rounds import Rounds


@attrs.frozen(kw_only=True)
class StateSample:
    """What was seen of one state."""

    #: Whom the mover can touch, by depth and reading. Shape (D, R, P).
    touched: Touched
    #: Variance over the mover's moves of what each seat gets behind them. Shape (D, P).
    variance: npt.NDArray[np.float64]


#: Says what the mover's choice does to the others in a state in which a player has to move.
Probe: TypeAlias = Callable[[State], StateSample]


def variance_over_moves(behind: Array, tolerance: float) -> Array:
    """Of values behind moves, shape (M, P), the variance for each seat; 0 where all are equal."""
    if len(behind) < 2:
        return np.zeros(behind.shape[1])
    # Of equal values rounding leaves a variance, and a ratio of two of those would be a number.
    return np.where(np.ptp(behind, axis=0) > tolerance, behind.var(axis=0, ddof=1), 0.0)


class SearchProbe:
    """Lets MaxN search behind every move, to every depth, in plies or in rounds."""

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
        find = self._behind_rounds if self.rounds else self._behind_plies
        behind = [find(state, depth) for depth in self.depths]
        return StateSample(
            touched=np.array(
                [influence(before, b, root=root, tolerance=self.tolerance) for b in behind]
            ),
            variance=np.array([variance_over_moves(b, self.tolerance) for b in behind]),
        )

    def _behind_plies(self, state: State, depth: int) -> Array:
        space, engine = self.tree.engine_for(self.game.mover(state))
        return root_values(space, state, self.stance, depth=depth, engine=engine)

    def _behind_rounds(self, state: State, depth: int) -> Array:
        space, _ = self.tree.engine_for(self.game.mover(state))
        horizon = Rounds(space)
        report = search(
            horizon.space,
            [horizon.begin(state, rounds=depth)],
            self.stance,
            Limits(depth=horizon.longest_line(depth)),
            exact=True,
        )
        return np.array([entry.value for entry in report.moves])
