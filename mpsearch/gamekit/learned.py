"""Learned evaluators: a small network whose outputs for the seats are shares of 100.

The network is linear, or has one hidden layer beside a linear skip. It gives every seat a logit;
their softmax is the shares. Its weights are parameters of one compiled function, so that other
weights or sizes need no compilation.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from mpsearch._util import Array
from mpsearch.contracts import (
    OVER,
    Bounds,
    Compiled,
    CompiledEvaluator,
    CompiledGame,
    Evaluator,
    Features,
    Game,
    Rules,
    State,
    compiled,
    winners,
)
from mpsearch.errors import UsageError
from mpsearch.gamekit.network import Network
from mpsearch.gamekit.record_features import features_of

_BOUNDS = Bounds(total=(100, 100))


def inputs_of(game: Game) -> int:
    """Number of inputs of a network for this game; UsageError if it has no observations."""
    if isinstance(game, CompiledGame):
        return features_of(game).inputs
    return game.players * len(_observed(game, game.new(), 0))


def learned_evaluator(game: Game, network: Network) -> Evaluator:
    """The evaluator of a game by a network."""
    if network.inputs != inputs_of(game):
        raise UsageError(
            f"the weights are for {network.inputs} inputs, but the game has {inputs_of(game)}: "
            "train again"
        )
    if not isinstance(game, CompiledGame):
        return PlainLearned(game, network)
    features = features_of(game)
    evaluate = make_evaluate(game.rules, game.players, features)
    made = CompiledEvaluator(game, evaluate, bounds=_BOUNDS, parameters=network.parameters.tolist())
    made.decisive = False  # several winners share the 100
    return made


class PlainLearned(Evaluator):
    """The same for games in plain Python, from the seats' observations."""

    bounds = _BOUNDS
    decisive = False

    def __init__(self, game: Game, network: Network) -> None:
        self.game, self.network = game, network

    def values(self, state: State) -> Array:
        game = self.game
        if game.mover(state) == OVER:
            return 100 * shares(game.payoff(state), self.network.payoff_range)
        return 100 * softmax(self.network.logits(observations(game, state)))


def observations(game: Game, state: State) -> Array:
    """The seats' observations of a state, each with its own inputs. Shape (P, inputs)."""
    seen = [_observed(game, state, seat) for seat in range(game.players)]
    rows = np.zeros((game.players, game.players, len(seen[0])))
    for seat, row in enumerate(seen):
        rows[seat, seat] = row
    return rows.reshape(game.players, -1)


def _observed(game: Game, state: State, seat: int) -> Array:
    seen = game.observation(game.view(state, seat), seat)
    if seen is None:
        raise UsageError(
            "a learned evaluator needs compiled rules, or observation(view, seat), which this game "
            "does not have"
        )
    return np.asarray(seen, dtype=float).ravel()


def shares(payoff: Array, payoff_range: float = 0.0) -> Array:
    """Each seat's share of a finished game: winners share it equally, or all seats in a draw.

    With a range, the greatest difference between two payoffs, shares follow the difference from
    the mean payoff: a seat that is the whole range above all others has everything.
    """
    if payoff_range:
        apart = (payoff - payoff.mean()) / (payoff_range * (len(payoff) - 1))
        clipped: Array = np.clip(1 / len(payoff) + apart, 0.0, 1.0)
        return clipped
    won = winners(payoff)
    share = np.zeros(len(payoff))
    share[won or slice(None)] = 1 / (len(won) or len(payoff))
    return share


def softmax(logits: Array) -> Array:
    """Shares of 1 in proportion to exp(logit)."""
    grown = np.exp(logits - logits.max())
    share: Array = grown / grown.sum()
    return share


@compiled
def write_shares(out: Any, players: int, payoff_range: float) -> None:
    """Turn a payoff into shares of 100; see `shares`."""
    if payoff_range > 0.0:
        mean = 0.0
        for seat in range(players):
            mean += out[seat] / players
        for seat in range(players):
            apart = (out[seat] - mean) / (payoff_range * (players - 1))
            out[seat] = 100.0 * min(max(1.0 / players + apart, 0.0), 1.0)
        return
    best = out[0]
    for seat in range(players):
        best = max(best, out[seat])
    count = 0
    for seat in range(players):
        if out[seat] == best:
            count += 1
    for seat in range(players):
        out[seat] = 100.0 / count if out[seat] == best else 0.0


@compiled
def row_of(index: float, parameters: Any, first: int, width: int) -> Any:
    """The weights of an input."""
    row = first + int(index) * width
    return parameters[row : row + width]


@compiled
def logit_of(seen: Any, count: int, parameters: Any, sums: Any) -> Any:
    """The network's output for one seat's features; `sums` is a buffer for a row of weights."""
    units = int(parameters[0])
    width = units + 1
    sums[0] = 0.0
    for j in range(units):
        sums[1 + j] = parameters[2 + j]
    first = 2 + 2 * units
    # Four rows at a time take 0.75 of the time: a sum is not read again before it is written.
    fours = count - count % 4
    for k in range(0, fours, 4):
        a, b, c, d = seen[k, 1], seen[k + 1, 1], seen[k + 2, 1], seen[k + 3, 1]
        to_a = row_of(seen[k, 0], parameters, first, width)
        to_b = row_of(seen[k + 1, 0], parameters, first, width)
        to_c = row_of(seen[k + 2, 0], parameters, first, width)
        to_d = row_of(seen[k + 3, 0], parameters, first, width)
        for j in range(width):
            sums[j] += (a * to_a[j] + b * to_b[j]) + (c * to_c[j] + d * to_d[j])
    for k in range(fours, count):
        value, weights = seen[k, 1], row_of(seen[k, 0], parameters, first, width)
        for j in range(width):
            sums[j] += value * weights[j]
    total = sums[0]
    for j in range(units):
        total += parameters[2 + units + j] * max(sums[1 + j], 0.0)
    return total


@compiled
def share_out(out: Any, players: int) -> None:
    """Turn logits into shares of 100: the softmax."""
    greatest = -math.inf
    for seat in range(players):
        greatest = max(greatest, out[seat])
    total = 0.0
    for seat in range(players):
        out[seat] = math.exp(out[seat] - greatest)
        total += out[seat]
    for seat in range(players):
        out[seat] = 100.0 * (out[seat] / total)


@functools.lru_cache(maxsize=64)
def make_write_all(features: Features) -> Compiled:
    """`write_all` of features that have none."""
    if features.write_all is not None:
        return features.write_all
    write = features.write

    @compiled
    def write_all(s: Any, out: Any, counts: Any) -> None:
        for seat in range(len(counts)):
            counts[seat] = write(s, seat, out[seat])

    write_all.inlined = True
    return write_all


@functools.lru_cache(maxsize=64)
def make_evaluate(rules: Rules, players: int, features: Features) -> Compiled:
    """evaluate(s, parameters, out) for every network with these features."""
    mover, payoff, most = rules.mover, rules.payoff, features.most
    write_all = make_write_all(features)

    @compiled
    def learned(s: Any, parameters: Any, out: Any) -> None:
        if mover(s) == OVER:
            for seat in range(players):
                out[seat] = 0.0
            payoff(s, out)
            write_shares(out, players, parameters[1])
            return
        seen = np.empty((players, most, 2))
        sums = np.empty(int(parameters[0]) + 1)
        write_all(s, seen, out)  # every logit takes the place of a count
        for seat in range(players):
            out[seat] = logit_of(seen[seat], int(out[seat]), parameters, sums)
        share_out(out, players)

    return learned
