"""Monte-Carlo tree search as a rival of the one search.

Worlds share the iterations; each has a tree and random numbers of its own, and they vote as they
do for the one search.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Compiled, PlayerOffer, Stance, State, pick
from mpsearch.errors import UsageError
from mpsearch.rivals.rival import Manner, Rival
from mpsearch.rivals.uct_workshop import Sampling, Start, make_uct_workshop
from mpsearch.search import GREATEST_DEPTH, Limits, Report, SearchSpace, Workshop, search

#: The name of play-outs that belong to no bot.
RANDOM = "random"


@attrs.frozen(kw_only=True)
class TreeSampling(Rival):
    """UCT in every world. A limit of nodes is one of iterations, for all worlds together."""

    space: SearchSpace
    sampling: Sampling
    _workshops: dict[int | None, Workshop] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    def search(
        self,
        worlds: Sequence[State],
        stance: Stance,
        limits: Limits,
        manner: Manner,
    ) -> Report:
        # Drawn before anything else is, for every world: the same whatever the limits are.
        seeds = manner.rng.integers(2**63, size=len(worlds)).tolist()
        depth = GREATEST_DEPTH if limits.depth is None else limits.depth
        starts = [
            Start(world, np.random.default_rng(seed), depth)
            for world, seed in zip(worlds, seeds, strict=True)
        ]
        report = search(
            self.space,
            starts,
            stance,
            _shared(limits, len(worlds)),
            rng=manner.ties,
            pool=manner.pool,
            threads=manner.threads,
            workshop=self._workshop(manner.root),
        )
        return attrs.evolve(report, sampled=True, pruning="none")

    def _workshop(self, root: int) -> Workshop:
        space = self.space.for_root(root)
        key = None if space is self.space else root
        if key not in self._workshops:
            self._workshops[key] = make_uct_workshop(space, self.sampling)
        return self._workshops[key]


def _shared(limits: Limits, worlds: int) -> Limits:
    """The limits of one world. Without nodes or time every move of the root is tried once."""
    if limits.nodes is not None:
        return attrs.evolve(limits, nodes=math.ceil(limits.nodes / worlds))
    return limits if limits.seconds is not None else attrs.evolve(limits, nodes=1)


def make_sampling(
    space: SearchSpace,
    bots: Mapping[str, PlayerOffer],
    *,
    playout: str,
    cut: int,
    explore: float,
) -> TreeSampling:
    """The search for a space; UsageError if nobody of that name can play behind the tree."""
    player: Any = None
    if playout != RANDOM:
        bot = pick({**bots, RANDOM: None}, playout, kind="play-out")
        assert bot is not None
        player = bot.make(space.game, **bot.settle({}))
        if not isinstance(player.policy, Compiled):
            raise UsageError(f"playout={playout}: '{playout}' has no policy; write playout=random")
    sampling = Sampling(player=player, cut=cut, explore=explore)
    return TreeSampling(space=space, sampling=sampling)
