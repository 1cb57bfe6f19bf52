"""Policies of agents that search one ply or nothing: with them their seats are played natively."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from mpsearch.contracts import (
    DECLINED,
    Compiled,
    CompiledBranching,
    CompiledEvaluator,
    DeskPolicy,
    Rules,
    Stance,
    compiled,
)
from mpsearch.kit import below
from mpsearch.search import SearchSpace


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


def best_move(space: SearchSpace, stances: Sequence[Stance], *, shuffles: bool) -> DeskPolicy:
    """The best move after one ply, with a stance for each seat; in one world, if some is hidden."""
    from mpsearch.search.one_ply import make_desks

    game, evaluator, branching = space.game, space.evaluator, space.branching
    assert game.rules is not None
    assert isinstance(evaluator, CompiledEvaluator)
    branch = branching.branch if isinstance(branching, CompiledBranching) else None
    choose = _best_move(game.rules, game.players, game.hidden, evaluator.evaluate, branch)
    desk, lay = make_desks(space, stances, shuffles=shuffles)
    return DeskPolicy(choose=choose, desk=desk, lay=lay)


@functools.cache
def _best_move(
    rules: Rules, players: int, hidden: bool, evaluate: Compiled, branch: Compiled | None
) -> Compiled:
    from mpsearch.search.one_ply import make_look

    look = make_look(rules, players, evaluate, branch)
    mover, world = rules.mover, rules.world

    @compiled
    def nothing_hidden(s: Any, seat: int, stream: Any) -> None:
        pass

    fill_in = world if hidden and world is not None else nothing_hidden

    @compiled
    def policy(s: Any, moves: Any, count: int, stream: Any, desk: Any, note: Any) -> Any:
        f = desk.frames[0]
        f.state = s
        fill_in(f.state, mover(s), stream)
        best = look(desk, stream, note.outlook)
        if best < 0:
            return DECLINED
        for j in range(players):
            note.value[j] = f.value[j]
        note.nodes = desk.slate.nodes
        # A branching has an order of its own.
        for k in range(count):
            if moves[k] == f.moves[best]:
                return k
        return DECLINED

    return policy
