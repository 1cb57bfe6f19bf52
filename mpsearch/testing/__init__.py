"""The contract that games, evaluators, propagators and opponent models must meet, as tests.

The suites need pytest: `pip install mpsearch[testing]`.
"""

from typing import TYPE_CHECKING, Any

from mpsearch.testing import reach_rules  # noqa: F401  enters its rules
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.part_rules import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
)
from mpsearch.testing.walk import Step, walk

if TYPE_CHECKING:
    from mpsearch.testing.suites import GameSuite, ModelSuite, PropagatorSuite

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


def __getattr__(name: str) -> Any:
    # `mpsearch plugins --check` uses the rules without pytest.
    if name in ("GameSuite", "ModelSuite", "PropagatorSuite"):
        from mpsearch.testing import suites

        return getattr(suites, name)
    raise AttributeError(f"module 'mpsearch.testing' has no attribute '{name}'")
