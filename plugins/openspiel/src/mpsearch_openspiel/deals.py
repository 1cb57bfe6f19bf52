"""Cards that nobody shows, dealt out: every way that is possible is equally likely.

Cards that may lie in the same places are of one kind, and places that may hold the same kinds are
one heap until the end. The ways to deal are counted, heap by heap and kind by kind, as products of
multinomials in whole numbers; a split is drawn in proportion to its ways, and which cards of a kind
go where is a shuffle. So no deal is ever drawn and thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from mpsearch.errors import ContractError

Split = tuple[int, ...]


@attrs.frozen(kw_only=True)
class Place:
    """Where cards may lie: a hand, the rest of the pack, a card laid away."""

    #: How many cards there are.
    size: int
    #: Those that are there for sure; they lie nowhere else.
    sure: frozenset[int] = frozenset()
    #: Those that cannot be there.
    banned: frozenset[int] = frozenset()


class Deals:
    """All ways to fill some places with a pack of cards."""

    def __init__(self, pack: range, places: Sequence[Place]) -> None:
        self.places = places
        unseen = set(pack).difference(*(place.sure for place in places))
        open_places = [i for i, place in enumerate(places) if place.size > len(place.sure)]
        kinds: dict[Split, list[int]] = {}
        for card in sorted(unseen):
            may = tuple(i for i in open_places if card not in places[i].banned)
            kinds.setdefault(may, []).append(card)
        # Those with few places first: of the last there is nothing to choose.
        ordered = sorted(kinds.items(), key=lambda kind: (len(kind[0]), kind[0]))
        #: The cards of each kind.
        self.cards = [cards for _, cards in ordered]
        heaps: dict[Split, list[int]] = {}
        for i in open_places:
            takes = tuple(number for number, (may, _) in enumerate(ordered) if i in may)
            heaps.setdefault(takes, []).append(i)
        #: The places of each heap, and which heaps take each kind.
        self.heaps = list(heaps.values())
        self.takers = [
            tuple(heap for heap, takes in enumerate(heaps) if number in takes)
            for number in range(len(ordered))
        ]
        #: How many cards each heap lacks.
        self.room = tuple(sum(self._lacks(i) for i in heap) for heap in self.heaps)
        self._known: dict[tuple[int, Split], int] = {}
        if not self._ways(0, self.room):
            raise ContractError("there is no way to deal cards that agrees with what a seat knows")

    def _lacks(self, place: int) -> int:
        return self.places[place].size - len(self.places[place].sure)

    @property
    def number(self) -> int:
        """How many ways there are."""
        inside = math.prod(_multinomial(list(map(self._lacks, heap))) for heap in self.heaps)
        return inside * self._ways(0, self.room)

    def draw(self, rng: np.random.Generator) -> list[set[int]]:
        """The cards of every place."""
        heaps: list[list[int]] = [[] for _ in self.heaps]
        room = self.room
        for kind, cards in enumerate(self.cards):
            split = self._drawn(kind, room, rng)
            room = tuple(lacks - count for lacks, count in zip(room, split, strict=True))
            _share_out(rng.permutation(cards).tolist(), split, heaps)
        hands = [set(place.sure) for place in self.places]
        for places, heap in zip(self.heaps, heaps, strict=True):
            parts: list[list[int]] = [[] for _ in places]
            _share_out(rng.permutation(heap).tolist(), list(map(self._lacks, places)), parts)
            for i, part in zip(places, parts, strict=True):
                hands[i].update(part)
        return hands

    def _drawn(self, kind: int, room: Split, rng: np.random.Generator) -> Split:
        if kind == len(self.cards) - 1:
            return room
        number = below(self._ways(kind, room), rng)
        for split, ways in self._splits(kind, room):
            number -= ways
            if number < 0:
                return split
        raise AssertionError("unreachable: there are as many ways as were counted")

    def _ways(self, kind: int, room: Split) -> int:
        """In how many ways cards of this kind and of later ones fill what room the heaps have."""
        if kind >= len(self.cards) - 1:
            takers = self.takers[kind] if self.cards else ()
            fits = all(heap in takers for heap, lacks in enumerate(room) if lacks)
            return _multinomial(room) if fits else 0
        found = self._known.get((kind, room))
        if found is None:
            found = sum(ways for _, ways in self._splits(kind, room))
            self._known[kind, room] = found
        return found

    def _splits(self, kind: int, room: Split) -> Iterator[tuple[Split, int]]:
        """Every split of the cards of a kind over all heaps, with the ways in which it is dealt."""
        takers = self.takers[kind]
        for counts in _shares(len(self.cards[kind]), [room[heap] for heap in takers]):
            split = [0] * len(room)
            for heap, count in zip(takers, counts, strict=True):
                split[heap] = count
            after = tuple(lacks - count for lacks, count in zip(room, split, strict=True))
            ways = self._ways(kind + 1, after)
            if ways:
                yield tuple(split), _multinomial(counts) * ways


def below(number: int, rng: np.random.Generator) -> int:
    """A number from 0, all equally likely; also where there are more than a word can hold."""
    bits = number.bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes((bits + 7) // 8), "little") & ((1 << bits) - 1)
        if drawn < number:
            return drawn


def _multinomial(counts: Sequence[int]) -> int:
    """In how many ways as many cards fill heaps of these sizes."""
    ways, total = 1, 0
    for count in counts:
        total += count
        ways *= math.comb(total, count)
    return ways


def _shares(count: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write a count as a sum of as many numbers, none above its most."""
    if not most:
        if count == 0:
            yield ()
        return
    for first in range(max(0, count - sum(most[1:])), min(count, most[0]) + 1):
        for rest in _shares(count - first, most[1:]):
            yield (first, *rest)


def _share_out(cards: Sequence[int], counts: Sequence[int], hands: Sequence[list[int]]) -> None:
    start = 0
    for count, hand in zip(counts, hands, strict=True):
        hand.extend(cards[start : start + count])
        start += count
