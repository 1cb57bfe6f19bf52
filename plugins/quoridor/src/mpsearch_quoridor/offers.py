"""What this plugin offers. Nothing is imported that only a game in play needs."""

from __future__ import annotations

from mpsearch.contracts import (
    BranchingOffer,
    DialectOffer,
    EvaluatorOffer,
    GameOffer,
    InsightOffer,
)
from mpsearch_quoridor.layout import SEATS
from mpsearch_quoridor.options import (
    FEATURE_OPTIONS,
    LEARNED_BOARD,
    LEARNED_PLAYERS,
    OPENING,
    OPTIONS,
    RADIUS,
    WALKER_OPTIONS,
)
from mpsearch_quoridor.players import COMPANY, PRESETS

BRANCHINGS = (
    BranchingOffer(
        name="near",
        summary="steps, and walls within a radius of a pawn",
        make="mpsearch_quoridor.branchings:make_near",
        options=(RADIUS,),
    ),
    BranchingOffer(
        name="near_killer",
        summary="near, with forward steps and walls in front of opponents first",
        make="mpsearch_quoridor.branchings:make_near_killer",
        options=(RADIUS,),
    ),
    BranchingOffer(
        name="near_no_opponent_walls",
        summary="near for the seat that searches, steps only for the others",
        make="mpsearch_quoridor.branchings:make_near_no_opponent_walls",
        options=(RADIUS,),
    ),
    BranchingOffer(
        name="walls_touching",
        summary="near, and walls that touch walls",
        make="mpsearch_quoridor.branchings:make_walls_touching",
        options=(RADIUS,),
    ),
)

INSIGHTS = (
    InsightOffer(
        name="deepen",
        summary="one ply deeper once somebody is out of walls",
        make="mpsearch_quoridor.insights:Deepen",
    ),
    InsightOffer(
        name="sure_thing",
        summary="walk when no other seat has walls and all are farther from their goals",
        make="mpsearch_quoridor.insights:SureThing",
    ),
    InsightOffer(
        name="book",
        summary="an opening, for two players on the full board",
        make="mpsearch_quoridor.book:make_book",
        options=(OPENING,),
    ),
)

DIALECTS = (
    DialectOffer(
        name="qtp",
        summary="the Quoridor Text Protocol, for two players",
        make="mpsearch_quoridor.qtp:Qtp",
    ),
)

QUORIDOR = GameOffer(
    name="quoridor",
    summary="race across the board and build walls in the others' way",
    make="mpsearch_quoridor.game:Quoridor",
    players=(2, SEATS),
    default_players=2,
    people_players=SEATS,
    options=OPTIONS,
    evaluator="distance",
    guide="mpsearch_quoridor:guide.txt",
    branchings=BRANCHINGS,
    presets=PRESETS,
    company=COMPANY,
    insights=INSIGHTS,
    dialects=DIALECTS,
)

EVALUATORS = [
    EvaluatorOffer(
        name="distance",
        game="quoridor",
        summary="own distance to the goal",
        make="mpsearch_quoridor.evaluators:make_distance",
    ),
    EvaluatorOffer(
        name="margin",
        game="quoridor",
        summary="the others' mean distance minus one's own; adds up to 50 per seat",
        make="mpsearch_quoridor.evaluators:make_margin",
    ),
    EvaluatorOffer(
        name="path_difference",
        game="quoridor",
        summary="the nearest other's distance minus one's own",
        make="mpsearch_quoridor.evaluators:make_path_difference",
    ),
    EvaluatorOffer(
        name="random_walkers",
        game="quoridor",
        summary="races won by random walkers in the pawns' places; adds up to 100",
        make="mpsearch_quoridor.walkers:make_random_walkers",
        options=WALKER_OPTIONS,
    ),
    EvaluatorOffer(
        name="features",
        game="quoridor",
        summary="six weighted features; adds up to 50 per seat",
        make="mpsearch_quoridor.features:make_features",
        options=FEATURE_OPTIONS,
    ),
    EvaluatorOffer(
        name="learned",
        game="quoridor",
        summary="chances to win, learned from games; adds up to 100",
        make="mpsearch_quoridor.learned:make_learned",
        players=LEARNED_PLAYERS,
        game_options=LEARNED_BOARD,
        learned=True,
    ),
]
