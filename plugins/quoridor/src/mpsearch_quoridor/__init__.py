"""Quoridor for two to four players: rules, evaluators, branchings and the paper's agents."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_quoridor.offers import EVALUATORS, QUORIDOR


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [QUORIDOR]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS
