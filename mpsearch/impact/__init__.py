"""Opponent Impact: in how many states of a game can a player change what others get?"""

from mpsearch.impact.estimate import Share, Table, share, tabulate
from mpsearch.impact.influence import READINGS, influence
from mpsearch.impact.sample import GameSample, Survey, make_surveys, survey_games

__all__ = [
    "READINGS",
    "GameSample",
    "Share",
    "Survey",
    "Table",
    "influence",
    "make_surveys",
    "share",
    "survey_games",
    "tabulate",
]
