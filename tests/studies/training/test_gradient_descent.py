"""Learning from positions: against a plain second implementation, and that it learns."""

import math
from typing import Any

import numpy as np
import pytest

from mpsearch.gamekit import Network
from mpsearch.studies.training import Positions, fit, new_network
from mpsearch.studies.training.gradient_descent import (
    BATCH,
    DECAY,
    KEEP,
    KEEP_SQUARES,
    LAST_RATE,
    RATE,
)

INPUTS, PLAYERS = 6, 3
STRAIGHT = np.arange(INPUTS, dtype=np.int32)[None]


def some_positions(count: int, seed: int, *, largest: float = 1.0) -> tuple[Positions, Any]:
    """Positions, and their features with zeros. Shape (K, P, INPUTS)."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, PLAYERS, INPUTS)) * (rng.random((count, PLAYERS, INPUTS)) < 0.5)
    rows = np.clip(rows, -1, 1) * largest
    at, index = np.nonzero(rows.reshape(-1, INPUTS))
    counts = np.bincount(at, minlength=count * PLAYERS)
    target = rng.dirichlet(np.ones(PLAYERS), count)
    positions = Positions(
        index=index.astype(np.int32),
        value=rows.reshape(-1, INPUTS)[at, index].astype(np.float32),
        start=np.concatenate([[0], np.cumsum(counts)]),
        target=target.astype(np.float32),
        game=np.zeros(count, np.int64),
    )
    return positions, rows


def start(units: int, seed: int) -> Network:
    rng = np.random.default_rng(seed)
    return Network(
        skip=rng.normal(size=INPUTS),
        hidden=rng.normal(size=(INPUTS, units)),
        bias=rng.normal(size=units),
        out=rng.normal(size=units),
    )


def loss_of(network: Network, rows: Any, target: Any) -> float:
    """Mean cross-entropy, with all zeros and in double precision."""
    said = network.logits(rows.reshape(-1, INPUTS)).reshape(-1, PLAYERS)
    shares = np.exp(said - said.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return float(-(target * np.log(shares)).sum(axis=1).mean())


def slopes_of(network: Network, rows: Any, target: Any) -> dict[str, Any]:
    """The slopes of the loss by small differences."""
    found, small = {}, 1e-6
    for name in ("skip", "hidden", "bias", "out"):
        weights = getattr(network, name)
        slope = np.zeros_like(weights)
        for at in np.ndindex(*weights.shape):
            losses = []
            for change in (small, -small):
                changed = {n: getattr(network, n).copy() for n in ("skip", "hidden", "bias", "out")}
                changed[name][at] += change
                losses.append(loss_of(Network(**changed), rows, target))
            slope[at] = (losses[0] - losses[1]) / (2 * small)
        found[name] = slope
    return found


@pytest.mark.parametrize("units", [0, 4])
def test_a_step_is_adams(units: int) -> None:
    positions, rows = some_positions(BATCH, 1)
    network = start(units, 2)
    fitted = fit(network, positions, STRAIGHT, epochs=1, rng=np.random.default_rng(0))
    slopes = slopes_of(network, rows, positions.target)
    rate = RATE / (1 - KEEP)
    for name, slope in slopes.items():
        mean, square = (1 - KEEP) * slope, (1 - KEEP_SQUARES) * slope**2
        step = rate * mean / (np.sqrt(square) / math.sqrt(1 - KEEP_SQUARES) + 1e-7)
        expected = getattr(network, name) * (1 - rate * DECAY) - step
        assert getattr(fitted.network, name) == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert fitted.loss == pytest.approx(loss_of(network, rows, positions.target), rel=1e-4)
    assert LAST_RATE < RATE


def test_what_depends_on_features_is_learned() -> None:
    positions, rows = some_positions(8000, 3)
    teacher = start(3, 4)
    said = teacher.logits(rows.reshape(-1, INPUTS)).reshape(-1, PLAYERS)
    shares = np.exp(said) / np.exp(said).sum(axis=1, keepdims=True)
    positions.target[:] = shares
    positions.game[:] = np.arange(8000)
    rng = np.random.default_rng(0)
    fitted = fit(new_network(INPUTS, 16, rng), positions, STRAIGHT, epochs=20, rng=rng)
    least = float(-(shares * np.log(shares)).sum(axis=1).mean())
    assert least <= fitted.held_out < least + 0.1 * (math.log(PLAYERS) - least)


def test_large_numbers_are_learned_from_as_small_ones() -> None:
    small, _ = some_positions(512, 5)
    large, _ = some_positions(512, 5, largest=1e12)
    losses = []
    for positions in (small, large):
        rng = np.random.default_rng(1)
        losses.append(fit(new_network(INPUTS, 0, rng), positions, STRAIGHT, epochs=2, rng=rng).loss)
    assert losses[1] == pytest.approx(losses[0], rel=0.05)


def test_a_mirror_teaches_the_same_about_both_images() -> None:
    positions, rows = some_positions(2000, 6)
    raised = np.exp(2 * rows[:, :, 0])  # whoever has the first feature wins
    positions.target[:] = raised / raised.sum(axis=1, keepdims=True)
    learned = []
    for mirrors in (STRAIGHT, np.concatenate([STRAIGHT, STRAIGHT[:, ::-1]])):
        rng = np.random.default_rng(1)
        learned.append(fit(new_network(INPUTS, 0, rng), positions, mirrors, epochs=60, rng=rng))
    straight, mirrored = (each.network.skip for each in learned)
    assert straight[0] - straight[-1] > 0.3
    assert mirrored[0] == pytest.approx(mirrored[-1], abs=0.1)


def test_joined_positions_are_all_of_them() -> None:
    (first, a), (second, b) = some_positions(4, 7), some_positions(3, 8)
    joined = Positions.joined([first, second])
    rows = np.zeros((7 * PLAYERS, INPUTS))
    for row in range(len(rows)):
        for k in range(joined.start[row], joined.start[row + 1]):
            rows[row, joined.index[k]] = joined.value[k]
    assert rows == pytest.approx(np.concatenate([a, b]).reshape(-1, INPUTS), rel=1e-6)
    assert joined.target.tolist() == [*first.target.tolist(), *second.target.tolist()]
