"""Worlds of Go Fish: drawn in proportion to their probability, by counting.

Before anything is seen, every order of the cards in the deck is equally likely. Write the ranks
of the unseen cards that the others took, in the order in which each took them, and then those of
the stock, as one word: given what a seat holds itself, all words that agree with what was seen
are equally likely. So a world is as likely as there are words that lead to it.

What was seen says where in its seat's part of the word the cards of a rank may be (see
`fish_rules`): cards that are still held are behind `since`; cards that a seat parted with were
between `since` and `until`; and who asked for a rank had one among the first `asked`. Each of these
is a *row*: so many places out of an interval. Places that no row to come tells apart are
counted together, as one *stretch*.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

#: A number per rank, per seat or per stretch.
Counts: TypeAlias = tuple[int, ...]


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


class SeatWords:
    """The part of the words that belongs to one seat, filled in row by row."""

    def __init__(self, taken: Taken, order: Counts) -> None:
        self.rows = (*taken.parted, *(taken.kept[rank] for rank in order))
        self.parted = len(taken.parted)
        #: For each row, where the stretches end that this row and those after it tell apart.
        self.ends: list[Counts] = [(taken.places,)]
        marks = {taken.places}
        for row in reversed(self.rows):
            marks |= {row.since, row.asked, row.until}
            self.ends.insert(0, tuple(sorted(marks - {0})))
        self._fills: dict[tuple[int, Counts, int], list[tuple[int, Counts, int]]] = {}

    def starts(self) -> dict[Counts, int]:
        """Room for cards that the seat still has, and in how many ways the others left it."""
        ends = self.ends[0]
        found = {tuple(end - start for start, end in zip((0, *ends), ends, strict=False)): 1}
        for index in range(self.parted):
            following: dict[Counts, int] = {}
            for room, ways in found.items():
                for _, left, more in self.fills(index, room, self.rows[index].most):
                    following[left] = following.get(left, 0) + ways * more
            found = following
        return found

    def fills(self, index: int, room: Counts, most: int) -> list[tuple[int, Counts, int]]:
        """How row `index` can be filled with at most so many cards.

        Each way is: how many cards, the room in the stretches of the next row, how many words.
        """
        key = (index, room, most)
        if key not in self._fills:
            found: dict[tuple[int, Counts], int] = {}
            ends, following = self.ends[index], self.ends[index + 1]
            merged = [bisect.bisect_left(following, end) for end in ends]
            for cards, split, words in _splits(self.rows[index], ends, room, most):
                left = [0] * len(following)
                for stretch, free, used in zip(merged, room, split, strict=True):
                    left[stretch] += free - used
                way = (cards, tuple(left))
                found[way] = found.get(way, 0) + words
            self._fills[key] = [(*way, words) for way, words in found.items()]
        return self._fills[key]


def _splits(row: Row, ends: Counts, room: Counts, most: int) -> Iterator[tuple[int, Counts, int]]:
    """All ways of dividing a row's cards among stretches: how many, the split, its words."""
    open_to = [
        range(min(free, most, row.most) + 1 if row.since < end <= row.until else 1)
        for end, free in zip(ends, room, strict=True)
    ]
    early = sum(end <= row.asked for end in ends)
    for split in itertools.product(*open_to):
        cards = sum(split)
        if row.least <= cards <= min(most, row.most) and (not row.asked or any(split[:early])):
            yield cards, split, math.prod(map(math.comb, room, split))


class FishWorlds:
    """All worlds for `unseen` cards of each rank, in the stock or with one of `seats`."""

    def __init__(self, unseen: Counts, seats: tuple[Taken, ...]) -> None:
        self.unseen = unseen
        #: Ranks, those that were looked for last first: their places are the fewest.
        self.order = tuple(
            sorted(range(len(unseen)), key=lambda rank: -sum(s.kept[rank].since for s in seats))
        )
        self.words = [SeatWords(taken, self.order) for taken in seats]
        self._ways: dict[tuple[int, tuple[Counts, ...]], int] = {}
        self.starts = [
            (rooms, math.prod(ways for _, ways in start) * self.ways(0, rooms))
            for start in itertools.product(*(words.starts().items() for words in self.words))
            for rooms in [tuple(room for room, _ in start)]
        ]

    def ways(self, step: int, rooms: tuple[Counts, ...]) -> int:
        """How many words there are for the ranks from `step` on, in the seats' rooms and stock."""
        if step == len(self.order):
            return 1
        key = (step, rooms)
        if key not in self._ways:
            self._ways[key] = sum(words for _, _, words in self._splits(step, rooms))
        return self._ways[key]

    def _splits(
        self, step: int, rooms: tuple[Counts, ...]
    ) -> Iterator[tuple[Counts, tuple[Counts, ...], int]]:
        """How the cards of a rank can lie: how many with each seat, the rooms left, the words."""
        cards = self.unseen[self.order[step]]
        stock = sum(self.unseen[rank] for rank in self.order[step:]) - sum(map(sum, rooms))
        choices = [
            words.fills(words.parted + step, room, cards)
            for words, room in zip(self.words, rooms, strict=True)
        ]
        for choice in itertools.product(*choices):
            split = tuple(taken for taken, _, _ in choice)
            rest = cards - sum(split)
            if not 0 <= rest <= stock:
                continue
            left = tuple(room for _, room, _ in choice)
            if further := self.ways(step + 1, left):
                words = math.prod(words for _, _, words in choice)
                yield split, left, words * math.comb(stock, rest) * further

    def draw(self, rng: np.random.Generator) -> tuple[list[Counts], Counts]:
        """The unseen cards of a world: those of each seat by rank, and the stock."""
        rooms = self.starts[_pick([words for _, words in self.starts], rng)][0]
        hands = [[0] * len(self.unseen) for _ in self.words]
        stock = list(self.unseen)
        for step, rank in enumerate(self.order):
            splits = list(self._splits(step, rooms))
            split, rooms, _ = splits[_pick([words for _, _, words in splits], rng)]
            for hand, cards in zip(hands, split, strict=True):
                hand[rank] = cards
            stock[rank] -= sum(split)
        return [tuple(hand) for hand in hands], tuple(stock)


def _pick(weights: list[int], rng: np.random.Generator) -> int:
    """An index, with a probability in proportion to its weight."""
    total = sum(weights)
    return int(rng.choice(len(weights), p=[weight / total for weight in weights]))


@functools.lru_cache(maxsize=64)
def fish_worlds(unseen: Counts, seats: tuple[Taken, ...]) -> FishWorlds:
    """The worlds; kept, because many are drawn from one view."""
    return FishWorlds(unseen, seats)
