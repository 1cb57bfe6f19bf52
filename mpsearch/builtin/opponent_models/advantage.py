"""What a seat chose, compared with what it could have chosen."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.social import advantage_of, identity


@attrs.frozen(kw_only=True)
class Advantage(OpponentModel):
    """Row i is the mean advantage of seat i's last k moves that were not forced.

    The advantage of a move is its effect minus the mean effect of the legal moves, so that what
    every move would have brought says nothing about the mover.
    """

    k: int

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        return ((),) * players

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        found = advantage_of(observation)
        if found is None:
            return beliefs
        seat = observation.mover
        last = (*beliefs[seat], found)[-self.k :]
        return (*beliefs[:seat], last, *beliefs[seat + 1 :])

    def matrix(self, beliefs: Beliefs) -> Array:
        selfish = identity(len(beliefs))
        return frozen_array(
            [np.mean(seen, axis=0) if seen else selfish[i] for i, seen in enumerate(beliefs)]
        )


OFFER = OpponentModelOffer(
    name="advantage",
    summary="the mean effect of each seat's last k choices beyond that of the alternatives",
    make=Advantage,
    options=(Option.whole("k", 5, least=1, greatest=10_000, help="how many choices count"),),
)
