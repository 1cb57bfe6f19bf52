"""Hearts for mpsearch."""

from __future__ import annotations

from mpsearch import hookimpl
from mpsearch.contracts import EvaluatorOffer, GameOffer
from mpsearch_hearts.branchings import BRANCHINGS
from mpsearch_hearts.cards import SEATS
from mpsearch_hearts.evaluators import EVALUATORS
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.options import OPTIONS
from mpsearch_hearts.wrt import WRT

HEARTS = GameOffer(
    name="hearts",
    summary="tricks without hearts: a tournament of deals with hidden hands, for 4",
    make=Hearts,
    players=(SEATS, SEATS),
    default_players=SEATS,
    options=OPTIONS,
    evaluator="paper",
    branchings=BRANCHINGS,
    branching="once",
    bots=(WRT,),
    # MP-Mix paper, figure 5 and the ordering below it.
    printed_impact=((1, 0.04), (2, 0.08), (0, 0.35)),
)


@hookimpl
def mpsearch_games() -> list[GameOffer]:
    return [HEARTS]


@hookimpl
def mpsearch_evaluators() -> list[EvaluatorOffer]:
    return EVALUATORS
