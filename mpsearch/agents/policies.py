"""Compiled policies of agents that search one ply or not at all, for native play."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from mpsearch.contracts import Compiled, Rules, ScratchPolicy, SearchSpace, Stance, compiled
from mpsearch.gamekit import below


@compiled
def any_move(s: Any, moves: Any, count: int, stream: Any) -> Any:
    """Every move is equally likely."""
    return below(stream, count)


@functools.cache
def any_move_in_a_world(rules: Rules) -> Compiled:
    """The same, after drawing a world for the mover's view, which the rules must be able to."""
    mover, world = rules.mover, rules.world
    assert world is not None

    @compiled
    def policy(s: Any, moves: Any, count: int, stream: Any) -> Any:
        world(s, mover(s), stream)
        return below(stream, count)

    return policy


def best_move(space: SearchSpace, stances: Sequence[Stance], *, shuffles: bool) -> ScratchPolicy:
    """The best move after one ply, with a stance for each seat; in one world of a hidden game."""
    from mpsearch.search import make_choice, make_scratch

    game = space.game
    assert game.rules is not None
    choose = make_choice(game.rules, game.players, game.hidden)
    scratch, lay = make_scratch(space, stances, shuffles=shuffles)
    return ScratchPolicy(choose=choose, scratch=scratch, lay=lay)
