"""Experiments: what all measurements share. Many games, their seeds, their statistics, output."""

from mpsearch.experiments.seeds import game_seed
from mpsearch.experiments.series import (
    Result,
    game_identity,
    gather,
    play_one,
    play_series,
    rotations,
    seatings,
    win_shares,
)
from mpsearch.experiments.statistics import (
    Estimate,
    clustered_mean,
    clustered_share,
    paired_gap,
    student,
    wilson,
)
from mpsearch.experiments.tournament import Results, Standing, tournament
from mpsearch.experiments.workers import OwnProcess, Processes, Workers, workers

__all__ = [
    "Estimate",
    "OwnProcess",
    "Processes",
    "Result",
    "Results",
    "Standing",
    "Workers",
    "clustered_mean",
    "clustered_share",
    "game_identity",
    "game_seed",
    "gather",
    "paired_gap",
    "play_one",
    "play_series",
    "rotations",
    "seatings",
    "student",
    "tournament",
    "wilson",
    "win_shares",
    "workers",
]
