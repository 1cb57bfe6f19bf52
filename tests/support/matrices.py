"""Every kind of social matrix: make(players, rng)."""

from collections.abc import Callable

import numpy as np

from mpsearch.contracts import Array
from mpsearch.social import coalition, identity, offensive, paranoid, random_matrix


def single_column(players: int, rng: np.random.Generator) -> Array:
    matrix = np.zeros((players, players))
    matrix[:, rng.integers(players)] = rng.choice([-1, -0.5, 0, 0.25, 1], players)
    return matrix


def sparse(players: int, rng: np.random.Generator) -> Array:
    return rng.choice([-1.0, 0.0, 1.0], (players, players))


def nearly_single_column(players: int, rng: np.random.Generator) -> Array:
    """Theorem 4: one column decides, the others only break its ties."""
    matrix = rng.uniform(-1e-3, 1e-3, (players, players))
    matrix[:, rng.integers(players)] = rng.choice([-1, 1], players)
    return matrix


def nearly_identity(players: int, rng: np.random.Generator) -> Array:
    """Theorem 3: everybody looks at their own value first."""
    return np.eye(players) + rng.uniform(-1e-3, 0, (players, players))


def unfriendly(players: int, rng: np.random.Generator) -> Array:
    """Everybody wishes everybody ill by half: merits are sums of everything."""
    return np.full((players, players), -0.5)


def decimal(players: int, rng: np.random.Generator) -> Array:
    """Entries that no float can hold, whose sums collide."""
    return rng.choice([1 / 3, -0.1, 0.2, -0.3, 0.7], (players, players))


def learned(players: int, rng: np.random.Generator) -> Array:
    """Small effects, and what rounding leaves of effects that are none."""
    effects = rng.choice([0.01, -0.02, 5.7e-17, -1.1e-16, 0.0], (players, players))
    return np.mean([effects, effects * rng.choice([1.0, 0.5])], axis=0)


MATRICES: dict[str, Callable[[int, np.random.Generator], Array]] = {
    "maxn": lambda players, rng: identity(players),
    "positive diagonal": lambda players, rng: np.diag(1 - rng.random(players)),
    "paranoid": lambda players, rng: paranoid(players, int(rng.integers(players))),
    "offensive": lambda players, rng: offensive(
        players, *rng.choice(players, 2, replace=False).tolist()
    ),
    "coalition": lambda players, rng: coalition(
        players, rng.choice(players, rng.integers(1, players + 1), replace=False)
    ),
    "random": random_matrix,
    "zero": lambda players, rng: np.zeros((players, players)),
    "single column": single_column,
    "nearly single column": nearly_single_column,
    "nearly identity": nearly_identity,
    "sparse": sparse,
    "unfriendly": unfriendly,
    "decimal": decimal,
    "learned": learned,
}
