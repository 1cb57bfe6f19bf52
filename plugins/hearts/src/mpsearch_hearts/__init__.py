"""Hearts for mpsearch."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_hearts.offers import EVALUATORS, HEARTS


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [HEARTS]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS
