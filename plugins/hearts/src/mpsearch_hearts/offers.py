"""The plugin's offers. They import nothing that only a running game needs."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import BranchingOffer, EvaluatorOffer, GameOffer, PlayerOffer, Preset
from mpsearch_hearts.cards import SEATS
from mpsearch_hearts.options import CHANCE_OPTIONS, OPTIONS, PAPER_OPTIONS, PRESET

BRANCHINGS = (
    BranchingOffer(
        name="once",
        summary="every card; cards to pass are chosen in one order only",
        make="mpsearch_hearts.branchings:make_once",
    ),
    BranchingOffer(
        name="distinct",
        summary="as once, and of touching cards that cost the same only the lowest",
        make="mpsearch_hearts.branchings:make_distinct",
    ),
)

WRT = PlayerOffer(
    name="wrt",
    summary="lowest card when leading or following, highest when void",
    make="mpsearch_hearts.players:Wrt",
    character="meek",
)

CAREFUL = PlayerOffer(
    name="careful",
    summary="ducks, throws off what costs, stops a moon, and shoots one if the hand is there",
    make="mpsearch_hearts.players:Careful",
    character="careful",
)

#: The rules of the presets, unchanged.
_AS_LEARNED: dict[str, Any] = {
    "preset": ("papers", "standard"),
    **dict.fromkeys(("passing", "moon", "breaking", "safe_first", "jack"), PRESET),
    "end": (PRESET, "deal"),
}

_LEARNED = "maxn:search=mcts,cut=0,evaluator=learned"

#: The strongest of docs/results/strength.md.
PRESETS = (
    Preset(
        name="hard",
        summary="Monte-Carlo tree search with the learned evaluator, up to half a second a card",
        text=f"{_LEARNED},nodes=100000,time=0.5",
        game_options=_AS_LEARNED,
    ),
    Preset(
        name="hardest",
        summary="Monte-Carlo tree search with the learned evaluator, up to three seconds a card",
        text=f"{_LEARNED},nodes=600000,time=3",
        game_options=_AS_LEARNED,
    ),
)

HEARTS = GameOffer(
    name="hearts",
    summary="tricks without hearts: a tournament of deals with hidden hands, for 4",
    make="mpsearch_hearts.game:Hearts",
    players=(SEATS, SEATS),
    default_players=SEATS,
    options=OPTIONS,
    evaluator="paper",
    people_options={"preset": "standard"},
    guide="mpsearch_hearts:guide.txt",
    branchings=BRANCHINGS,
    branching="once",
    presets=PRESETS,
    bots=(WRT, CAREFUL),
)

EVALUATORS = [
    EvaluatorOffer(
        name="paper",
        game="hearts",
        summary="points, scores, cards that take or duck, empty suits and ranks",
        make="mpsearch_hearts.evaluators:make_paper",
        options=PAPER_OPTIONS,
    ),
    EvaluatorOffer(
        name="chance",
        game="hearts",
        summary="chance to win the tournament: as paper, but leads count the more the later it is",
        make="mpsearch_hearts.evaluators:make_chance",
        options=CHANCE_OPTIONS,
    ),
    EvaluatorOffer(
        name="points",
        game="hearts",
        summary="points and scores only",
        make="mpsearch_hearts.evaluators:make_points",
    ),
    EvaluatorOffer(
        name="learned",
        game="hearts",
        summary="chances to win, or shares of one deal, learned from games; adds up to 100",
        make="mpsearch_hearts.learned:make_learned",
        game_options=_AS_LEARNED,
        learned=True,
    ),
]
