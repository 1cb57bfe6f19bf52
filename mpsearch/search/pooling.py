"""What the searches of many worlds come to: one move, and a value for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mpsearch.contracts.arrays import Array, frozen_array
from mpsearch.contracts.game import Move
from mpsearch.search.deepen import Ties, WorldResult
from mpsearch.search.engine import Found
from mpsearch.search.plan import Plan
from mpsearch.search.report import RootMove


def choose_move(results: Sequence[WorldResult], plan: Plan, ties: Ties, *, pool: str) -> Move:
    """The move that most worlds vote for, or the one with the best mean value."""
    if len(results) == 1:
        return results[0].move
    if pool == "vote":
        merit: dict[Move, float] = {}
        for result in results:
            merit[result.move] = merit.get(result.move, 0) + 1
    else:
        root = results[0].root
        merit = {m.move: plan.merit(root, m.value) for m in root_moves(results)}
    return min(merit, key=lambda move: (-merit[move], ties.rank[move]))


def root_moves(results: Sequence[WorldResult]) -> tuple[RootMove, ...]:
    """Root moves with values averaged over worlds."""
    first = results[0]
    if len(results) == 1:
        return first.moves
    votes: dict[Move, int] = {}
    for result in results:
        votes[result.move] = votes.get(result.move, 0) + 1
    values: Sequence[Array]
    if all(result.listed == first.listed for result in results):
        # As in most games that hide something: who moves knows what it can do. All at once.
        listed, where = first.listed, [(first.found, at) for at in range(len(first.listed))]
        values = frozen_array(np.mean([result.found.values for result in results], axis=0))
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
        RootMove(move=move, value=value, exact=sure, line=found.line(at), votes=votes.get(move, 0))
        for move, value, sure, (found, at) in zip(listed, values, exact, where, strict=True)
    )
