"""What a move reveals about its mover: effect, advantage, and likelihood under a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from mpsearch._util import GRID, Array, frozen_array, snap
from mpsearch.contracts import Observation
from mpsearch.social.matrix import plain_rows

#: For each world, the values after every legal move, shape (M, P), and the index of the move made.
Choices: TypeAlias = Sequence[tuple[Array, int]]


def effect_of(observation: Observation) -> Array:
    """The change that a move caused, relative to the greatest value. Shape (P,)."""
    return frozen_array(
        observation.after / observation.greatest - observation.before / observation.greatest
    )


def is_forced(worlds: Choices) -> bool:
    """Whether no world offered a choice."""
    return all(len(values) < 2 for values, _ in worlds)


def advantage_of(observation: Observation) -> Array | None:
    """The effect beyond the mean effect of the legal moves; None if there was no choice.

    The mean over worlds with a choice. Shape (P,), within [-1, 1].
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
    """The likelihood of the choice for movers with the given rows. Shape (R,) for (R, P).

    It is softmax(precision * z), where z is the mover's value C[i] @ v of each move, standardised
    over the legal moves, so that the length of a row does not matter. A mover that is indifferent
    chooses uniformly. With hidden information it is the mean over worlds.
    """
    rows = plain_rows(rows)
    chances = np.zeros(len(rows))
    for values, chosen in worlds:
        # Centred first, so that equal merits stay equal.
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
    """The angle between two rows in degrees; 90 if either is zero."""
    if not (snap(first).any() and snap(second).any()):
        return 90.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.degrees(np.arccos(np.clip(first @ second / size, -1, 1))))
