"""Policies of agents that do not search: with them their seats are played natively."""

from __future__ import annotations

import functools
from typing import Any

from mpsearch.contracts import Compiled, Rules, compiled
from mpsearch.kit import below


@compiled
def any_move(s: Any, moves: Any, count: int, stream: Any) -> Any:
    """Every move is equally likely."""
    return below(stream, count)


@functools.cache
def any_move_in_a_world(rules: Rules) -> Compiled | None:
    """The same, after a world was drawn for what the mover knows; None if rules cannot draw one."""
    if rules.world is None:
        return None
    mover, world = rules.mover, rules.world

    @compiled
    def policy(s: Any, moves: Any, count: int, stream: Any) -> Any:
        world(s, mover(s), stream)
        return below(stream, count)

    return policy
