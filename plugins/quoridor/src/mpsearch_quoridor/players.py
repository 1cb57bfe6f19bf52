"""Named agents: the strengths, and the agents of the paper.

The paper's agents play minimax, which is Paranoid with two players, and use its insights
`sure_thing` and `deepen`.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import Preset
from mpsearch_quoridor.options import LEARNED_BOARD

_INSIGHTS = "insights=sure_thing+deepen"
_PATH = "evaluator=path_difference"

#: Makes agents build walls: by `distance` nobody gains from another's longer way, and with walls
#: near pawns only, depth 2 loses to depth 1.
_WALLS = "evaluator=features,branching=all"

#: The strongest of docs/results/strength.md: for two players on the usual board, and for others.
_LEARNED = "paranoid:evaluator=learned,branching=walls_touching"
_FEATURES = "paranoid:evaluator=features,branching=walls_touching"

#: The opponents if none are named.
COMPANY = (
    f"mpmix:td=10,to=10,depth=2,{_WALLS}",
    f"paranoid:depth=2,{_WALLS}",
    f"sos:depth=2,{_WALLS}",
)


def _strong(how: str, agent: str, **holds: Any) -> list[Preset]:
    """The two strengths that are limited by time."""
    limits = {
        "hard": ("half a second", "nodes=400000,time=0.5"),
        "hardest": ("three seconds", "nodes=3000000,time=3"),
    }
    return [
        Preset(
            name=name,
            summary=f"{how}, walls that matter, up to {time} a move",
            text=f"{agent},{limit}",
            **holds,
        )
        for name, (time, limit) in limits.items()
    ]


def _minimax(name: str, summary: str, settings: str) -> Preset:
    """An agent of the paper."""
    return Preset(name=name, summary=summary, text=f"paranoid:{settings},{_INSIGHTS}")


PRESETS = (
    Preset(name="easy", summary="tuned features, all moves, one ply", text=f"greedy:{_WALLS}"),
    Preset(name="medium", summary="tuned features, all moves, MP-Mix at depth 2", text=COMPANY[0]),
    *_strong("learned chances", _LEARNED, players=(2,), game_options=LEARNED_BOARD),
    *_strong("tuned features", _FEATURES),
    _minimax("basic", "path difference, all moves, depth 2", f"depth=2,{_PATH},branching=all"),
    _minimax(
        "incomplete",
        "path difference, walls within radius 1, depth 4",
        f"depth=4,{_PATH},branching=near,radius=1",
    ),
    _minimax(
        "incomplete_no_walls",
        "path difference, own walls within radius 1, depth 6",
        f"depth=6,{_PATH},branching=near_no_opponent_walls,radius=1",
    ),
    _minimax("genetic100", "tuned features, all moves, depth 2", f"depth=2,{_WALLS}"),
    _minimax("genetic3", "tuned features, all moves, depth 3", f"depth=3,{_WALLS}"),
)
