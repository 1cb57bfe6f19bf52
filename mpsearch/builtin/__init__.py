"""The core's own plugin: what mpsearch ships, registered through the same hooks as any other."""

from __future__ import annotations

from mpsearch.builtin.games.offers import EVALUATORS, PLUNDER, SCRAMBLE
from mpsearch.builtin.opponent_models import MODELS
from mpsearch.builtin.propagators import PROPAGATORS
from mpsearch.builtin.search_algorithms import SEARCH_ALGORITHMS
from mpsearch.contracts import (
    EvaluatorOffer,
    GameOffer,
    OpponentModelOffer,
    PropagatorOffer,
    SearchAlgorithmOffer,
)
from mpsearch.plugins import hookimpl


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [SCRAMBLE, PLUNDER]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS


@hookimpl
def mpsearch_propagators() -> list[PropagatorOffer]:
    return PROPAGATORS


@hookimpl
def mpsearch_opponent_models() -> list[OpponentModelOffer]:
    return MODELS


@hookimpl
def mpsearch_search_algorithms() -> list[SearchAlgorithmOffer]:
    return SEARCH_ALGORITHMS
