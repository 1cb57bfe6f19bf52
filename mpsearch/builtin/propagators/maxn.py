"""MaxN: every seat maximises its own value (Luckhardt and Irani 1986)."""

from __future__ import annotations

import attrs

from mpsearch.builtin.propagators.fixed import FixedStance
from mpsearch.contracts import Array, PropagatorOffer
from mpsearch.social import identity


@attrs.frozen
class MaxN(FixedStance):
    """Every seat maximises its own value."""

    label = "maxn"

    def matrix(self, root: int, players: int) -> Array:
        return identity(players)


MAXN = PropagatorOffer(
    name="maxn", summary="each seat maximises its own value", make=MaxN, character="independent"
)
GREEDY = PropagatorOffer(
    name="greedy",
    summary="the best value after one's own move",
    make=MaxN,
    defaults={"depth": 1},
    character="hasty",
)
