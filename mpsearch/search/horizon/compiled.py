"""The choice of a seat that looks one or two plies ahead, as machine code over a game's record.

The number of players is a parameter, or the length of a list of values: no constant, for which all
would be compiled anew.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import (
    CHANCE,
    Array,
    Compiled,
    CompiledBranching,
    CompiledEvaluator,
    CompiledGame,
    Rules,
    SearchSpace,
    compiled,
    frozen_array,
    snap,
)


def compiled_shallow_choice(
    space: SearchSpace, matrix: Array, horizons: Sequence[int]
) -> CompiledBranching:
    """As `PlainShallowChoice`. Its parameters: players, their horizons, the matrix, the sight."""
    assert isinstance(space.game, CompiledGame)
    near = compiled_lookahead(space, 0)
    far = compiled_lookahead(space, 1) if 2 in horizons else near
    return CompiledBranching(
        space.game,
        _choice(space.game.rules, near, far, _branch(space)),
        parameters=[space.game.players, *horizons, *matrix.ravel(), *sight(space)],
    )


def compiled_lookahead(space: SearchSpace, plies: int) -> Compiled:
    """As `PlainLookahead`: look(s, sight, out)."""
    game, evaluator = space.game, space.evaluator
    assert isinstance(game, CompiledGame)
    assert isinstance(evaluator, CompiledEvaluator)
    return _lookahead(game.rules, evaluator.evaluate, _branch(space), plies)


def sight(space: SearchSpace) -> Array:
    """How many parameters the branching has, these, and the evaluator's."""
    own = space.branching.parameters if isinstance(space.branching, CompiledBranching) else ()
    assert isinstance(space.evaluator, CompiledEvaluator)
    return frozen_array([len(own), *own, *space.evaluator.parameters])


def _branch(space: SearchSpace) -> Compiled | None:
    assert space.branching is None or isinstance(space.branching, CompiledBranching)
    return None if space.branching is None else space.branching.branch


@functools.lru_cache(maxsize=64)
def _choice(rules: Rules, near: Compiled, far: Compiled, branch: Compiled | None) -> Compiled:
    rules_mover, rules_play = rules.mover, rules.play
    listing = _listing(rules, branch)
    record = rules.state
    snapped = compiled(snap)

    @compiled
    def choice(s: Any, parameters: Any, out: Any) -> Any:
        players = int(parameters[0])
        matrix = 1 + players
        seen = parameters[matrix + players * players :]
        count = listing(s, seen, out)
        seat = rules_mover(s)
        horizon = int(parameters[1 + seat])
        if count < 2 or horizon == 0:
            return count
        row = parameters[matrix + seat * players : matrix + (seat + 1) * players]
        cares = False
        for j in range(players):
            cares = cares or row[j] != 0.0
        if not cares:
            return count
        place, value = np.empty(1, record), np.empty(players)
        kept, most = 0, 0.0
        for i in range(count):
            place[0] = s
            rules_play(place[0], out[i])
            if horizon == 1:
                near(place[0], seen, value)
            else:
                far(place[0], seen, value)
            total = 0.0
            for j in range(players):
                total += row[j] * value[j]
            found = snapped(total)
            if i == 0 or found > most:
                kept, most = 0, found
            if found == most:
                out[kept] = out[i]
                kept += 1
        return kept

    return choice


def _listing(rules: Rules, branch: Compiled | None) -> Callable[..., Any]:
    rules_moves = rules.moves
    if branch is None:

        @compiled
        def all_moves(s: Any, seen: Any, out: Any) -> Any:
            return rules_moves(s, out)

        return all_moves

    @compiled
    def worth_trying(s: Any, seen: Any, out: Any) -> Any:
        return branch(s, seen[1 : 1 + int(seen[0])], out)

    return worth_trying


@functools.lru_cache(maxsize=64)
def _lookahead(rules: Rules, evaluate: Compiled, branch: Compiled | None, plies: int) -> Compiled:
    @compiled
    def at_once(s: Any, seen: Any, out: Any) -> Any:
        evaluate(s, seen[1 + int(seen[0]) :], out)

    settled = at_once
    if plies > 0:
        after = _lookahead(rules, evaluate, branch, plies - 1)
        settled = _reply(rules, at_once, after, _listing(rules, branch))
    chance = rules.tree_chance
    return settled if chance is None else _through_chance(rules, chance, settled)


def _reply(
    rules: Rules, at_once: Compiled, after: Compiled, listing: Callable[..., Any]
) -> Compiled:
    """The values after the mover's best move for itself."""
    rules_mover, rules_play = rules.mover, rules.play
    record, room = rules.state, rules.most_moves
    snapped = compiled(snap)

    @compiled
    def reply(s: Any, seen: Any, out: Any) -> Any:
        seat = rules_mover(s)
        if seat < 0:
            at_once(s, seen, out)
            return
        moves, place, value = np.empty(room, np.int64), np.empty(1, record), np.empty(len(out))
        most = 0.0
        for i in range(listing(s, seen, moves)):
            place[0] = s
            rules_play(place[0], moves[i])
            after(place[0], seen, value)
            found = snapped(value[seat])
            if i == 0 or found > most:
                most = found
                out[:] = value

    return reply


def _through_chance(rules: Rules, chance: Compiled, settled: Compiled) -> Compiled:
    """The mean over the outcomes where chance decides."""
    rules_mover, rules_play = rules.mover, rules.play
    record, room = rules.state, rules.most_moves

    @compiled
    def through_chance(s: Any, seen: Any, out: Any) -> Any:
        count = 0
        if rules_mover(s) == CHANCE:
            outcomes, probabilities = np.empty(room, np.int64), np.empty(room)
            count = chance(s, outcomes, probabilities)
        if count == 0:
            settled(s, seen, out)
            return
        place, value = np.empty(1, record), np.empty(len(out))
        out[:] = 0.0
        for i in range(count):
            place[0] = s
            rules_play(place[0], outcomes[i])
            settled(place[0], seen, value)
            for j in range(len(out)):
                out[j] += probabilities[i] * value[j]

    return through_chance
