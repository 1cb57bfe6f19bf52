"""Worlds of Go Fish: uniform over all deals that agree with what a seat knows, by counting."""

from __future__ import annotations

import functools
import itertools
import math
from typing import TypeAlias

import numpy as np

#: A number per rank, or per seat.
Counts: TypeAlias = tuple[int, ...]

#: Stands before the size of a hand or stock whose cards a seat does not know.
UNKNOWN = -1
#: Four of a rank would have been laid down.
_MOST = 3


class DealWorlds:
    """All deals of the unseen cards to hands and stock that fit.

    `unseen` cards of each rank, `sizes` of the hands, and at `least` so many cards of each
    rank in each hand. The stock takes the rest, without a limit.
    """

    def __init__(self, unseen: Counts, sizes: Counts, least: tuple[Counts, ...]) -> None:
        self.unseen = unseen
        self.sizes = sizes
        self.least = least
        self._ways: dict[tuple[int, Counts], int] = {}

    def ways(self, rank: int, room: Counts) -> int:
        """How many deals of the cards from `rank` on fill exactly the room in the hands."""
        if rank == len(self.unseen):
            return int(not any(room))
        key = (rank, room)
        if key not in self._ways:
            self._ways[key] = sum(weight for _, weight in self._splits(rank, room))
        return self._ways[key]

    def _splits(self, rank: int, room: Counts) -> list[tuple[Counts, int]]:
        """How the cards of a rank can lie in the hands, and the deals for which they do."""
        cards = self.unseen[rank]
        ranges = [
            range(least[rank], min(_MOST, cards, free) + 1)
            for least, free in zip(self.least, room, strict=True)
        ]
        found = []
        for split in itertools.product(*ranges):
            rest = cards - sum(split)
            if rest < 0:
                continue
            left = tuple(free - taken for free, taken in zip(room, split, strict=True))
            orders = math.factorial(cards) // math.factorial(rest)
            orders //= math.prod(math.factorial(n) for n in split)
            if weight := orders * self.ways(rank + 1, left):
                found.append((split, weight))
        return found

    def draw(self, rng: np.random.Generator) -> tuple[list[Counts], Counts]:
        """One deal: the hands, and the stock."""
        room, columns, stock = self.sizes, [], []
        for rank, cards in enumerate(self.unseen):
            splits = self._splits(rank, room)
            weights = np.array([float(weight) for _, weight in splits])
            split = splits[int(rng.choice(len(splits), p=weights / weights.sum()))][0]
            columns.append(split)
            stock.append(cards - sum(split))
            room = tuple(free - taken for free, taken in zip(room, split, strict=True))
        hands = [tuple(column[k] for column in columns) for k in range(len(self.sizes))]
        return hands, tuple(stock)


@functools.lru_cache(maxsize=64)
def deal_worlds(unseen: Counts, sizes: Counts, least: tuple[Counts, ...]) -> DealWorlds:
    """The deals that fit; kept, because many worlds are drawn from one view."""
    return DealWorlds(unseen, sizes, least)
