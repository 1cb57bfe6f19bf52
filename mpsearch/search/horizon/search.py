"""Search with known horizons: opponents choose by what they themselves can see.

Knowing what an opponent wants is not knowing what it will do: one that looks a single ply ahead
walks into what a deep search of ours sees coming. At its nodes this search keeps the moves that
are best for it, by its own row of the matrix, as far as it looks; of those it is indifferent
between, the one that is best for it by all that follows. The root's own nodes are searched as ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from mpsearch.contracts import (
    Array,
    Branching,
    Limits,
    PlayerOffer,
    Report,
    SearchAlgorithm,
    SearchRequest,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.search.decision import search
from mpsearch.search.horizon.shallow_choice import PlainShallowChoice
from mpsearch.search.tree.engine import Engine, make_engine

#: How many matrices' engines are kept; opponent models change theirs with every move.
_KEPT = 16


@attrs.frozen(kw_only=True)
class HorizonSearch(SearchAlgorithm):
    """Tree search of the tree that is left when opponents look no farther than their horizons."""

    space: SearchSpace
    #: By root, matrix, horizons, and whether the rules are plain Python for the time being.
    _engines: dict[Any, tuple[SearchSpace, Engine]] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    def search(
        self, worlds: Sequence[State], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        horizons = request.horizons or (1,) * len(stance.matrix)
        key = request.root, stance.matrix.tobytes(), horizons, self.space.suspended
        if key not in self._engines:
            if len(self._engines) >= _KEPT:
                self._engines.clear()
            narrowed = shallow_space(self.space, request.root, stance.matrix, horizons)
            self._engines[key] = (narrowed, make_engine(narrowed))
        space, engine = self._engines[key]
        return search(space, worlds, stance, limits, engine=engine, **request.settings)


def make_horizon_search(space: SearchSpace, bots: Mapping[str, PlayerOffer]) -> HorizonSearch:
    """The search of a space in which opponents look no farther than their horizons."""
    return HorizonSearch(space=space)


def shallow_space(
    space: SearchSpace,
    root: int,
    matrix: Array,
    horizons: Sequence[int],
    *,
    interpret: bool = False,
) -> SearchSpace:
    """The space with opponents' moves narrowed to their choice; compiled where the space is."""
    space = space.for_root(root)
    horizons = [0 if seat == root else plies for seat, plies in enumerate(horizons)]
    branching: Branching
    if space.compiles and not interpret:
        from mpsearch.search.horizon.compiled import compiled_shallow_choice

        branching = compiled_shallow_choice(space, matrix, horizons)
    else:
        branching = PlainShallowChoice(space, matrix, horizons)
    # Who looks a ply or two ahead does not play as a game that knows its end has it.
    return attrs.evolve(space, branching=branching, exact_ends=False)
