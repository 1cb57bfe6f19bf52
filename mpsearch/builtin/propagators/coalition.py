"""Coalition: the root and its partners share their values and oppose all others."""

from __future__ import annotations

import functools

import attrs

from mpsearch.builtin.propagators.fixed import FixedStance, read_seat
from mpsearch.contracts import Option, PropagatorOffer, Stance
from mpsearch.social import coalition


@attrs.frozen
class Coalition(FixedStance):
    """The root and its partners share the sum of their values against all others."""

    #: Seats joined by '+', such as '2' or '1+3'.
    partners: str

    def settled(self, root: int, players: int) -> Stance:
        return _allied(self.partners, root, players)


@functools.cache
def _allied(partners: str, root: int, players: int) -> Stance:
    names = [name for name in partners.split("+") if name]
    members = {read_seat(name, players, "coalition: with") for name in names} | {root}
    return Stance(matrix=coalition(players, members), label="coalition")


def _make_coalition(**options: str) -> Coalition:
    return Coalition(partners=options["with"])


COALITION = PropagatorOffer(
    name="coalition",
    summary="the root and its partners against all others",
    make=_make_coalition,
    options=(Option.text("with", "", sample="0+2", help="partners' seats joined by '+'"),),
    character="loyal",
)
