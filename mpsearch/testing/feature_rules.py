"""The contract's rules for features of learned evaluators."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import CompiledGame, Game
from mpsearch.jit import jit_enabled
from mpsearch.testing.random_play import GameRule, rule_of, walk

FEATURE_RULES: dict[str, GameRule] = {}
rule = rule_of(FEATURE_RULES)


@rule
def features_are_inputs(game: Game, seed: int, plies: int) -> None:
    """Every feature is a finite value of an existing input, and no input is written twice."""
    if not isinstance(game, CompiledGame) or game.features is None:
        return
    features = game.features
    # Plain and with room to spare: machine code would write beyond the end.
    out = np.zeros((2 * features.most + 64, 2))
    for step in walk(game, seed, plies=min(plies, 200)):
        for seat in range(game.players):
            count = int(features.write.plain(game.record(step.state), seat, out))
            if not 0 <= count <= features.most:
                step.fail(f"seat {seat} sees {count} features; most is {features.most}")
            numbers = out[:count, 0].tolist()
            if not all(k in range(features.inputs) for k in numbers):
                step.fail(f"seat {seat} sees inputs {numbers}; there are {features.inputs}")
            if len(set(numbers)) < count:
                step.fail(f"seat {seat} sees an input twice: {numbers}")
            if not np.isfinite(out[:count, 1]).all():
                step.fail(f"seat {seat} sees values that are not finite: {out[:count, 1].tolist()}")


@rule
def features_leave_the_state(game: Game, seed: int, plies: int) -> None:
    """Writing features does not change the state and always gives the same."""
    if not isinstance(game, CompiledGame) or game.features is None:
        return
    features = game.features
    first, second = (np.zeros((2 * features.most + 64, 2)) for _ in range(2))
    for step in walk(game, seed, plies=min(plies, 200)):
        s = game.record(step.state)
        for seat in range(game.players):
            count = int(features.write.plain(s, seat, first))
            again = int(features.write.plain(s, seat, second))
            if s.tobytes() != step.state:
                step.fail(f"the features of seat {seat} changed the state")
            if first[:count].tolist() != second[:again].tolist():
                step.fail(f"the features of seat {seat} change when they are asked again")


@rule
def compiled_features_are_the_plain_ones(game: Game, seed: int, plies: int) -> None:
    """Compiled features agree with the Python function they are compiled from."""
    if not isinstance(game, CompiledGame) or game.features is None or not jit_enabled():
        return
    features = game.features
    compiled, plain = np.zeros((features.most, 2)), np.zeros((features.most, 2))
    for step in walk(game, seed, plies=min(plies, 200)):
        for seat in range(game.players):
            count = int(features.write.on(game.records(step.state), seat, compiled))
            expected = int(features.write.plain(game.record(step.state), seat, plain))
            same = np.allclose(compiled[:count], plain[:count], rtol=1e-12, atol=1e-12)
            if count != expected or not same:
                step.fail(f"features of seat {seat} differ between compiled and plain rules")


@rule
def features_of_all_seats_are_those_of_each(game: Game, seed: int, plies: int) -> None:
    """`write_all` writes for every seat what `write` does."""
    if not isinstance(game, CompiledGame) or game.features is None:
        return
    features = game.features
    if features.write_all is None:
        return
    # With room to spare, so that rows beyond the end are those of no other seat.
    room = 2 * features.most + 64
    together, counts = np.zeros((game.players, room, 2)), np.zeros(game.players)
    alone = np.zeros((room, 2))
    for step in walk(game, seed, plies=min(plies, 200)):
        s = game.record(step.state)
        features.write_all.plain(s, together, counts)
        if s.tobytes() != step.state:
            step.fail("the features of all seats changed the state")
        for seat in range(game.players):
            count = int(features.write.plain(s, seat, alone))
            if counts[seat] != count or together[seat, :count].tolist() != alone[:count].tolist():
                step.fail(f"the features of seat {seat} are others when all seats are asked")
