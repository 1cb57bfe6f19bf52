"""What this plugin offers."""

from __future__ import annotations

from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_quoridor.agents import PRESETS
from mpsearch_quoridor.branchings import BRANCHINGS
from mpsearch_quoridor.evaluators import make_distance, make_margin, make_path_difference
from mpsearch_quoridor.features import FEATURE_OPTIONS, make_features
from mpsearch_quoridor.game import OPTIONS, Quoridor
from mpsearch_quoridor.insights import INSIGHTS
from mpsearch_quoridor.layout import SEATS
from mpsearch_quoridor.walkers import WALKER_OPTIONS, make_random_walkers

QUORIDOR = GameOffer(
    name="quoridor",
    summary="race across the board and build walls in the others' way",
    make=Quoridor,
    players=(2, SEATS),
    default_players=2,
    options=OPTIONS,
    evaluator="distance",
    branchings=BRANCHINGS,
    presets=PRESETS,
    insights=INSIGHTS,
)

EVALUATORS = [
    EvaluatorOffer(
        name="distance",
        game="quoridor",
        summary="own distance to the goal",
        make=make_distance,
    ),
    EvaluatorOffer(
        name="margin",
        game="quoridor",
        summary="the others' mean distance minus one's own; adds up to 50 per seat",
        make=make_margin,
    ),
    EvaluatorOffer(
        name="path_difference",
        game="quoridor",
        summary="the nearest other's distance minus one's own",
        make=make_path_difference,
    ),
    EvaluatorOffer(
        name="random_walkers",
        game="quoridor",
        summary="races won by random walkers in the pawns' places; adds up to 100",
        make=make_random_walkers,
        options=WALKER_OPTIONS,
    ),
    EvaluatorOffer(
        name="features",
        game="quoridor",
        summary="six weighted features; adds up to 50 per seat",
        make=make_features,
        options=FEATURE_OPTIONS,
    ),
]
