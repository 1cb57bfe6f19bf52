"""A step down the tree: into a child, and how many children that has in turn.

Here for machine code, made of the rules' own functions; the interpreted search has the same in one
function, because Python's calls are dear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpsearch.contracts.game import CHANCE, OVER

#: What `slate.halted` says if the rules are to blame.
BAD_MOVES = 2
BAD_OUTCOMES = 3
BAD_MOVER = 4


def make_visit(
    *,
    players: int,
    widest: int,
    mover: Callable[..., Any],
    branch: Callable[..., Any],
    chance: Callable[..., Any],
    descend: Callable[..., Any],
    evaluate: Callable[..., Any],
    jit: Callable[..., Any],
) -> Any:
    """`visit` for these parts.

    mover(f) -> seat; branch(f, slate) and chance(f) -> count, and fill the frame's moves;
    descend(f, g, i) puts the state after f's move i into g; evaluate(f, slate) fills f.value.
    No list of moves may be longer than `widest`, or empty.
    """

    @jit
    def visit(f: Any, g: Any, i: int, slate: Any, depth: int) -> Any:
        """Look at the node behind f's move i: how many children it has. Without any, its value is
        there at once.

        Apart from the search itself, so that leaves, which most nodes are, need no call of their
        own once this is inlined.
        """
        slate.nodes += 1
        if slate.stop != 0 or slate.nodes > slate.node_limit:
            slate.halted = 1
            return 0
        descend(f, g, i)
        seat = mover(g)
        g.seat = seat
        g.length = 0
        g.cut = 0
        count = 0
        if seat == CHANCE:
            count = chance(g)
            if count < 0 or count > widest:
                slate.halted = BAD_OUTCOMES
                return 0
        elif seat != OVER:
            if seat < 0 or seat >= players:
                slate.halted = BAD_MOVER
                return 0
            if depth > 0:
                count = branch(g, slate)
                if count < 1 or count > widest:
                    slate.halted = BAD_MOVES
                    return 0
            else:
                slate.horizon = 1
        if count == 0:
            evaluate(g, slate)
        return count

    return visit
