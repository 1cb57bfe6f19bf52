"""Random play: an indifferent seat, whose moves all tie."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch.builtin.propagators.fixed import FixedStance
from mpsearch.contracts import Array, PropagatorOffer


@attrs.frozen
class Indifferent(FixedStance):
    """The root is indifferent: all its moves tie, and ties are broken at random."""

    label = "random"

    @property
    def title(self) -> str:
        return "random"

    def matrix(self, root: int, players: int) -> Array:
        return np.zeros((players, players))


RANDOM = PropagatorOffer(
    name="random",
    summary="any legal move",
    make=Indifferent,
    defaults={"depth": 1, "worlds": 1, "branching": "all"},
    character="carefree",
)
