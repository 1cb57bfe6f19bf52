"""The plugin's offers. They import nothing that only a game in play needs."""

from __future__ import annotations

from typing import Any

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

BRANCHINGS = tuple(
    BranchingOffer(
        name=name,
        summary=summary,
        make=f"mpsearch_quoridor.branchings:make_{name}",
        options=(RADIUS,),
    )
    for name, summary in {
        "near": "steps, and walls within a radius of a pawn",
        "near_killer": "near, with forward steps and walls in front of opponents first",
        "near_no_opponent_walls": "near for the seat that searches, steps only for the others",
        "walls_touching": "near, and walls that touch walls",
    }.items()
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
    dialects=(
        DialectOffer(
            name="qtp",
            summary="the Quoridor Text Protocol, for two players",
            make="mpsearch_quoridor.qtp:Qtp",
        ),
    ),
)


def _evaluator(name: str, summary: str, module: str = "evaluators", **more: Any) -> EvaluatorOffer:
    make = f"mpsearch_quoridor.{module}:make_{name}"
    return EvaluatorOffer(name=name, game="quoridor", summary=summary, make=make, **more)


EVALUATORS = [
    _evaluator("distance", "own distance to the goal"),
    _evaluator("margin", "the others' mean distance minus one's own; adds up to 50 per seat"),
    _evaluator("path_difference", "the nearest other's distance minus one's own"),
    _evaluator(
        "random_walkers",
        "races won by random walkers in the pawns' places; adds up to 100",
        "walkers",
        options=WALKER_OPTIONS,
    ),
    _evaluator(
        "features",
        "six weighted features; adds up to 50 per seat",
        "features",
        options=FEATURE_OPTIONS,
    ),
    _evaluator(
        "learned",
        "chances to win, learned from games; adds up to 100",
        "learned",
        players=LEARNED_PLAYERS,
        game_options=LEARNED_BOARD,
        learned=True,
    ),
]
