"""Worlds of Go Fish: drawn in proportion to their probability, by counting.

Before anything is seen, every order of the cards in the deck is equally likely. Write the ranks
of the unseen cards that the others took, in the order in which each took them, and then those of
the stock, as one word: given what a seat holds itself, all words that agree with what was seen
are equally likely. So a world is as likely as there are words that lead to it.

What was seen says where in its seat's part of the word the cards of a rank may be (see
`state`): cards that are still held are behind `since`; cards that a seat parted with were
between `since` and `until`; and who asked for a rank had one among the first `asked`. Each of these
is a *row*: so many places out of an interval. Places that no row to come tells apart are
counted together, as one *stretch*, and how many places are free in each stretch is all that the
rows to come need to know. Row by row this is a chain of small matrices for each seat, and the
seats meet only in how many cards of a rank there are: a product of these matrices counts all words,
and the same counts, read the other way, draw a world. Counts are floating-point numbers and
only ever added and multiplied, so probabilities are exact up to rounding.
"""

from __future__ import annotations

import bisect
import collections
import functools
import itertools
import math
import operator
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mpsearch.contracts import Array

#: A number per rank, per seat or per stretch.
Counts: TypeAlias = tuple[int, ...]

#: Four of a rank would have been laid down.
_MOST = 3
#: By the cards of a rank in the stock: words for them, but for a factor that all worlds share.
#: None for -1, which stands for more cards in the hands than there are.
_IN_STOCK = np.array([*(1 / math.factorial(n) for n in range(5)), 0.0])


class Row(NamedTuple):
    """From `least` to `most` cards in the places `since` + 1 to `until`.

    If `asked` is not 0, one of them at least is among the first `asked` places.
    """

    since: int
    asked: int
    until: int
    least: int
    most: int


class Taken(NamedTuple):
    """What all know of the cards that a seat took unseen."""

    #: How many they are.
    places: int
    #: Those it parted with, in the order in which it did.
    parted: tuple[Row, ...]
    #: Those it still has, one row for each rank.
    kept: tuple[Row, ...]


#: How a row is filled: cards of it, the state of the seat thereafter, and how many words do so.
Fills: TypeAlias = tuple[Any, Any, Array]


class SeatWords:
    """One seat's part of the words, filled in row by row.

    A state of it is how many places of each stretch are free. `start` weighs the states in
    which the cards that the seat parted with leave the others; `fills` has, for each rank in
    `order` and each state, the ways to fill it.
    """

    def __init__(self, taken: Taken, order: Counts) -> None:
        rows = (*taken.parted, *(taken.kept[rank] for rank in order))
        ends = _stretches(taken.places, rows)
        states = {tuple(b - a for a, b in itertools.pairwise((0, *ends[0]))): 1}
        parted = len(taken.parted)
        for index in range(parted):
            following: collections.Counter[Counts] = collections.Counter()
            for room, ways in states.items():
                for (_, left), words in _fill(rows[index], room, *ends[index : index + 2]).items():
                    following[left] += ways * words
            states = following
        self.start = np.array([float(ways) for ways in states.values()])
        self.fills: list[list[Fills]] = []
        for index in range(parted, len(rows)):
            numbers: dict[Counts, int] = {}
            step: list[Fills] = []
            most = _most_cards(rows[index + 1 :], ends[index + 1])
            for room in states:
                fill = _fill(rows[index], room, *ends[index : index + 2])
                fill = {key: words for key, words in fill.items() if _can_be_full(key[1], most)}
                after = [numbers.setdefault(left, len(numbers)) for _, left in fill]
                cards = [cards for cards, _ in fill]
                step.append((np.array(cards, int), np.array(after, int), _floats(fill.values())))
            self.fills.append(step)
            states = numbers
        #: For each state in the end, whether no place is left free.
        self.full = _floats(not any(room) for room in states)

    def matrices(self, step: int) -> Array:
        """The words that lead from state to state, by the cards used. Shape (4, states, next)."""
        following = len(self.fills[step + 1]) if step + 1 < len(self.fills) else len(self.full)
        found = np.zeros((_MOST + 1, len(self.fills[step]), following))
        for state, (cards, after, words) in enumerate(self.fills[step]):
            found[cards, state, after] = words
        return found


def _floats(numbers: Iterable[float]) -> Array:
    return np.array([float(number) for number in numbers])


def _stretches(places: int, rows: tuple[Row, ...]) -> list[Counts]:
    """For each row, where the stretches end that it and the rows after it tell apart."""
    marks = {places}
    found: list[Counts] = [(places,)]
    for row in reversed(rows):
        marks |= {row.since, row.asked, row.until}
        found.append(tuple(sorted(marks - {0})) or (0,))
    return found[::-1]


def _fill(row: Row, room: Counts, ends: Counts, following: Counts) -> dict[tuple[int, Counts], int]:
    """How a row can be filled: cards and the room in the stretches of the next row; the words."""
    allowed = [row.since < end <= row.until for end in ends]
    limits = tuple(
        min(free, row.most) if may else 0 for free, may in zip(room, allowed, strict=True)
    )
    early = bisect.bisect_right(ends, row.asked)
    merged = [bisect.bisect_left(following, end) for end in ends]
    found: collections.Counter[tuple[int, Counts]] = collections.Counter()
    for split in _splits(limits, row.most):
        cards = sum(split)
        if cards < row.least or (row.asked and not any(split[:early])):
            continue
        left = [0] * len(following)
        for stretch, free, used in zip(merged, room, split, strict=True):
            left[stretch] += free - used
        found[cards, tuple(left)] += math.prod(map(math.comb, room, split))
    return found


def _most_cards(rows: tuple[Row, ...], ends: Counts) -> Counts:
    """The most cards that rows can put in the first stretch, the first two, and so on."""
    return tuple(sum(row.most for row in rows if row.since < end) for end in ends)


def _can_be_full(room: Counts, most: Counts) -> bool:
    return all(map(operator.le, itertools.accumulate(room), most))


@functools.lru_cache(maxsize=4096)
def _splits(limits: Counts, most: int) -> list[Counts]:
    """All tuples of numbers from 0 to `limits` with a sum of at most `most`."""
    if not limits:
        return [()]
    return [
        (first, *rest)
        for first in range(min(limits[0], most) + 1)
        for rest in _splits(limits[1:], most - first)
    ]


class FishWorlds:
    """All worlds for `unseen` cards of each rank, in the stock or with one of `seats`."""

    def __init__(self, unseen: Counts, seats: tuple[Taken, ...]) -> None:
        self.unseen = unseen
        #: Ranks, those that were last spoken of first: their places are the fewest, and marks
        #: at the end of the words are the first to go. A fifth of the work of the other way round.
        self.order = tuple(
            sorted(
                (rank for rank, cards in enumerate(unseen) if cards),
                key=lambda rank: -sum(max(s.kept[rank].since, s.kept[rank].asked) for s in seats),
            )
        )
        self.seats = [SeatWords(taken, self.order) for taken in seats]
        #: For each rank in order, and the end: words from there on, by the states of the seats.
        self.words = [functools.reduce(np.multiply.outer, [seat.full for seat in self.seats])]
        for step in reversed(range(len(self.order))):
            self.words.insert(0, self._before(step, self.words[0]))
        start = functools.reduce(np.multiply.outer, [seat.start for seat in self.seats])
        self.starts = start * self.words[0]
        self._weights: dict[tuple[int, tuple[int, ...]], Array] = {}

    def _before(self, step: int, words: Array) -> Array:
        """The words from the rank at `step` on, given those after it."""
        cards = self.unseen[self.order[step]]
        #: By how many cards of the rank the stock and the seats so far have.
        used: dict[int, Array] = {rest: words * _IN_STOCK[rest] for rest in range(cards + 1)}
        for axis, seat in enumerate(self.seats):
            matrices = seat.matrices(step)
            last = axis == len(self.seats) - 1
            more: dict[int, Array] = {}
            for total in [cards] if last else range(cards + 1):
                parts = [
                    np.tensordot(matrices[extra], used[total - extra], (1, axis))
                    for extra in range(min(total, _MOST) + 1)
                ]
                more[total] = np.moveaxis(sum(parts[1:], parts[0]), 0, axis)
            used = more
        return used[cards]

    def draw(self, rng: np.random.Generator) -> tuple[list[Counts], Counts]:
        """The unseen cards of a world: those of each seat by rank, and the stock."""
        states = _pick(self.starts, rng)
        hands = np.zeros((len(self.seats), len(self.unseen)), int)
        for step, rank in enumerate(self.order):
            fills = [seat.fills[step][s] for seat, s in zip(self.seats, states, strict=True)]
            if (step, states) not in self._weights:
                self._weights[step, states] = self._weigh(step, fills)
            chosen = _pick(self._weights[step, states], rng)
            hands[:, rank] = [fill[0][k] for fill, k in zip(fills, chosen, strict=True)]
            states = tuple(int(fill[1][k]) for fill, k in zip(fills, chosen, strict=True))
        stock = np.array(self.unseen) - hands.sum(axis=0)
        return [tuple(hand) for hand in hands.tolist()], tuple(stock.tolist())

    def _weigh(self, step: int, fills: list[Fills]) -> Array:
        """How many words there are from the rank at `step` on, for each choice of the seats."""
        cards = functools.reduce(np.add.outer, [cards for cards, _, _ in fills])
        words = functools.reduce(np.multiply.outer, [words for _, _, words in fills])
        further = self.words[step + 1][np.ix_(*(after for _, after, _ in fills))]
        rest = np.maximum(self.unseen[self.order[step]] - cards, -1)
        weights: Array = words * further * _IN_STOCK[rest]
        return weights


def _pick(weights: Array, rng: np.random.Generator) -> tuple[int, ...]:
    """An index into `weights`, with a probability in proportion to its weight."""
    sums = np.cumsum(weights)
    # The product could be rounded up to the whole, behind the last index that has a weight.
    point = min(rng.random() * sums[-1], np.nextafter(sums[-1], 0.0))
    place = np.searchsorted(sums, point, side="right")
    return tuple(int(i) for i in np.unravel_index(place, weights.shape))


@functools.lru_cache(maxsize=64)
def fish_worlds(unseen: Counts, seats: tuple[Taken, ...]) -> FishWorlds:
    """The worlds, cached because many are drawn from one view."""
    return FishWorlds(unseen, seats)
