"""Social matrices: who cares about whom. C[i, j] says how much seat i cares about seat j."""

from mpsearch.social.matrix import (
    coalition,
    identity,
    offensive,
    paranoid,
    random_matrix,
    random_row,
    read_matrix,
    social_matrix,
    write_matrix,
)
from mpsearch.social.theorems import (
    equals_maxn,
    equals_paranoid,
    follows,
    follows_maxn,
    follows_paranoid,
    perceived,
)

__all__ = [
    "coalition",
    "equals_maxn",
    "equals_paranoid",
    "follows",
    "follows_maxn",
    "follows_paranoid",
    "identity",
    "offensive",
    "paranoid",
    "perceived",
    "random_matrix",
    "random_row",
    "read_matrix",
    "social_matrix",
    "write_matrix",
]
