"""Ties between root moves: broken uniformly at random, or by the order of the moves."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mpsearch.contracts import Move


class Ties:
    """Which of two equal root moves is taken: the one with the lesser rank.

    With a generator ranks are drawn, as soon as the moves are known; without, moves rank as they
    are listed.
    """

    def __init__(self, rng: np.random.Generator | None = None) -> None:
        self._rng = rng
        self.rank: dict[Move, int] = {}
        #: Those of a single world, by index: a dict would take a microsecond, and it is not needed.
        self._ranks: list[int] = []

    def draw(self, moves: Iterable[Move]) -> None:
        """Rank the moves of all worlds, which may be listed again and again."""
        union = list(dict.fromkeys(moves))
        ranks = (
            range(len(union)) if self._rng is None else self._rng.permutation(len(union)).tolist()
        )
        self.rank = dict(zip(union, ranks, strict=True))

    def order(self, moves: list[Move]) -> list[int]:
        """The indices of moves by their rank. Where there is but one world its moves are drawn."""
        if self.rank:
            ranks = list(map(self.rank.__getitem__, moves))
        elif self._rng is None:
            return list(range(len(moves)))
        else:
            ranks = self._ranks = self._ranks or self._rng.permutation(len(moves)).tolist()
        return sorted(range(len(moves)), key=ranks.__getitem__)
