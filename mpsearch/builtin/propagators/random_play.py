"""Random play: a seat that cares about nothing, so that all its moves tie."""

from __future__ import annotations

import functools

import numpy as np

from mpsearch.builtin.propagators.fixed import FixedStance
from mpsearch.contracts import PropagatorOffer, Stance


class Indifferent(FixedStance):
    """The root cares about nothing: all its moves tie, and ties are broken at random."""

    @property
    def title(self) -> str:
        return "random"

    def settled(self, root: int, players: int) -> Stance:
        return _for_nobody(players)


@functools.cache
def _for_nobody(players: int) -> Stance:
    return Stance(matrix=np.zeros((players, players)), label="random")


RANDOM = PropagatorOffer(
    name="random",
    summary="any legal move",
    make=Indifferent,
    defaults={"depth": 1, "worlds": 1, "branching": "all"},
    character="carefree",
)
