"""MP-Mix: the leading edge chooses the strategy each turn (Zuckerman, Felner and Kraus 2009)."""

from __future__ import annotations

import math

import attrs
import numpy as np

from mpsearch.builtin.propagators.maxn import MaxN
from mpsearch.builtin.propagators.offensive import OWN, Offensive, leader
from mpsearch.builtin.propagators.paranoid import Paranoid
from mpsearch.contracts import Option, Propagator, PropagatorOffer, Situation, Stance, snap


@attrs.frozen
class MPMix(Propagator):
    """MP-Mix(Td, To): Paranoid when far ahead, Offensive when another is, else MaxN."""

    #: The root's least lead over the second to play Paranoid.
    td: float
    #: Another seat's least lead over the second to be attacked.
    to: float
    #: Weight of its own value while it attacks.
    own: float = 0.0

    @property
    def title(self) -> str:
        return "MP-Mix"

    @property
    def weighs_lead(self) -> bool:
        return True

    def stance(self, situation: Situation) -> Stance:
        second, first = np.sort(situation.value)[-2:]
        edge = snap(first - second)
        ahead = leader(situation.value, situation.root)
        if ahead == situation.root and edge >= snap(self.td):
            return Paranoid().stance(situation)
        if ahead != situation.root and edge >= snap(self.to):
            return Offensive(target=str(ahead), own=self.own).stance(situation)
        return MaxN().stance(situation)


def _threshold(name: str, what: str) -> Option:
    return Option.number(name, math.inf, least=0, sample=20.0, help=what)


MP_MIX = PropagatorOffer(
    name="mpmix",
    summary="paranoid when far ahead, offensive when another is, else maxn",
    make=MPMix,
    options=(
        _threshold("td", "defensive threshold: own lead from which it is paranoid"),
        _threshold("to", "offensive threshold: another's lead from which it is offensive"),
        OWN,
    ),
    character="cunning",
)
