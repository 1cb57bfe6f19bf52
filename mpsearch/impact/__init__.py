"""Opponent Impact: in how many states of a game can a player change what others get?"""

from mpsearch.impact.estimate import ImpactRow, Share, state_share, tabulate
from mpsearch.impact.influence import READINGS, influence
from mpsearch.impact.measure import measure, opponent_impact
from mpsearch.impact.output import Finding, ImpactTable, make_finding
from mpsearch.impact.sample import GameSample, Survey, make_surveys, read_depths, survey_games

__all__ = [
    "READINGS",
    "Finding",
    "GameSample",
    "ImpactRow",
    "ImpactTable",
    "Share",
    "Survey",
    "influence",
    "make_finding",
    "make_surveys",
    "measure",
    "opponent_impact",
    "read_depths",
    "state_share",
    "survey_games",
    "tabulate",
]
