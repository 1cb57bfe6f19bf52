"""OpenSpiel's games for three and more players, one offer each, named `os_...`."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_openspiel.offers import EVALUATORS, GAMES


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return GAMES


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS
