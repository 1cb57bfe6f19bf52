"""The contract for games and the parts of agents, as test suites.

The suites need pytest: `pip install mpsearch[testing]`.
"""

from typing import TYPE_CHECKING, Any

from mpsearch.testing import reach_rules
from mpsearch.testing.check import check_catalog
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.part_rules import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
)
from mpsearch.testing.random_play import Step, walk
from mpsearch.testing.search_algorithm_rules import SEARCH_ALGORITHM_RULES

if TYPE_CHECKING:
    from mpsearch.testing.suites import GameSuite, ModelSuite, PropagatorSuite, SearchAlgorithmSuite

__all__ = [
    "BRANCHING_RULES",
    "EVALUATOR_RULES",
    "GAME_RULES",
    "MODEL_RULES",
    "PROPAGATOR_RULES",
    "SEARCH_ALGORITHM_RULES",
    "GameSuite",
    "ModelSuite",
    "PropagatorSuite",
    "SearchAlgorithmSuite",
    "Step",
    "check_catalog",
    "walk",
]


def __getattr__(name: str) -> Any:
    # `mpsearch plugins --check` uses the rules without pytest.
    if name in ("GameSuite", "ModelSuite", "PropagatorSuite", "SearchAlgorithmSuite"):
        from mpsearch.testing import suites

        return getattr(suites, name)
    raise AttributeError(f"module 'mpsearch.testing' has no attribute '{name}'")
