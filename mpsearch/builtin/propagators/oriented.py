"""Oriented players: what an agent itself cares about, as its model `orientation` says."""

from __future__ import annotations

from mpsearch.contracts import Propagator, PropagatorOffer, Situation, Stance


class Oriented(Propagator):
    """What the agent itself cares about, as its model `orientation` says at this time."""

    def stance(self, situation: Situation) -> Stance:
        return Stance(matrix=situation.beliefs, label="oriented")


ORIENTED = PropagatorOffer(
    name="oriented",
    summary="a given or random orientation that may switch, drift or retaliate",
    make=Oriented,
    defaults={"depth": 1, "model": "orientation"},
    character="moody",
)
