"""Turning points of a game, and attacks: where an agent turned against another seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array, array_field
from mpsearch.contracts import CHANCE, snap
from mpsearch.match import Ply
from mpsearch.social import plain_rows

#: The greatest number of turning points listed.
_MOST = 8
#: The least change of a value that counts where nobody takes the lead.
_SWING = 10.0
#: A seat works against another from this share of its row's greatest entry on.
_AGAINST = -0.4


@attrs.frozen(kw_only=True)
class TurningPoint:
    """A ply after which another seat led, or some seat's value had changed a lot."""

    ply: int
    #: Who moved, or CHANCE.
    seat: int
    move: str
    #: Values by seat before and after it. Shape (P,).
    before: Array = array_field()
    after: Array = array_field()
    #: The seat that took the lead, if one did.
    leader: int | None

    @property
    def swing(self) -> float:
        """The greatest change of a seat's value."""
        return float(np.abs(self.after - self.before).max())


def leader(values: Array) -> int | None:
    """The seat with the greatest value; None in a tie."""
    best = np.flatnonzero(snap(values) == snap(values.max()))
    return int(best[0]) if len(best) == 1 else None


def turning_points(
    plies: Sequence[Ply], values: Sequence[Array], texts: Sequence[str]
) -> list[TurningPoint]:
    """The plies that changed the game most, in order; `values` are before and after each ply."""
    players = len(values[0])
    found = []
    # A deal before the first decision is no turning point.
    first = next((ply.number for ply in plies if ply.seat != CHANCE), len(plies))
    led = leader(values[first])
    for ply, text in list(zip(plies, texts, strict=True))[first:]:
        before, after = values[ply.number], values[ply.number + 1]
        now = leader(after)
        # A lead must last until everybody has moved once.
        ahead = values[ply.number + 1 : ply.number + 2 + players]
        lasting = now is not None and all(leader(value) == now for value in ahead)
        takes = lasting and now != led
        if lasting:
            led = now
        point = TurningPoint(
            ply=ply.number,
            seat=ply.seat,
            move=text,
            before=before,
            after=after,
            leader=now if takes else None,
        )
        if takes or point.swing >= _SWING:
            found.append(point)
    greatest = sorted(found, key=lambda point: (point.leader is None, -point.swing))[:_MOST]
    return sorted(greatest, key=lambda point: point.ply)


@attrs.frozen(kw_only=True)
class Attack:
    """An agent turned against a seat that it did not work against at its previous move."""

    ply: int
    seat: int
    target: int
    stance: str
    #: Values by seat at that time. Shape (P,).
    values: Array = array_field()

    @property
    def lead(self) -> float | None:
        """The target's lead; None if it did not lead."""
        second, first = np.sort(self.values)[-2:]
        return float(first - second) if leader(self.values) == self.target else None


def attacks(
    entries: Sequence[Mapping[str, Any]], values: Sequence[Array], *, plies: Sequence[Ply]
) -> list[Attack]:
    """Every time an agent turned against a seat, by the stances in the record."""
    found, before = [], dict[int, frozenset[int]]()
    for entry, ply in zip(entries, plies, strict=True):
        if ply.seat == CHANCE or not entry.get("stance"):
            continue
        now = _targets(entry, ply.seat)
        found += [
            Attack(
                ply=ply.number,
                seat=ply.seat,
                target=target,
                stance=entry["stance"],
                values=values[ply.number],
            )
            for target in sorted(now - before.get(ply.seat, frozenset()))
        ]
        before[ply.seat] = now
    return found


def _targets(entry: Mapping[str, Any], seat: int) -> frozenset[int]:
    """Whom a stance works against: its target, or the seats with negative entries in its row."""
    if entry.get("target") is not None:
        return frozenset({int(entry["target"])})
    if entry.get("matrix") is None:
        return frozenset()
    row = plain_rows(np.array(entry["matrix"], dtype=float))[seat]
    return frozenset(other for other, care in enumerate(row) if other != seat and care <= _AGAINST)
