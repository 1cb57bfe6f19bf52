"""The mean effect of choices beyond that of the legal alternatives."""

from __future__ import annotations

import attrs

from mpsearch.builtin.opponent_models.recent import Recent
from mpsearch.contracts import Array, Observation, OpponentModelOffer, Option
from mpsearch.social import advantage_of


@attrs.frozen
class Advantage(Recent):
    """Row i is the mean advantage of seat i's last k moves that were not forced.

    The advantage of a move is its effect minus the mean effect of the legal moves: what every move
    would have caused says nothing about the mover.
    """

    def effect(self, observation: Observation) -> Array | None:
        return advantage_of(observation)


OFFER = OpponentModelOffer(
    name="advantage",
    summary="the mean effect of each seat's last k choices beyond that of the alternatives",
    make=Advantage,
    options=(Option.whole("k", 5, least=1, greatest=10_000, help="how many choices count"),),
)
