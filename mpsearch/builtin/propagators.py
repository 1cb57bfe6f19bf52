"""The propagators of the papers, and the simplest players: all of them social matrices."""

from __future__ import annotations

import functools
import math
from abc import abstractmethod

import attrs
import numpy as np

from mpsearch.contracts import Option, Propagator, PropagatorOffer, Situation, Stance, snap
from mpsearch.contracts.arrays import Array
from mpsearch.errors import UsageError
from mpsearch.social import coalition, identity, offensive, paranoid, read_matrix


def leader(value: Array, root: int) -> int:
    """The seat with the greatest value; a tie goes to the root, then by turn order after it."""
    seats = (root + np.arange(len(value))) % len(value)
    return int(seats[np.argmax(snap(value[seats]))])


class Settled(Propagator):
    """A propagator whose stance is the same in every situation."""

    def stance(self, situation: Situation) -> Stance:
        return self.settled(situation.root, situation.players)

    @abstractmethod
    def settled(self, root: int, players: int) -> Stance:
        """The stance of a root."""


class MaxN(Settled):
    """Everybody maximises their own value."""

    def settled(self, root: int, players: int) -> Stance:
        return _for_oneself(players)


@functools.cache
def _for_oneself(players: int) -> Stance:
    return Stance(matrix=identity(players), label="maxn")


class Paranoid(Settled):
    """Everybody else minimises the root's value."""

    def settled(self, root: int, players: int) -> Stance:
        return _against(root, players)


@functools.cache
def _against(root: int, players: int) -> Stance:
    return Stance(matrix=paranoid(players, root), label="paranoid")


@attrs.frozen
class Offensive(Propagator):
    """The root minimises its target's value; the others play for themselves (MP-Mix paper)."""

    #: `leader` (MaxN while the root itself leads), `strongest` other seat, or a seat's number.
    target: str

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
            target = _seat(self.target, players, "offensive: target")
            if target == root:
                raise UsageError(f"offensive: seat {root} cannot be its own target")
        return Stance(matrix=offensive(players, root, target), label="offensive", target=target)


@attrs.frozen
class Coalition(Settled):
    """The root and its partners share the sum of their values against all others."""

    #: Seats joined by '+', such as '2' or '1+3'.
    partners: str

    def settled(self, root: int, players: int) -> Stance:
        return _allied(self.partners, root, players)


@functools.cache
def _allied(partners: str, root: int, players: int) -> Stance:
    names = [name for name in partners.split("+") if name]
    members = {_seat(name, players, "coalition: with") for name in names} | {root}
    return Stance(matrix=coalition(players, members), label="coalition")


@attrs.frozen
class MPMix(Propagator):
    """MP-Mix(Td, To): Paranoid when far ahead, Offensive when another is, else MaxN."""

    #: How far ahead of the second the root must be to play Paranoid.
    td: float
    #: How far ahead of the second another seat must be to be attacked.
    to: float

    def stance(self, situation: Situation) -> Stance:
        second, first = np.sort(situation.value)[-2:]
        edge = snap(first - second)
        ahead = leader(situation.value, situation.root)
        if ahead == situation.root and edge >= snap(self.td):
            return Paranoid().stance(situation)
        if ahead != situation.root and edge >= snap(self.to):
            return Offensive(target=str(ahead)).stance(situation)
        return MaxN().stance(situation)


@attrs.frozen
class SOS(Propagator):
    """Socially oriented search: a given matrix, or what the opponent model believes."""

    #: Text of a matrix; empty: the opponent model's.
    matrix: str

    def stance(self, situation: Situation) -> Stance:
        given = self.settled(situation.root, situation.players)
        return Stance(matrix=situation.beliefs, label="sos") if given is None else given

    def settled(self, root: int, players: int) -> Stance | None:
        return _given(self.matrix, players) if self.matrix else None


@functools.cache
def _given(text: str, players: int) -> Stance:
    matrix = read_matrix(text)
    if len(matrix) != players:
        raise UsageError(f"matrix '{text}' has {len(matrix)} rows; there are {players} players")
    return Stance(matrix=matrix, label="sos")


def _make_sampled(*, stance: str, matrix: str) -> Propagator:
    """The stance of an agent that samples: MaxN's, Paranoid's or that of a given matrix."""
    if matrix:
        return SOS(matrix=matrix)
    return MaxN() if stance == "maxn" else Paranoid()


class Oriented(Propagator):
    """What the agent itself cares about, as its model `orientation` says at this time."""

    def stance(self, situation: Situation) -> Stance:
        return Stance(matrix=situation.beliefs, label="oriented")


class Indifferent(Settled):
    """The root cares about nothing: all its moves tie, and ties are broken at random."""

    def settled(self, root: int, players: int) -> Stance:
        return _for_nobody(players)


@functools.cache
def _for_nobody(players: int) -> Stance:
    return Stance(matrix=np.zeros((players, players)), label="random")


def _seat(text: str, players: int, owner: str) -> int:
    seats = {str(seat): seat for seat in range(players)}
    if text not in seats:
        raise UsageError(f"{owner}={text} is not a seat; seats are 0 to {players - 1}")
    return seats[text]


def _make_coalition(**options: str) -> Coalition:
    return Coalition(partners=options["with"])


def _threshold(name: str, what: str) -> Option:
    return Option(name=name, kind=float, default=math.inf, least=0, sample=20.0, help=what)


PROPAGATORS = [
    PropagatorOffer(name="maxn", summary="everybody maximises their own value", make=MaxN),
    PropagatorOffer(
        name="paranoid", summary="everybody else minimises the root's value", make=Paranoid
    ),
    PropagatorOffer(
        name="offensive",
        summary="the root minimises its target's value, the others play for themselves",
        make=Offensive,
        options=(
            Option(
                name="target",
                kind=str,
                default="strongest",
                help="leader, strongest (other seat), or a seat's number",
            ),
        ),
    ),
    PropagatorOffer(
        name="coalition",
        summary="the root and its partners against all others",
        make=_make_coalition,
        options=(
            Option(
                name="with",
                kind=str,
                default="",
                sample="0+2",
                help="partners' seats joined by '+'",
            ),
        ),
    ),
    PropagatorOffer(
        name="mpmix",
        summary="paranoid when far ahead, offensive when another is, else maxn",
        make=MPMix,
        options=(
            _threshold("td", "lead of one's own from which on it is paranoid"),
            _threshold("to", "another's lead from which on it is offensive"),
        ),
    ),
    PropagatorOffer(
        name="sos",
        summary="socially oriented search with a given or learned matrix",
        make=SOS,
        options=(Option(name="matrix", kind=str, default="", help="rows such as 1:0/-0.5:1"),),
        defaults={"model": "recent"},
    ),
    PropagatorOffer(
        name="oriented",
        summary="a given or random orientation that may switch, drift or retaliate",
        make=Oriented,
        defaults={"depth": 1, "model": "orientation"},
    ),
    PropagatorOffer(
        name="brs",
        summary="best-reply search: paranoid, but only one opponent chooses between two moves",
        make=Paranoid,
        defaults={"search": "brs"},
    ),
    PropagatorOffer(
        name="mcts",
        summary="Monte-Carlo tree search (UCT), every seat by its row of the matrix",
        make=_make_sampled,
        options=(
            Option(
                name="stance",
                kind=str,
                default="maxn",
                choices=("maxn", "paranoid"),
                help="how seats choose",
            ),
            Option(name="matrix", kind=str, default="", help="instead: rows such as 1:0/-0.5:1"),
        ),
        defaults={"search": "mcts"},
    ),
    PropagatorOffer(
        name="greedy",
        summary="the best value after one's own move",
        make=MaxN,
        defaults={"depth": 1},
    ),
    PropagatorOffer(
        name="random",
        summary="any legal move",
        make=Indifferent,
        defaults={"depth": 1, "worlds": 1, "branching": "all"},
    ),
]
