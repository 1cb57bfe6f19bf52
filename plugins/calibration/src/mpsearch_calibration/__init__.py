"""Calibration games with known Opponent Impact, to test its estimates."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_calibration.offers import BINGO, EVALUATORS, GO_FISH, TWO_PHASE


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [BINGO, GO_FISH, TWO_PHASE]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS
