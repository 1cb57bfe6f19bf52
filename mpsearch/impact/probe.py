"""Probes: what they see of a state is whom its mover's choice touches, and how much."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.agent import SearchAgent
from mpsearch.contracts import Array, Stance, State
from mpsearch.impact.influence import Touched, influence
from mpsearch.impact.rounds import Rounds
from mpsearch.search import Limits, root_values, search
from mpsearch.social import identity


@attrs.frozen(kw_only=True)
class Glance:
    """What was seen of one state."""

    #: Whom the mover can touch, by depth and reading. Shape (D, R, P).
    touched: Touched
    #: Variance over the mover's moves of what each seat gets behind them. Shape (D, P).
    variance: npt.NDArray[np.float64]


class Probe(ABC):
    """Looks at states in which a player has to move."""

    @abstractmethod
    def look(self, state: State) -> Glance:
        """What the mover's choice does to the others."""


def variance_over_moves(behind: Array, tolerance: float) -> Array:
    """Of values behind moves, shape (M, P), the variance for each seat; 0 where all are equal."""
    if len(behind) < 2:
        return np.zeros(behind.shape[1])
    # Of equal values rounding leaves a variance, and a ratio of two of those would be a number.
    return np.where(np.ptp(behind, axis=0) > tolerance, behind.var(axis=0, ddof=1), 0.0)


class SearchProbe(Probe):
    """Lets MaxN search behind every move, to every depth, in plies or in rounds."""

    def __init__(
        self, agent: SearchAgent, *, depths: Sequence[int], tolerance: float, rounds: bool
    ) -> None:
        self.agent, self.depths, self.tolerance, self.rounds = agent, depths, tolerance, rounds
        self.game = agent.space.game
        self.stance = Stance(matrix=identity(self.game.players), label="maxn")

    def look(self, state: State) -> Glance:
        root = self.game.mover(state)
        before = self.agent.space.evaluator.values(state)
        find = self._behind_rounds if self.rounds else self._behind_plies
        behind = [find(state, depth) for depth in self.depths]
        return Glance(
            touched=np.array(
                [influence(before, b, root=root, tolerance=self.tolerance) for b in behind]
            ),
            variance=np.array([variance_over_moves(b, self.tolerance) for b in behind]),
        )

    def _behind_plies(self, state: State, depth: int) -> Array:
        space, workshop = self.agent.search_for(self.game.mover(state))
        return root_values(space, state, self.stance, depth=depth, workshop=workshop)

    def _behind_rounds(self, state: State, depth: int) -> Array:
        space, _ = self.agent.search_for(self.game.mover(state))
        horizon = Rounds(space)
        report = search(
            horizon.space,
            [horizon.begin(state, rounds=depth)],
            self.stance,
            Limits(depth=horizon.most_plies(depth)),
            exact=True,
        )
        return np.array([entry.value for entry in report.moves])
