"""The learning rule of the SOS paper, as printed."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.social import effect_of, identity, random_matrix


@attrs.frozen
class Recent(OpponentModel):
    """Row i is the mean effect of seat i's last k moves.

    The effect of a move from s1 to s2 is (eval(s2) - eval(s1)) / max_eval. A seat that has not
    moved yet keeps its row of the start matrix; the observer's own row is always selfish.
    """

    k: int
    #: `identity` (experiment 1 of the paper) or `random` (experiment 3).
    start_from: str = "identity"

    def effect(self, observation: Observation) -> Array | None:
        """What a move says about its mover; None for nothing."""
        return effect_of(observation)

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        first = np.array(identity(players))
        if self.start_from == "random":
            first = np.array(random_matrix(players, rng))
            first[seat] = identity(players)[seat]
        return frozen_array(first), ((),) * players

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        first, effects = beliefs
        found, seat = self.effect(observation), observation.mover
        if found is None:
            return beliefs
        last = (*effects[seat], found)[-self.k :]
        return first, (*effects[:seat], last, *effects[seat + 1 :])

    def matrix(self, beliefs: Beliefs) -> Array:
        first, effects = beliefs
        rows = [np.mean(e, axis=0) if e else first[i] for i, e in enumerate(effects)]
        return frozen_array(rows)


OFFER = OpponentModelOffer(
    name="recent",
    summary="the mean effect of each seat's last k moves (SOS paper)",
    make=lambda *, k, start: Recent(k, start),
    options=(
        Option.whole("k", 5, least=1, greatest=10_000, help="how many moves count"),
        Option.text(
            "start",
            "identity",
            choices=("identity", "random"),
            help="the matrix before the first move",
        ),
    ),
)
