"""MaxN: every seat maximises its own value (Luckhardt and Irani 1986)."""

from __future__ import annotations

import functools

from mpsearch.builtin.propagators.fixed import FixedStance
from mpsearch.contracts import PropagatorOffer, Stance
from mpsearch.social import identity


class MaxN(FixedStance):
    """Everybody maximises their own value."""

    def settled(self, root: int, players: int) -> Stance:
        return _for_oneself(players)


@functools.cache
def _for_oneself(players: int) -> Stance:
    return Stance(matrix=identity(players), label="maxn")


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
