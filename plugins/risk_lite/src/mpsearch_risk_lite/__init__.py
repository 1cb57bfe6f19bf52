"""Risk-lite for mpsearch."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_risk_lite.offers import EVALUATORS, RISK_LITE


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [RISK_LITE]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS
