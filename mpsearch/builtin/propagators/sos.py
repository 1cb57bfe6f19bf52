"""Socially oriented search (SOS): a given or learned matrix (Wilson, Zuckerman and Nau 2011)."""

from __future__ import annotations

import functools

import attrs

from mpsearch.contracts import Option, Propagator, PropagatorOffer, Situation, Stance
from mpsearch.errors import UsageError
from mpsearch.social import read_matrix


@attrs.frozen
class SOS(Propagator):
    """Socially oriented search with a given matrix or the opponent model's."""

    #: Text of a matrix; empty: the opponent model's.
    matrix: str

    def stance(self, situation: Situation) -> Stance:
        given = self.settled(situation.root, situation.players)
        return Stance(matrix=situation.beliefs, label="sos") if given is None else given

    def settled(self, root: int, players: int) -> Stance | None:
        return _given(self.matrix, players) if self.matrix else None


@functools.lru_cache(maxsize=1024)
def _given(text: str, players: int) -> Stance:
    matrix = read_matrix(text)
    if len(matrix) != players:
        raise UsageError(f"matrix '{text}' has {len(matrix)} rows; there are {players} players")
    return Stance(matrix=matrix, label="sos")


SOCIALLY_ORIENTED = PropagatorOffer(
    name="sos",
    summary="socially oriented search with a given or learned matrix",
    make=SOS,
    options=(Option.text("matrix", "", help="rows such as 1:0/-0.5:1"),),
    defaults={"model": "recent"},
    character="observant",
)
