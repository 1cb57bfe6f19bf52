"""Paranoid: every other seat minimises the root's value (Sturtevant and Korf 2000)."""

from __future__ import annotations

import attrs

from mpsearch.builtin.propagators.fixed import FixedStance
from mpsearch.contracts import Array, PropagatorOffer
from mpsearch.social import paranoid


@attrs.frozen
class Paranoid(FixedStance):
    """Every other seat minimises the root's value."""

    label = "paranoid"

    def matrix(self, root: int, players: int) -> Array:
        return paranoid(players, root)


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
