"""Players with names: the agents of the paper, as names for texts that the core reads.

The paper's agents play minimax, which is Paranoid with two players. All of them use its
insights `sure_thing` and `deepen`.
"""

from __future__ import annotations

from mpsearch.contracts import Preset

_INSIGHTS = "insights=sure_thing+deepen"

PRESETS = (
    Preset(
        name="basic",
        summary="path difference, all moves, depth 2",
        text=f"paranoid:depth=2,evaluator=path_difference,branching=all,{_INSIGHTS}",
    ),
    Preset(
        name="incomplete",
        summary="path difference, walls within radius 1, depth 4",
        text=f"paranoid:depth=4,evaluator=path_difference,branching=near,radius=1,{_INSIGHTS}",
    ),
    Preset(
        name="incomplete_no_walls",
        summary="path difference, own walls within radius 1, depth 6",
        text="paranoid:depth=6,evaluator=path_difference,branching=near_no_opponent_walls,"
        f"radius=1,{_INSIGHTS}",
    ),
    Preset(
        name="genetic100",
        summary="tuned features, all moves, depth 2",
        text=f"paranoid:depth=2,evaluator=features,branching=all,{_INSIGHTS}",
    ),
    Preset(
        name="genetic3",
        summary="tuned features, all moves, depth 3",
        text=f"paranoid:depth=3,evaluator=features,branching=all,{_INSIGHTS}",
    ),
)
