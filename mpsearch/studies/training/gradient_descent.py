"""Gradient descent: Adam on the cross-entropy of seats' shares.

Compiled code over sparse features on one thread: the same input gives the same weights, and an
epoch over a million positions takes seconds (docs/how-to/training.md).
"""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import compiled
from mpsearch.gamekit import Network
from mpsearch.studies.training.positions import Positions

BATCH = 256
#: First and last learning rate, and Adam's decay rates of gradients and of their squares.
RATE, LAST_RATE = 3e-3, 2e-4
KEEP, KEEP_SQUARES = 0.9, 0.999
#: Weight decay, relative to the learning rate.
DECAY = 1.0


@compiled
def forward(
    index: Any, value: Any, start: Any, at: int, mirror: Any, weights: Any, bias: Any, out: Any,
    sums: Any, share: Any,
) -> None:  # fmt: skip
    """The shares that a network gives the seats of position `at`.

    Shapes of `sums` and `share`: (P, H + 1) and (P,).
    """
    players, width = sums.shape
    greatest = -np.float32(np.inf)
    for seat in range(players):
        row = sums[seat]
        for j in range(width):
            row[j] = bias[j]
        for k in range(start[at * players + seat], start[at * players + seat + 1]):
            x, w = value[k], weights[mirror[index[k]]]
            for j in range(width):
                row[j] += x * w[j]
        said = row[0]
        for j in range(1, width):
            said += out[j] * max(row[j], np.float32(0.0))
        share[seat] = said
        greatest = max(greatest, said)
    total = np.float32(0.0)
    for seat in range(players):
        share[seat] = np.float32(math.exp(share[seat] - greatest))
        total += share[seat]
    for seat in range(players):
        share[seat] /= total


@compiled
def adam(weights: Any, slope: Any, mean: Any, square: Any, rate: float, grown: float) -> None:
    """One step of Adam for an array of weights; it zeroes the gradient."""
    w, g, m, v = weights.ravel(), slope.ravel(), mean.ravel(), square.ravel()
    keep, keep_squares = np.float32(KEEP), np.float32(KEEP_SQUARES)
    step, decay, root = np.float32(rate), np.float32(1 - rate * DECAY), np.float32(grown)
    for k in range(len(w)):
        m[k] = keep * m[k] + (1 - keep) * g[k]
        v[k] = keep_squares * v[k] + (1 - keep_squares) * g[k] * g[k]
        w[k] = decay * w[k] - step * m[k] / (np.sqrt(v[k]) * root + np.float32(1e-7))
        g[k] = 0.0


@compiled
def learn(
    index: Any, value: Any, start: Any, target: Any, order: Any, which: Any, mirrors: Any,
    model: Any, slopes: Any, means: Any, squares: Any, steps: int, rate: float, last_rate: float,
) -> Any:  # fmt: skip
    """One epoch over positions in this order, mirrored as `which` says; the mean loss."""
    weights, bias, out = model
    slope, bias_slope, out_slope = slopes
    players, width = target.shape[1], weights.shape[1]
    sums = np.zeros((players, width), np.float32)
    share = np.zeros(players, np.float32)
    back = np.zeros(width, np.float32)
    loss = 0.0
    for first in range(0, len(order), BATCH):
        size = min(BATCH, len(order) - first)
        for n in range(first, first + size):
            at = order[n]
            mirror = mirrors[which[n]]
            forward(index, value, start, at, mirror, weights, bias, out, sums, share)
            for seat in range(players):
                loss -= target[at, seat] * math.log(max(share[seat], 1e-9))
                wrong = (share[seat] - target[at, seat]) / np.float32(size)
                back[0] = wrong
                for j in range(1, width):
                    if sums[seat, j] > 0:
                        out_slope[j] += wrong * sums[seat, j]
                        back[j] = wrong * out[j]
                        bias_slope[j] += back[j]
                    else:
                        back[j] = 0.0
                for k in range(start[at * players + seat], start[at * players + seat + 1]):
                    x, g = value[k], slope[mirror[index[k]]]
                    for j in range(width):
                        g[j] += x * back[j]
        steps += 1
        part = first / len(order)
        now = rate + part * (last_rate - rate)
        # Adam's bias correction.
        now /= 1 - KEEP**steps
        grown = 1 / math.sqrt(1 - KEEP_SQUARES**steps)
        adam(weights, slope, means[0], squares[0], now, grown)
        adam(bias, bias_slope, means[1], squares[1], now, grown)
        adam(out, out_slope, means[2], squares[2], now, grown)
    return loss / len(order)


@compiled
def judge(
    index: Any, value: Any, start: Any, target: Any, order: Any, mirror: Any, model: Any
) -> Any:
    """The mean loss of a network over positions."""
    weights, bias, out = model
    players, width = target.shape[1], weights.shape[1]
    sums = np.zeros((players, width), np.float32)
    share = np.zeros(players, np.float32)
    loss = 0.0
    for n in range(len(order)):
        at = order[n]
        forward(index, value, start, at, mirror, weights, bias, out, sums, share)
        for seat in range(players):
            loss -= target[at, seat] * math.log(max(share[seat], 1e-9))
    return loss / max(len(order), 1)


@attrs.frozen(kw_only=True)
class Fit:
    """A network, and its mean cross-entropy on training and on held-out positions."""

    network: Network
    loss: float
    held_out: float


def new_network(inputs: int, units: int, rng: np.random.Generator) -> Network:
    """An untrained network, which gives all seats equal shares."""
    return Network(
        skip=np.zeros(inputs),
        hidden=rng.normal(0, 0.1, (inputs, units)),
        bias=np.full(units, 0.1),
        out=np.zeros(units),
    )


def fit(
    network: Network,
    positions: Positions,
    mirrors: np.ndarray[Any, np.dtype[np.int32]],
    *,
    epochs: int,
    rng: np.random.Generator,
    rate: float = RATE,
) -> Fit:
    """Train a network. Every tenth game is held out."""
    aside = positions.game % 10 == 9
    known, unknown = np.flatnonzero(~aside), np.flatnonzero(aside)
    if not len(known):
        known = unknown
    # Inputs are scaled to at most 1, and the weights are scaled back at the end.
    scale = np.ones(network.inputs, np.float32)
    np.maximum.at(scale, positions.index, np.abs(positions.value))
    value = positions.value / scale[positions.index]
    seen = (positions.index, value, positions.start, positions.target)
    rows = np.column_stack([network.skip, network.hidden]) * scale[:, None]
    model = tuple(
        np.ascontiguousarray(part, np.float32)
        for part in (rows, [0.0, *network.bias], [0.0, *network.out])
    )
    slopes, means, squares = (tuple(map(np.zeros_like, model)) for _ in range(3))
    steps, loss = 0, 0.0
    rates = np.linspace(rate, LAST_RATE, epochs + 1)
    for epoch in range(epochs):
        order = rng.permutation(known)
        which = rng.integers(len(mirrors), size=len(order))
        loss = learn(
            *(*seen, order, which, mirrors, model, slopes, means, squares, steps),
            *(float(rates[epoch]), float(rates[epoch + 1])),
        )
        steps += math.ceil(len(order) / BATCH)
    held_out = judge(*seen, unknown, mirrors[0], model)
    rows, bias, out = (part.astype(np.float64) for part in model)
    rows /= scale[:, None]
    found = Network(skip=rows[:, 0], hidden=rows[:, 1:], bias=bias[1:], out=out[1:])
    return Fit(network=found, loss=float(loss), held_out=float(held_out))
