"""Oriented players: the agent's own row, given by its model `orientation`."""

from __future__ import annotations

from mpsearch.contracts import Propagator, PropagatorOffer, Situation, Stance


class Oriented(Propagator):
    """The current matrix of the model `orientation`."""

    def stance(self, situation: Situation) -> Stance:
        return Stance(matrix=situation.beliefs, label="oriented")


ORIENTED = PropagatorOffer(
    name="oriented",
    summary="a given or random orientation that may switch, drift or retaliate",
    make=Oriented,
    defaults={"depth": 1, "model": "orientation"},
    character="moody",
)
