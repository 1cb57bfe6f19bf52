"""The SOS paper's rule with decaying weights instead of a window."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.social import effect_of, identity


@attrs.frozen(kw_only=True)
class Average(OpponentModel):
    """Row i is the mean effect of all of seat i's moves, with exponentially decaying weights.

    Weights are normalised, so the first move replaces the selfish start: effects are small beside
    its 1, which would otherwise dominate for most of a game.
    """

    #: Decay of a move's weight with each later move of the same seat.
    rate: float

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        # Per seat: the weighted sum of effects, and the sum of the weights.
        return ((frozen_array(np.zeros(players)), 0.0),) * players

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        seat, keep = observation.mover, 1 - self.rate
        total, weight = beliefs[seat]
        now = (frozen_array(keep * total + effect_of(observation)), keep * weight + 1)
        return (*beliefs[:seat], now, *beliefs[seat + 1 :])

    def matrix(self, beliefs: Beliefs) -> Array:
        selfish = identity(len(beliefs))
        return frozen_array(
            [total / weight if weight else selfish[i] for i, (total, weight) in enumerate(beliefs)]
        )


OFFER = OpponentModelOffer(
    name="average",
    summary="the mean effect of each seat's moves, older ones counting less",
    make=Average,
    options=(
        Option.number(
            "rate", 0.2, least=0, greatest=1, help="decay of a move's weight with each later one"
        ),
    ),
)
