"""What a move says about its mover: its effect, its advantage, and how likely a row makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from mpsearch._util import GRID, Array, frozen_array, snap
from mpsearch.contracts import Observation
from mpsearch.social.matrix import plain_rows

#: For each world, the values after every legal move, shape (M, P), and which was made.
Choices: TypeAlias = Sequence[tuple[Array, int]]


def effect_of(observation: Observation) -> Array:
    """What a move changed, as a share of the greatest value. Shape (P,)."""
    return frozen_array(
        observation.after / observation.greatest - observation.before / observation.greatest
    )


def is_forced(worlds: Choices) -> bool:
    """Whether there was nothing to choose in any world."""
    return all(len(values) < 2 for values, _ in worlds)


def advantage_of(observation: Observation) -> Array | None:
    """The effect beyond the mean effect of the legal moves, or None if there was no choice.

    The mean over the worlds in which there was one. Shape (P,), within [-1, 1].
    """
    found = [
        values[chosen] - values.mean(axis=0)
        for values, chosen in observation.alternatives()
        if len(values) > 1
    ]
    if not found:
        return None
    return frozen_array(np.clip(np.mean(found, axis=0) / observation.greatest, -1, 1))


def chance_of_choice(rows: Array, worlds: Choices, *, precision: float) -> Array:
    """The chance of what was chosen, for movers with the given rows. Shape (R,) for (R, P).

    Chances are softmax(precision * z), where z is what each move is worth to the mover, C[i] @ v,
    with mean 0 and deviation 1 over the legal moves; so the length of a row says nothing. A
    mover that finds all moves equal takes any. With hidden information it is the mean over worlds.
    """
    rows = plain_rows(rows)
    chances = np.zeros(len(rows))
    for values, chosen in worlds:
        # Centred first: equal merits stay equal to the last digits.
        merit = rows @ (values - values.mean(axis=0)).T
        spread = merit.std(axis=1, keepdims=True)
        flat = spread < GRID
        logits = precision * np.where(flat, 0.0, merit / np.where(flat, 1.0, spread))
        logits -= logits.max(axis=1, keepdims=True)
        weights = np.exp(logits)
        chances += weights[:, chosen] / weights.sum(axis=1)
    mean: Array = chances / len(worlds)
    return mean


def angle(first: Array, second: Array) -> float:
    """Degrees between two rows; 90 if either has no direction."""
    if not (snap(first).any() and snap(second).any()):
        return 90.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.degrees(np.arccos(np.clip(first @ second / size, -1, 1))))
