"""Tree search: MaxN, Paranoid, SOS and all other social matrices by one algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from mpsearch.contracts import (
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
from mpsearch.search.tree.engine import Engine, make_engine


@attrs.frozen(kw_only=True)
class TreeSearch(SearchAlgorithm):
    """Depth-limited search of the game tree, deepened step by step where nodes or time are set."""

    one_ply_evaluates = True

    space: SearchSpace
    #: By root, and whether the rules are plain Python for the time being.
    _engines: dict[tuple[int | None, bool], tuple[SearchSpace, Engine]] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    def search(
        self, worlds: Sequence[State], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        space, engine = self.engine_for(request.root)
        return search(space, worlds, stance, limits, engine=engine, **request.settings)

    def engine_for(self, root: int) -> tuple[SearchSpace, Engine]:
        """What a seat searches, and the engine for it, made once."""
        space = self.space.for_root(root)
        # Most branchings are the same for every seat, and so is the engine.
        key = None if space is self.space else root, space.suspended
        if key not in self._engines:
            self._engines[key] = (space, make_engine(space))
        return self._engines[key]


def make_tree_search(space: SearchSpace, bots: Mapping[str, PlayerOffer]) -> TreeSearch:
    """The tree search of a space."""
    return TreeSearch(space=space)
