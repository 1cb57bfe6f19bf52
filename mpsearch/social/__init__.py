"""Social matrices: entry C[i, j] is how much seat i cares about seat j."""

from mpsearch.social.choice import advantage_of, angle, chance_of_choice, effect_of, is_forced
from mpsearch.social.matrix import (
    coalition,
    identity,
    offensive,
    paranoid,
    plain_rows,
    random_matrix,
    random_row,
    read_matrix,
    social_matrix,
)
from mpsearch.social.theorems import follows, follows_maxn, follows_paranoid
