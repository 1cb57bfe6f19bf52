"""The plugin's offers. They import nothing that only a running game needs."""

from __future__ import annotations

from mpsearch.contracts import BranchingOffer, EvaluatorOffer, GameOffer, PlayerOffer, Preset
from mpsearch_risk_lite.options import (
    ARMY_LAND_OPTIONS,
    BIDS,
    HOLDINGS_OPTIONS,
    OPTIONS,
    PAPER_OPTIONS,
    SEATS,
)

BRANCHINGS = (
    BranchingOffer(
        name="bids",
        summary="the k best campaigns by value of what they take times the chance to take it",
        make="mpsearch_risk_lite.branchings:make_bids",
        options=(BIDS,),
    ),
    BranchingOffer(
        name="bids_all",
        summary="the best campaign for every goal, best first",
        make="mpsearch_risk_lite.branchings:make_bids_all",
    ),
    BranchingOffer(
        name="border",
        summary="single attacks, and holding, best first",
        make="mpsearch_risk_lite.branchings:make_border",
    ),
)

PLAYERS = (
    PlayerOffer(
        name="angry",
        summary="all armies in one place, and to the death",
        make="mpsearch_risk_lite.players:make_angry",
        character="furious",
    ),
    PlayerOffer(
        name="yakool",
        summary="grows a cluster around one continent at good odds",
        make="mpsearch_risk_lite.players:make_yakool",
        character="settled",
    ),
    PlayerOffer(
        name="evil_pixie",
        summary="guards wanted continents, breaks others, eats the weak",
        make="mpsearch_risk_lite.players:make_evil_pixie",
        character="mischievous",
    ),
)

#: Agents for seats without a named one, of which none wins too often.
COMPANY = ("mpmix:td=20,to=20", "evil_pixie", "sos", "paranoid")

#: The settings that learned weights are for.
_LEARNED_PLAYERS = (4,)
_LEARNED_GAME = {"map": "classic", "rounds": 100}

_LEARNED = "maxn:search=mcts,cut=0,evaluator=learned"
_WRITTEN = "mpmix:td=inf,to=5"

#: The strongest of docs/results/strength.md: where there are learned weights, and elsewhere.
PRESETS = (
    Preset(
        name="hard",
        summary="Monte-Carlo tree search with the learned evaluator, up to half a second a move",
        text=f"{_LEARNED},nodes=25000,time=0.5",
        players=_LEARNED_PLAYERS,
        game_options=_LEARNED_GAME,
    ),
    Preset(
        name="hardest",
        summary="Monte-Carlo tree search with the learned evaluator, up to three seconds a move",
        text=f"{_LEARNED},nodes=150000,time=3",
        players=_LEARNED_PLAYERS,
        game_options=_LEARNED_GAME,
    ),
    Preset(
        name="hard",
        summary="MP-Mix that turns on a leader at once, up to half a second a move",
        text=f"{_WRITTEN},nodes=200000,time=0.5",
    ),
    Preset(
        name="hardest",
        summary="MP-Mix that turns on a leader at once, up to three seconds a move",
        text=f"{_WRITTEN},nodes=1500000,time=3",
    ),
)

RISK_LITE = GameOffer(
    name="risk_lite",
    summary="simplified Risk: real dice, one campaign a turn, for 2 to 6 players",
    make="mpsearch_risk_lite.game:RiskLite",
    players=(2, SEATS),
    default_players=6,
    options=OPTIONS,
    evaluator="paper",
    guide="mpsearch_risk_lite:guide.txt",
    branchings=BRANCHINGS,
    branching="bids",
    presets=PRESETS,
    bots=PLAYERS,
    company=COMPANY,
)

EVALUATORS = [
    EvaluatorOffer(
        name="army_land",
        game="risk_lite",
        summary="share of armies, territories and income; sums to 100",
        make="mpsearch_risk_lite.evaluators:make_army_land",
        options=ARMY_LAND_OPTIONS,
    ),
    EvaluatorOffer(
        name="holdings",
        game="risk_lite",
        summary="own territories and armies alone, whatever the others have",
        make="mpsearch_risk_lite.evaluators:make_holdings",
        options=HOLDINGS_OPTIONS,
    ),
    EvaluatorOffer(
        name="paper",
        game="risk_lite",
        summary="share of armies, territory values, continents, income, border control",
        make="mpsearch_risk_lite.evaluators:make_paper",
        options=PAPER_OPTIONS,
    ),
    EvaluatorOffer(
        name="learned",
        game="risk_lite",
        summary="chances to win, learned from games; adds up to 100",
        make="mpsearch_risk_lite.learned:make_learned",
        players=_LEARNED_PLAYERS,
        game_options=_LEARNED_GAME,
        learned=True,
    ),
]
