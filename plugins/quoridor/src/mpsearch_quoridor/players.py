"""Players with names: the strengths, and the agents of the paper, as texts that the core reads.

The paper's agents play minimax, which is Paranoid with two players. They use its
insights `sure_thing` and `deepen`.
"""

from __future__ import annotations

from mpsearch.contracts import Preset
from mpsearch_quoridor.options import LEARNED_BOARD

_INSIGHTS = "insights=sure_thing+deepen"

#: What makes agents build walls: with `distance` nobody gains by another's longer way, and with
#: walls near pawns only, depth 2 loses to depth 1.
_WALLS = "evaluator=features,branching=all"

#: The strongest of docs/results/strength.md: for two players on the usual board, and for others.
_LEARNED = "paranoid:evaluator=learned,branching=walls_touching"
_FEATURES = "mpmix:td=10,to=10,evaluator=features,branching=walls_touching"

#: Who sits down where nobody is named.
COMPANY = (
    f"mpmix:td=10,to=10,depth=2,{_WALLS}",
    f"paranoid:depth=2,{_WALLS}",
    f"sos:depth=2,{_WALLS}",
)

PRESETS = (
    Preset(
        name="easy",
        summary="tuned features, all moves, one ply",
        text=f"greedy:{_WALLS}",
    ),
    Preset(
        name="medium",
        summary="tuned features, all moves, MP-Mix at depth 2",
        text=f"mpmix:td=10,to=10,depth=2,{_WALLS}",
    ),
    Preset(
        name="hard",
        summary="learned chances, walls that matter, up to half a second a move",
        text=f"{_LEARNED},nodes=400000,time=0.5",
        players=(2,),
        game_options=LEARNED_BOARD,
    ),
    Preset(
        name="hardest",
        summary="learned chances, walls that matter, up to three seconds a move",
        text=f"{_LEARNED},nodes=3000000,time=3",
        players=(2,),
        game_options=LEARNED_BOARD,
    ),
    Preset(
        name="hard",
        summary="tuned features, walls that matter, up to half a second a move",
        text=f"{_FEATURES},nodes=400000,time=0.5",
    ),
    Preset(
        name="hardest",
        summary="tuned features, walls that matter, up to three seconds a move",
        text=f"{_FEATURES},nodes=3000000,time=3",
    ),
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
