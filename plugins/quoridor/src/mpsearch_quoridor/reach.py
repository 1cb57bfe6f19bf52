"""How far `distance` can move within a few plies: the box that lets a search skip most walls.

Only its own steps bring a pawn nearer to its goal, one square a turn or two by a jump. They may
take it as far away, and walls of anybody as far as can be: to bound those by paths of which no
wall crosses two saved no nodes.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch_quoridor.layout import WIDTH
from mpsearch_quoridor.paths import distance, farthest

#: Squares that a jump or a side-step goes.
JUMP = 2


@compiled
def turns(s: Any, seat: int, plies: int) -> Any:
    """How often a seat moves within so many plies."""
    wait = (seat - s.mover) % s.players
    return max(0, (plies - wait + s.players - 1) // s.players)


@compiled
def apart(s: Any, seat: int, other: int) -> Any:
    """Rows and columns between two pawns."""
    here, there = s.pawn[seat], s.pawn[other]
    return abs(here // WIDTH - there // WIDTH) + abs(here % WIDTH - there % WIDTH)


@compiled
def may_jump(s: Any, seat: int, ply: int) -> bool:
    """Whether another pawn can be next to a seat's when that moves, so many plies from now."""
    for other in range(s.players):
        moves = turns(s, seat, ply) + turns(s, other, ply)
        if other != seat and apart(s, seat, other) <= 1 + JUMP * moves:
            return True
    return False


@compiled
def stride(s: Any, seat: int, plies: int) -> Any:
    """How many squares a seat's pawn can go within so many plies, or all that count."""
    most = farthest(s.rows)
    squares = 0
    ply = (seat - s.mover) % s.players
    while ply < plies and squares < most:
        squares += JUMP if may_jump(s, seat, ply) else 1
        ply += s.players
    return min(squares, most)


@compiled
def may_build(s: Any, plies: int) -> bool:
    """Whether a wall can be built within so many plies."""
    possible = False
    for seat in range(s.players):
        possible |= s.walls[seat] > 0 and turns(s, seat, plies) > 0
    return possible


@compiled
def distance_reach(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    far = farthest(s.rows)
    plies = 0 if s.finished else min(depth, s.plies_left)
    walls = may_build(s, plies)
    for seat in range(s.players):
        now = min(distance(s, seat), far)
        squares = stride(s, seat, plies)
        longest = far if walls else min(now + squares, far)
        low[seat] = 100.0 * (far - longest) / far
        high[seat] = 100.0 * (far - max(now - squares, 0)) / far
