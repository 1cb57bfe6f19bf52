"""What games, evaluators, propagators, opponent models and players promise to be."""

from mpsearch.contracts.arrays import Array, frozen_array
from mpsearch.contracts.equality import GRID, snap
from mpsearch.contracts.evaluator import Bounds, Evaluator
from mpsearch.contracts.game import (
    CHANCE,
    OVER,
    Branching,
    Game,
    Move,
    State,
    View,
    legal_move,
    winners,
)
from mpsearch.contracts.guide import Guide
from mpsearch.contracts.insight import Advice, Insight
from mpsearch.contracts.lookup import instead, pick
from mpsearch.contracts.offers import (
    BranchingOffer,
    EvaluatorOffer,
    GameOffer,
    InsightOffer,
    Offer,
    OpponentModelOffer,
    PlayerOffer,
    Preset,
    PropagatorOffer,
)
from mpsearch.contracts.opponent import Beliefs, Observation, OpponentModel
from mpsearch.contracts.options import Option, settle, whole_number
from mpsearch.contracts.player import Decision, Event, Memory, Player, Turn
from mpsearch.contracts.policy import DECLINED, DeskPolicy, Note, note_type
from mpsearch.contracts.propagator import Propagator, Situation, Stance
from mpsearch.contracts.rules import CompiledBranching, CompiledEvaluator, CompiledGame, Rules
from mpsearch.jit import Compiled, compiled

__all__ = [
    "CHANCE",
    "DECLINED",
    "GRID",
    "OVER",
    "Advice",
    "Array",
    "Beliefs",
    "Bounds",
    "Branching",
    "BranchingOffer",
    "Compiled",
    "CompiledBranching",
    "CompiledEvaluator",
    "CompiledGame",
    "Decision",
    "DeskPolicy",
    "Evaluator",
    "EvaluatorOffer",
    "Event",
    "Game",
    "GameOffer",
    "Guide",
    "Insight",
    "InsightOffer",
    "Memory",
    "Move",
    "Note",
    "Observation",
    "Offer",
    "OpponentModel",
    "OpponentModelOffer",
    "Option",
    "Player",
    "PlayerOffer",
    "Preset",
    "Propagator",
    "PropagatorOffer",
    "Rules",
    "Situation",
    "Stance",
    "State",
    "Turn",
    "View",
    "compiled",
    "frozen_array",
    "instead",
    "legal_move",
    "note_type",
    "pick",
    "settle",
    "snap",
    "whole_number",
    "winners",
]
