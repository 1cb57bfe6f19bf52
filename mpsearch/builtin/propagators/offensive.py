"""Directed Offensive: the root minimises one target's value (Zuckerman, Felner and Kraus 2009)."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch.builtin.propagators.fixed import read_seat
from mpsearch.builtin.propagators.maxn import MaxN
from mpsearch.contracts import Array, Option, Propagator, PropagatorOffer, Situation, Stance, snap
from mpsearch.errors import UsageError
from mpsearch.social import offensive


def leader(value: Array, root: int) -> int:
    """The seat with the greatest value; ties go to the root, then in turn order after it."""
    seats = (root + np.arange(len(value))) % len(value)
    return int(seats[np.argmax(snap(value[seats]))])


@attrs.frozen
class Offensive(Propagator):
    """The root minimises its target's value; the others maximise their own (MP-Mix paper)."""

    #: `leader` (MaxN while the root itself leads), `strongest` other seat, or a seat's number.
    target: str
    #: Weight of its own value relative to the target's.
    own: float = 0.0

    @property
    def title(self) -> str:
        return "Directed Offensive"

    @property
    def weighs_lead(self) -> bool:
        return self.target in ("leader", "strongest")

    def stance(self, situation: Situation) -> Stance:
        root, players = situation.root, situation.players
        if self.target == "leader":
            target = leader(situation.value, root)
            if target == root:
                return MaxN().stance(situation)
        elif self.target == "strongest":
            others = np.array(situation.value)
            others[root] = -np.inf
            target = leader(others, root)
        else:
            target = read_seat(self.target, players, "offensive: target")
            if target == root:
                raise UsageError(f"offensive: seat {root} cannot be its own target")
        matrix = offensive(players, root, target, self.own)
        return Stance(matrix=matrix, label="offensive", target=target)


OWN = Option.number(
    "own", 0.0, least=0, help="weight of one's own value when attacking; 0.01 only breaks ties"
)
OFFENSIVE = PropagatorOffer(
    name="offensive",
    summary="the root minimises its target's value, the others play for themselves",
    make=Offensive,
    options=(
        Option.text(
            "target", "strongest", help="leader, strongest (other seat), or a seat's number"
        ),
        OWN,
    ),
    character="aggressive",
)
