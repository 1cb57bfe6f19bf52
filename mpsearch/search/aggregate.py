"""Aggregation: one move, and a value of each, from the searches of many worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import overload

import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts import Move, RootMove
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.ties import Ties
from mpsearch.search.tree.engine import Found
from mpsearch.search.world_search import WorldResult


class LaterMoves(Sequence[RootMove]):
    """The root moves of one world, made when they are looked at.

    A hundred of them, as in Quoridor, take longer than a shallow search, and who plays looks at
    one.
    """

    def __init__(self, result: WorldResult) -> None:
        self._result = result
        self._made: tuple[RootMove, ...] | None = None

    @property
    def _all(self) -> tuple[RootMove, ...]:
        if self._made is None:
            self._made = tuple(map(self._result.entry, range(len(self))))
        return self._made

    def __len__(self) -> int:
        return len(self._result.listed)

    def __iter__(self) -> Iterator[RootMove]:
        return iter(self._all)

    @overload
    def __getitem__(self, index: int) -> RootMove: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RootMove, ...]: ...
    def __getitem__(self, index: int | slice) -> RootMove | tuple[RootMove, ...]:
        return self._all[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all)

    def __repr__(self) -> str:
        return repr(self._all)


def choose_move(results: Sequence[WorldResult], plan: Plan, ties: Ties, *, pool: str) -> Move:
    """The move that most worlds vote for, or the one with the best mean value."""
    if len(results) == 1:
        return results[0].move
    merit: Mapping[Move, float] = Counter(result.move for result in results)
    if pool != "vote":
        root = results[0].root
        merit = {m.move: _key(results, plan, root, m) for m in root_moves(results)}
    return min(merit, key=lambda move: (-merit[move], ties.rank[move]))


def _key(results: Sequence[WorldResult], plan: Plan, root: int, m: RootMove) -> float:
    """The merit of a move's mean value; among wins and losses also how soon they come."""
    merit = plan.merit(root, m.value)
    if plan.lost[root] < merit < plan.won[root]:
        return merit
    there = [(r.found.ends, r.listed.index(m.move)) for r in results if m.move in r.listed]
    return plan.key(root, m.value, sum(ends[at] for ends, at in there) / len(there))


def root_moves(results: Sequence[WorldResult]) -> Sequence[RootMove]:
    """Root moves with values averaged over worlds."""
    first = results[0]
    if len(results) == 1:
        return LaterMoves(first)
    votes = Counter(result.move for result in results)
    values: Sequence[Array]
    if all(result.listed == first.listed for result in results):
        # As in most games that hide something: who moves knows what it can do. All at once.
        listed, where = first.listed, [(first.found, at) for at in range(len(first.listed))]
        values = list(frozen_array(np.mean([r.found.values for r in results], axis=0)))
        exact = list(map(all, zip(*(result.found.exact for result in results), strict=True)))
    else:
        places: dict[Move, list[tuple[Found, int]]] = {}
        for result in results:
            for index, move in enumerate(result.listed):
                places.setdefault(move, []).append((result.found, index))
        listed, where = list(places), [found[0] for found in places.values()]
        values = [np.mean([f.values[at] for f, at in found], axis=0) for found in places.values()]
        exact = [all(f.exact[at] for f, at in found) for found in places.values()]
    return tuple(
        RootMove(move=move, value=value, exact=sure, line=found.line(at), votes=votes[move])
        for move, value, sure, (found, at) in zip(listed, values, exact, where, strict=True)
    )
