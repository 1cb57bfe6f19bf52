"""Games whose Opponent Impact is known beforehand, to see whether an estimate is right."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_calibration.bingo import BINGO, BINGO_EVALUATOR
from mpsearch_calibration.fish_offer import GO_FISH, GO_FISH_EVALUATOR
from mpsearch_calibration.two_phase import TWO_PHASE, TWO_PHASE_EVALUATOR


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [BINGO, GO_FISH, TWO_PHASE]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return [BINGO_EVALUATOR, GO_FISH_EVALUATOR, TWO_PHASE_EVALUATOR]
