"""The choice of a seat that looks one ply ahead, as machine code over a game's record."""

from __future__ import annotations

import functools
from collections.abc import Callable
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
    snap,
)

#: Where the parameters are: the root, how many the branching has, these; then the matrix row by
#: row, then the evaluator's.
_ROOT, _COUNT, _OWN = 0, 1, 2


def compiled_shallow_choice(space: SearchSpace, root: int, matrix: Array) -> CompiledBranching:
    """As `PlainShallowChoice`."""
    game, evaluator, branching = space.game, space.evaluator, space.branching
    assert isinstance(game, CompiledGame)
    assert isinstance(evaluator, CompiledEvaluator)
    assert branching is None or isinstance(branching, CompiledBranching)
    own = () if branching is None else branching.parameters.tolist()
    branch = None if branching is None else branching.branch
    return CompiledBranching(
        game,
        _choice(game.rules, evaluator.evaluate, branch, game.players),
        parameters=[root, len(own), *own, *matrix.ravel(), *evaluator.parameters.tolist()],
    )


@functools.lru_cache(maxsize=64)
def _choice(rules: Rules, evaluate: Compiled, branch: Compiled | None, players: int) -> Compiled:
    rules_mover, rules_play = rules.mover, rules.play
    listing, score = _listing(rules, branch), _score(rules, evaluate, players)
    record = rules.state
    snapped = compiled(snap)

    @compiled
    def choice(s: Any, parameters: Any, out: Any) -> Any:
        count = listing(s, parameters, out)
        seat = rules_mover(s)
        if count < 2 or seat == int(parameters[_ROOT]):
            return count
        rows = _OWN + int(parameters[_COUNT])
        row = parameters[rows + seat * players : rows + (seat + 1) * players]
        cares = False
        for j in range(players):
            cares = cares or row[j] != 0.0
        if not cares:
            return count
        its_own = parameters[rows + players * players :]
        place = np.empty(1, record)
        kept, most = 0, 0.0
        for i in range(count):
            place[0] = s
            rules_play(place[0], out[i])
            found = snapped(score(place, row, its_own))
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
        def all_moves(s: Any, parameters: Any, out: Any) -> Any:
            return rules_moves(s, out)

        return all_moves

    @compiled
    def worth_trying(s: Any, parameters: Any, out: Any) -> Any:
        return branch(s, parameters[_OWN : _OWN + int(parameters[_COUNT])], out)

    return worth_trying


def _score(rules: Rules, evaluate: Compiled, players: int) -> Compiled:
    """What the state in an array of one is worth by a row; the mean where chance decides."""

    @compiled
    def worth(s: Any, row: Any, parameters: Any) -> Any:
        value = np.empty(players)
        evaluate(s, parameters, value)
        total = 0.0
        for j in range(players):
            total += row[j] * value[j]
        return total

    chance = rules.tree_chance
    if chance is None:

        @compiled
        def score(place: Any, row: Any, parameters: Any) -> Any:
            return worth(place[0], row, parameters)

        return score

    rules_mover, rules_play = rules.mover, rules.play
    record, room = rules.state, rules.most_moves

    @compiled
    def mean_score(place: Any, row: Any, parameters: Any) -> Any:
        if rules_mover(place[0]) != CHANCE:
            return worth(place[0], row, parameters)
        outcomes, probabilities = np.empty(room, np.int64), np.empty(room)
        count = chance(place[0], outcomes, probabilities)
        if count == 0:
            return worth(place[0], row, parameters)
        after = np.empty(1, record)
        total = 0.0
        for i in range(count):
            after[0] = place[0]
            rules_play(after[0], outcomes[i])
            total += probabilities[i] * worth(after[0], row, parameters)
        return total

    return mean_score
