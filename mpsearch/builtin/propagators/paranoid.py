"""Paranoid: every other seat minimises the root's value (Sturtevant and Korf 2000)."""

from __future__ import annotations

import functools

from mpsearch.builtin.propagators.fixed import FixedStance
from mpsearch.contracts import PropagatorOffer, Stance
from mpsearch.social import paranoid


class Paranoid(FixedStance):
    """Everybody else minimises the root's value."""

    def settled(self, root: int, players: int) -> Stance:
        return _against(root, players)


@functools.cache
def _against(root: int, players: int) -> Stance:
    return Stance(matrix=paranoid(players, root), label="paranoid")


PARANOID = PropagatorOffer(
    name="paranoid",
    summary="all others minimise the root's value",
    make=Paranoid,
    character="suspicious",
)
BRS = PropagatorOffer(
    name="brs",
    summary="best-reply search: paranoid, but only one opponent chooses between two moves",
    make=Paranoid,
    defaults={"search": "brs"},
    character="wary",
)
