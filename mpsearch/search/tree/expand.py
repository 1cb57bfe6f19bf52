"""Expanding a node: the one function that a compiled game brings to the tree search.

It plays a move, says who is next, and lists the moves there or evaluates. The search calls it by
its address, once per node, and knows of the state only where it lies.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Rules, frozen_array
from mpsearch.jit import (
    Compiled,
    address_of,
    caller,
    carray,
    copy_record,
    njit,
    overload,
    pointer,
    read_only,
    record_at,
)
from mpsearch.search.tree.alpha_beta import BAD_MOVER, BAD_MOVES, BAD_OUTCOMES
from mpsearch.search.tree.frames import native_address


def _parameters(at: int, count: int) -> Any:
    """Parameters of an evaluator or a branching, of the type that they have in Python.

    Otherwise all that gets them would be compiled twice, for the search and for calls from Python.
    """
    return read_only(carray(pointer(at), (count,), np.float64))


@functools.cache
def _native_parameters() -> Any:
    return njit(_parameters, cached=False, inlined=True)


@functools.lru_cache(maxsize=64)
def _branching(rules: Rules, branch: Compiled) -> Any:
    """The machine code of a branching."""
    moves, parameters = np.empty(1, np.int64), frozen_array([0.0])
    return overload(branch.native(), np.zeros(1, rules.state)[0], parameters, moves)


@functools.lru_cache(maxsize=64)
def _chance(rules: Rules, chance: Compiled) -> Any:
    """The machine code of what lists outcomes of chance."""
    moves, probabilities = np.empty(1, np.int64), np.empty(1)
    return overload(chance.native(), np.zeros(1, rules.state)[0], moves, probabilities)


def branch_address(rules: Rules, branch: Compiled) -> int:
    """Where the machine code of a branching is."""
    return address_of(_branching(rules, branch))


def chance_address(rules: Rules, chance: Compiled) -> int:
    """Where the machine code is of what lists outcomes of chance."""
    return address_of(_chance(rules, chance))


@functools.lru_cache(maxsize=64)
def make_expand(rules: Rules, evaluate: Compiled, branch: Compiled | None) -> Callable[..., Any]:
    """`expand` for these rules. The context names the players: one is compiled for any number.

    A branching and chance are called by their address, at inner nodes alone: inside, they were
    optimised once more for every evaluator, a tenth of a cold start.
    """
    state, widest = rules.state, rules.most_moves
    mover, moves, play, chance = rules.mover, rules.moves, rules.play, rules.tree_chance
    number, real, parameters_at = np.int64, np.float64, _native_parameters()
    if branch is not None:
        call_branch = caller(_branching(rules, branch).signature.return_type)
    if chance is not None:
        call_chance = caller(_chance(rules, chance).signature.return_type)

    solve = rules.solve

    def expand(f: Any, i: int, depth: int, context: Any) -> int:
        g = f
        if i >= 0:
            g = record_at(f.below, f)
        s = record_at(g.state, state)
        if i >= 0:
            copy_record(s, record_at(f.state, state))
            play(s, carray(pointer(f.moves), (widest,), number)[i])
        seat, players = mover(s), context.players
        # Behind the root's moves only: to solve takes far longer than to evaluate.
        if solve is not None and context.exact_ends != 0 and g.ply == 1 and 0 <= seat < players:
            plies = solve(s)
            if plies > 0:
                seat = OVER
                g.end = plies
        g.seat = seat
        if 0 <= seat < players:
            if depth > 0:
                listed = carray(pointer(g.moves), (widest,), number)
                if branch is None:
                    count = moves(s, listed)
                else:
                    given = parameters_at(context.branch_parameters, context.branch_count)
                    count = call_branch(context.branching, (s, given, listed))
                return count if i < 0 or 1 <= count <= widest else -BAD_MOVES
        elif seat == CHANCE:
            if chance is not None:
                listed = carray(pointer(g.moves), (widest,), number)
                likely = carray(pointer(g.probabilities), (widest,), real)
                count = call_chance(context.outcomes, (s, listed, likely))
                if count != 0:
                    return count if 0 < count <= widest else -BAD_OUTCOMES
        elif seat != OVER:
            return -BAD_MOVER
        # Beside the frame: what an evaluator writes too much must not change the search.
        out = carray(pointer(context.out), (players,), real)
        evaluate(s, parameters_at(context.parameters, context.parameter_count), out)
        for j in range(players):
            g.value[j] = out[j]
        return 0

    return expand


@functools.lru_cache(maxsize=64)
def make_reach(rules: Rules, reach: Compiled) -> Callable[..., Any]:
    """`reach` for an evaluator that knows how far values can go."""
    state, real, parameters_at = rules.state, np.float64, _native_parameters()

    def narrow(f: Any, depth: int, context: Any) -> int:
        players = context.players
        low = carray(pointer(context.out_low), (players + 1,), real)
        high = carray(pointer(context.out_high), (players + 1,), real)
        for j in range(players + 1):
            low[j] = f.low[j]
            high[j] = f.high[j]
        parameters = parameters_at(context.parameters, context.parameter_count)
        reach(record_at(f.state, state), depth, parameters, low, high)
        for j in range(players + 1):
            f.low[j] = low[j]
            f.high[j] = high[j]
        return 0

    return narrow


@functools.lru_cache(maxsize=64)
def expand_address(rules: Rules, seats: int, evaluate: Compiled, branch: Compiled | None) -> int:
    """Where the machine code of `expand` is."""
    expand = make_expand(rules, evaluate, branch)
    made = njit(expand, internal=True, explains=rules.play.plain)
    return native_address(made, seats)


@functools.lru_cache(maxsize=64)
def reach_address(rules: Rules, seats: int, reach: Compiled) -> int:
    """Where the machine code of `reach` is."""
    made = njit(make_reach(rules, reach), internal=True, explains=reach.plain)
    return native_address(made, seats)
