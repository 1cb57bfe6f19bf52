"""Adaptive history length: the one that would have predicted each seat best."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, array_field, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.social import advantage_of, chance_of_choice, identity

#: The candidate history lengths. Shape (H,).
LENGTHS = (1, 2, 3, 5, 8, 13, 21, 34)


@attrs.frozen(kw_only=True)
class History:
    """The choices of one seat, and how well each history length predicted them."""

    #: The latest advantages, each of shape (P,).
    advantages: tuple[Array, ...] = ()
    #: Decayed log-likelihood of the choices by history length. Shape (H,).
    scores: Array = array_field(default=np.zeros(len(LENGTHS)))

    def rows(self) -> Array:
        """The believed row of each history length. Shape (H, P)."""
        means = [np.mean(self.advantages[-length:], axis=0) for length in LENGTHS]
        return np.array(means)


@attrs.frozen(kw_only=True)
class Adaptive(OpponentModel):
    """As `advantage`, with k chosen per seat by maximum likelihood of its choices.

    Every history length predicts every choice in advance by the softmax rule. Ties go to the
    longer history.
    """

    #: Precision of the softmax.
    precision: float
    #: Decay of a prediction's weight with each later one.
    fade: float

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        return (History(),) * players

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        found = advantage_of(observation)
        if found is None:
            return beliefs
        seat = observation.mover
        history: History = beliefs[seat]
        scores = history.scores
        if history.advantages:
            chances = chance_of_choice(
                history.rows(), observation.alternatives(), precision=self.precision
            )
            # No choice counts as impossible: one surprise must not decide.
            scores = (1 - self.fade) * scores + np.log(np.maximum(chances, 1e-3))
        advantages = (*history.advantages, found)[-max(LENGTHS) :]
        now = History(advantages=advantages, scores=scores)
        return (*beliefs[:seat], now, *beliefs[seat + 1 :])

    def matrix(self, beliefs: Beliefs) -> Array:
        selfish = identity(len(beliefs))
        return frozen_array(
            [
                _row(history) if history.advantages else selfish[i]
                for i, history in enumerate(beliefs)
            ]
        )


def _row(history: History) -> Array:
    best = len(LENGTHS) - 1 - int(np.argmax(history.scores[::-1]))
    row: Array = history.rows()[best]
    return row


OFFER = OpponentModelOffer(
    name="adaptive",
    summary="as advantage, with the history length that predicts each seat best",
    make=Adaptive,
    options=(
        Option.number(
            "precision",
            2.0,
            least=0,
            greatest=1000,
            help="how sharply movers prefer what they value more",
        ),
        Option.number(
            "fade",
            0.05,
            least=0,
            greatest=1,
            help="decay of a prediction's weight with each later one",
        ),
    ),
)
