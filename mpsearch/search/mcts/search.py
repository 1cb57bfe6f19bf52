"""Monte-Carlo tree search as a search algorithm for agents.

Worlds share the iterations; each has a tree and random numbers of its own, and they vote as they
do for tree search.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch import contracts
from mpsearch.errors import UsageError
from mpsearch.search.decision import search
from mpsearch.search.mcts.engine import Sampling, Start, make_uct_engine
from mpsearch.search.tree.engine import Engine

#: The name of play-outs that belong to no bot.
RANDOM = "random"


@attrs.frozen(kw_only=True)
class MonteCarloSearch(contracts.SearchAlgorithm):
    """UCT in every world. A limit of nodes is one of iterations, for all worlds together."""

    samples = True

    space: contracts.SearchSpace
    sampling: Sampling
    _engines: dict[tuple[int | None, bool], Engine] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    def search(
        self,
        worlds: Sequence[contracts.State],
        stance: contracts.Stance,
        limits: contracts.Limits,
        request: contracts.SearchRequest,
    ) -> contracts.Report:
        asked = len(worlds)
        if self.sampling.information_sets:
            worlds = worlds[:1]  # what the root knows of it; every iteration draws another
        # Drawn before anything else is, for every world: the same whatever the limits are.
        seeds = request.rng.integers(2**63, size=len(worlds)).tolist()
        depth = contracts.GREATEST_DEPTH if limits.depth is None else limits.depth
        starts = [
            Start(world, np.random.default_rng(seed), depth)
            for world, seed in zip(worlds, seeds, strict=True)
        ]
        report = search(
            self.space,
            starts,
            stance,
            _shared(limits, len(worlds)),
            engine=self._engine(request.root),
            **attrs.evolve(request, exact=False, prune=True).settings,
        )
        return attrs.evolve(report, sampled=True, pruning="none", worlds=asked)

    def _engine(self, root: int) -> Engine:
        space = self.space.for_root(root)
        key = None if space is self.space else root, space.suspended
        if key not in self._engines:
            self._engines[key] = make_uct_engine(space, self.sampling)
        return self._engines[key]


def _shared(limits: contracts.Limits, worlds: int) -> contracts.Limits:
    """The limits of one world. Without nodes or time every move of the root is tried once."""
    if limits.nodes is not None:
        return attrs.evolve(limits, nodes=math.ceil(limits.nodes / worlds))
    return limits if limits.seconds is not None else attrs.evolve(limits, nodes=1)


def make_monte_carlo_search(
    space: contracts.SearchSpace,
    bots: Mapping[str, contracts.PlayerOffer],
    *,
    playout: str,
    cut: int,
    explore: float,
    information_sets: bool = False,
) -> MonteCarloSearch:
    """The search for a space; UsageError if nobody of that name can play behind the tree."""
    player: Any = None
    if playout != RANDOM:
        bot = contracts.pick({**bots, RANDOM: None}, playout, kind="play-out")
        assert bot is not None
        player = bot.make(space.game, **bot.settle({}))
        if not isinstance(player.policy, contracts.Compiled):
            raise UsageError(f"playout={playout}: '{playout}' has no policy; write playout=random")
    sampling = Sampling(player=player, cut=cut, explore=explore, information_sets=information_sets)
    return MonteCarloSearch(space=space, sampling=sampling)


def make_information_set_search(
    space: contracts.SearchSpace, bots: Mapping[str, contracts.PlayerOffer], **options: Any
) -> MonteCarloSearch:
    """The same with one tree over information sets."""
    return make_monte_carlo_search(space, bots, information_sets=True, **options)
