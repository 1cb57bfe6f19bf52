"""Experiments: what all measurements share. Many games, their seeds, their statistics, output."""

from mpsearch.experiments.seeds import game_seed
from mpsearch.experiments.series import (
    Result,
    game_identity,
    gather,
    play_one,
    rotations,
    seatings,
)
from mpsearch.experiments.statistics import (
    Estimate,
    clustered_mean,
    clustered_share,
    student,
    wilson,
)
from mpsearch.experiments.tournament import Results, tournament
from mpsearch.experiments.workers import OwnProcess, Processes, Workers, workers

__all__ = [
    "Estimate",
    "OwnProcess",
    "Processes",
    "Result",
    "Results",
    "Workers",
    "clustered_mean",
    "clustered_share",
    "game_identity",
    "game_seed",
    "gather",
    "play_one",
    "rotations",
    "seatings",
    "student",
    "tournament",
    "wilson",
    "workers",
]
