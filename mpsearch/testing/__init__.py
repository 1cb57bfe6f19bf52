"""The contract that games, evaluators, propagators and opponent models must meet, as tests.

Needs pytest: `pip install mpsearch[testing]`.
"""

from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.part_rules import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
)
from mpsearch.testing.suites import GameSuite, ModelSuite, PropagatorSuite
from mpsearch.testing.walk import Step, walk

__all__ = [
    "BRANCHING_RULES",
    "EVALUATOR_RULES",
    "GAME_RULES",
    "MODEL_RULES",
    "PROPAGATOR_RULES",
    "GameSuite",
    "ModelSuite",
    "PropagatorSuite",
    "Step",
    "walk",
]
