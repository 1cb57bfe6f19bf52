"""Coalition: the root and its partners share their values and oppose all others."""

from __future__ import annotations

import attrs

from mpsearch.builtin.propagators.fixed import FixedStance, read_seat
from mpsearch.contracts import Array, Option, PropagatorOffer
from mpsearch.social import coalition


@attrs.frozen
class Coalition(FixedStance):
    """The root and its partners maximise the sum of their values against all others."""

    label = "coalition"
    #: Seats joined by '+', such as '2' or '1+3'.
    partners: str

    def matrix(self, root: int, players: int) -> Array:
        names = [name for name in self.partners.split("+") if name]
        members = {read_seat(name, players, "coalition: with") for name in names}
        return coalition(players, members | {root})


COALITION = PropagatorOffer(
    name="coalition",
    summary="the root and its partners against all others",
    make=lambda **options: Coalition(options["with"]),
    options=(Option.text("with", "", sample="0+2", help="partners' seats joined by '+'"),),
    character="loyal",
)
