"""Own affairs: what a seat has, read from what OpenSpiel prints of a state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import attrs
import numpy as np

from mpsearch.contracts import Array
from mpsearch_openspiel.boards import hops, steps
from mpsearch_openspiel.game import OpenSpielGame
from mpsearch_openspiel.position import Inner

#: From a state of OpenSpiel and the text of the first one to a number for each seat; none where
#: there are none yet.
Reader: TypeAlias = Callable[[Inner, str], list[float]]


@attrs.frozen(kw_only=True)
class Feature:
    """Something that is a seat's own, on a scale from the worst to the best."""

    read: Reader
    #: The numbers that are worth 0 and 100; what is beyond them counts as they do.
    worst: float = 0.0
    best: float | str
    #: What everybody has before anything is counted.
    start: float = 0.0
    #: Whether more of it does not always win: then at the end only the result counts.
    result: bool = False

    def scaled(self, game: OpenSpielGame, inner: Inner, first: str) -> Array:
        """Values on a scale of 0 to 100."""
        if self.result and inner.is_terminal():
            returns = np.array(inner.returns())
            return np.where(returns == returns.max(), 100.0, 0.0)
        best = self._best(game)
        found = self.read(inner, first) or [self.start] * game.players
        share = (np.array(found) - self.worst) / (best - self.worst)
        values: Array = np.clip(100 * share, 0.0, 100.0)
        return values

    def _best(self, game: OpenSpielGame) -> float:
        """The best number, or the parameter of the game that says it."""
        if not isinstance(self.best, str):
            return self.best
        return float(game.parameters.get(self.best, game.foreign.options[self.best]))


def _numbers(pattern: str) -> Reader:
    """The numbers in the first, and only, group that a pattern finds in a state's text."""
    compiled = re.compile(pattern)

    def read(inner: Inner, first: str) -> list[float]:
        found = compiled.search(str(inner))
        return [float(word) for word in found[1].split()] if found else []

    return read


def _each(pattern: str) -> Reader:
    """A number for each seat, in the order of the seats."""
    compiled = re.compile(pattern)
    return lambda inner, first: [float(number) for number in compiled.findall(str(inner))]


def _drawn(read: Callable[[str, str], list[float]]) -> Reader:
    """From the drawing of a board alone."""
    return lambda inner, first: read(str(inner), first)


def _sides(each: Sequence[float]) -> list[float]:
    """What each seat of two against two has together with the one opposite."""
    return [each[0] + each[2], each[1] + each[3]] * 2


_TRICK = re.compile(r"Won by (North|East|South|West)\.")
_COMPASS = ("North", "East", "South", "West")


def _bridge(inner: Inner, first: str) -> list[float]:
    winners = _TRICK.findall(str(inner))
    return _sides([float(winners.count(seat)) for seat in _COMPASS])


_HAND = re.compile(r"(?m)^((?:Player \d+: *)+)\n((?:Suit .*\n){4})")


def _crazy_eights(inner: Inner, first: str) -> list[float]:
    """Cards in hand, in columns of one player each."""
    found = _HAND.search(str(inner))
    if found is None:
        return []
    columns = [start.start() for start in re.finditer("Player", found[1])]
    rows, ends = found[2].splitlines(), [*columns[1:], None]
    cells = [[row[at:end] for row in rows] for at, end in zip(columns, ends, strict=True)]
    # "Suit C:" is before the cards of a suit.
    return [float(sum(len(cell[7:].replace(" ", "")) for cell in column)) for column in cells]


_PLAYED = re.compile(r"(?m)^Player (\d) played (?!Pass$)(.+)$")
_CARD = re.compile(r"\(\w+\)|\S")
_DEALT, _SKAT_OF_THE_LANDLORD = 17, 3


def _dou_dizhu(inner: Inner, first: str) -> list[float]:
    """Cards still to be played; the landlord, who plays first, has taken up three more."""
    _, begun, played = str(inner).partition("Playing phase begin")
    if not begun:
        return []
    left = [float(_DEALT)] * 3
    for number, (seat, cards) in enumerate(_PLAYED.findall(played)):
        left[int(seat)] += _SKAT_OF_THE_LANDLORD * (number == 0)
        left[int(seat)] -= len(_CARD.findall(cards))
    return left


def _kuhn(inner: Inner, first: str) -> list[float]:
    """What one has won, or has not paid in: all but a chip, and another one for a bet."""
    if inner.is_terminal():
        return list(inner.returns())
    seats = inner.num_players()
    paid = [1.0] * seats
    for number, said in enumerate(str(inner).rpartition(" ")[2]):
        paid[number % seats] += said == "b"
    return [-chips for chips in paid]


def _oh_hell(inner: Inner, first: str) -> list[float]:
    """A point for each trick, and ten where that is what was said: as if it ended now."""
    rows = re.search(r"Bids: +([-\d ]+)\nTricks Won: +([\d ]+)", str(inner))
    if rows is None:
        return []
    pairs = zip(rows[1].split(), rows[2].split(), strict=True)
    return [int(won) + 10.0 * (bid == won) for bid, won in pairs]


_SOLO = re.compile(r"Solo Player: (\d)\nPoints \(Solo / Team\): \((\d+) / (\d+)\)")


def _skat(inner: Inner, first: str) -> list[float]:
    """Points in the cards that the solo player, or the two others together, have taken."""
    found = _SOLO.search(str(inner))
    if found is None:
        return []
    solo, alone, together = (int(number) for number in found.groups())
    return [float(alone if seat == solo else together) for seat in range(3)]


_SCORES = re.compile(r"p\d=(\d+)(\(dead\))?")


def _snake(inner: Inner, first: str) -> list[float]:
    """Food eaten, and half as much as a piece of it for being alive: the dead eat no more."""
    return [float(eaten) + 0.5 * (not dead) for eaten, dead in _SCORES.findall(str(inner))]


_TAKEN = re.compile(r"Tricks taken:\n\nNorth East  South  West\n([\d ]+)")


def _spades(inner: Inner, first: str) -> list[float]:
    found = _TAKEN.search(str(inner))
    return _sides([float(number) for number in found[1].split()]) if found else []


#: By game; `offers` has their names.
FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        "bridge": Feature(read=_bridge, best=13.0, result=True),
        "chinese_checkers": Feature(read=_drawn(hops), best=120.0),
        "crazy_eights": Feature(read=_crazy_eights, worst=20.0, best=0.0, start=5.0, result=True),
        "cribbage": Feature(read=_numbers(r"Scores: ([\d ]+)"), best=121.0),
        "dou_dizhu": Feature(read=_dou_dizhu, worst=20.0, best=0.0, start=17.0, result=True),
        "go_fish": Feature(read=_each(r"(?m):(\d+)$"), best="ranks"),
        "goofspiel": Feature(read=_numbers(r"Points: ([\d ]+)"), best=91.0),
        "hearts": Feature(read=_each(r"(?m)^[NESW]: (\d+)$"), worst=26.0, best=0.0),
        "kuhn_poker": Feature(read=_kuhn, worst=-2.0, best=4.0, start=-1.0),
        "leduc_poker": Feature(
            read=_numbers(r"Money [^:]*: ([\d. ]+)"), worst=87.0, best=126.0, start=100.0
        ),
        "maedn": Feature(read=_drawn(steps), best=170.0),
        "oh_hell": Feature(read=_oh_hell, best=27.0),
        "pig": Feature(read=_numbers(r"Scores: ([\d ]+)"), best="winscore"),
        "skat": Feature(read=_skat, best=120.0, result=True),
        "snake": Feature(read=_snake, best=4.0, start=0.5),
        "spades": Feature(read=_spades, best=13.0, result=True),
        "yacht": Feature(read=_each(r"\(total: (\d+)\)"), best=300.0),
    }
)
