"""Branchings: which walls are worth searching, and in which order.

All of them keep every step, and fall back on all legal moves where they would have none.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import CompiledBranching, CompiledGame, compiled
from mpsearch_quoridor.bitboard import down, left, right, up
from mpsearch_quoridor.layout import EAST, HIGH, LOW, NORTH, SOUTH, WEST
from mpsearch_quoridor.rules import list_moves, list_words
from mpsearch_quoridor.state import PASS, side_of
from mpsearch_quoridor.steps import targets
from mpsearch_quoridor.tables import BIT, NEAR_H, NEAR_V, SLOTS
from mpsearch_quoridor.walls import legal_walls, touched_points


@compiled
def near_walls(s: Any, radius: int) -> tuple[int, int, int, int]:
    """Walls that bar a step between two squares within `radius` king's moves of one pawn."""
    none = s.pawn[0] * 0
    h_low, h_high, v_low, v_high = none, none, none, none
    for seat in range(s.players):
        square = s.pawn[seat]
        h_low |= NEAR_H[radius, square, 0]
        h_high |= NEAR_H[radius, square, 1]
        v_low |= NEAR_V[radius, square, 0]
        v_high |= NEAR_V[radius, square, 1]
    return h_low, h_high, v_low, v_high


@compiled
def listed_or_all(s: Any, h_low: int, h_high: int, v_low: int, v_high: int, out: Any) -> Any:
    """Steps and the legal ones of the given walls; everything legal if that is nothing."""
    count = list_moves(s, h_low, h_high, v_low, v_high, out)
    if count == 1 and out[0] == PASS:
        count = list_moves(s, LOW, HIGH, LOW, HIGH, out)
    return count


@compiled
def near(s: Any, parameters: Any, out: Any) -> Any:
    h_low, h_high, v_low, v_high = near_walls(s, int(parameters[0]))
    return listed_or_all(s, h_low, h_high, v_low, v_high, out)


@compiled
def near_no_opponent_walls(s: Any, parameters: Any, out: Any) -> Any:
    if s.mover == int(parameters[1]):
        h_low, h_high, v_low, v_high = near_walls(s, int(parameters[0]))
        return listed_or_all(s, h_low, h_high, v_low, v_high, out)
    none = s.pawn[0] * 0
    return listed_or_all(s, none, none, none, none, out)


@compiled
def walls_touching(s: Any, parameters: Any, out: Any) -> Any:
    h_low, h_high, v_low, v_high = near_walls(s, int(parameters[0]))
    low, high = touched_points(s)
    low &= SLOTS[s.rows, 0]
    high &= SLOTS[s.rows, 1]
    west_low, west_high = right(low, high)
    east_low, east_high = left(low, high)
    south_low, south_high = up(low, high)
    north_low, north_high = down(low, high)
    return listed_or_all(
        s,
        h_low | low | west_low | east_low,
        h_high | high | west_high | east_high,
        v_low | low | south_low | north_low,
        v_high | high | south_high | north_high,
        out,
    )


@compiled
def ahead(side: int, low: int, high: int) -> Any:
    """A set of squares moved one step towards the goal of a seat from `side`."""
    if side == SOUTH:
        return up(low, high)
    if side == WEST:
        return right(low, high)
    if side == NORTH:
        return down(low, high)
    return left(low, high)


@compiled
def walls_before_opponents(s: Any) -> tuple[int, int, int, int]:
    """Walls that bar the straight step of another seat towards its goal."""
    none = s.pawn[0] * 0
    h_low, h_high, v_low, v_high = none, none, none, none
    for seat in range(s.players):
        if seat == s.mover:
            continue
        side = side_of(s, seat)
        low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
        # A wall is named by the lower left of its squares: for a pawn that goes down or left
        # that is the square in front of it.
        if side in (NORTH, EAST):
            low, high = ahead(side, low, high)
        if side in (SOUTH, NORTH):
            beside_low, beside_high = left(low, high)
            h_low |= low | beside_low
            h_high |= high | beside_high
        else:
            beside_low, beside_high = down(low, high)
            v_low |= low | beside_low
            v_high |= high | beside_high
    return h_low, h_high, v_low, v_high


@compiled
def near_killer(s: Any, parameters: Any, out: Any) -> Any:
    me = s.mover
    h_low, h_high, v_low, v_high = near_walls(s, int(parameters[0]))
    h_low, h_high, v_low, v_high = legal_walls(s, h_low, h_high, v_low, v_high, out)
    first = walls_before_opponents(s)
    low, high = targets(s)
    front_low, front_high = ahead(side_of(s, me), BIT[s.pawn[me], 0], BIT[s.pawn[me], 1])
    # A jump straight ahead is a forward step too.
    jump_low, jump_high = ahead(side_of(s, me), front_low, front_high)
    front_low |= jump_low
    front_high |= jump_high
    words = (
        low & front_low,
        high & front_high,
        h_low & first[0],
        h_high & first[1],
        v_low & first[2],
        v_high & first[3],
        low & ~front_low,
        high & ~front_high,
        h_low & ~first[0],
        h_high & ~first[1],
        v_low & ~first[2],
        v_high & ~first[3],
    )
    count = list_words(words, out)
    return count if count > 0 else list_moves(s, LOW, HIGH, LOW, HIGH, out)


class OneSided(CompiledBranching):
    """Walls are tried for the seat that searches only; its number is the last parameter."""

    def for_root(self, root: int) -> CompiledBranching:
        return OneSided(self.game, self.branch, parameters=[*self.parameters[:-1], root])


def make_near(game: CompiledGame, *, radius: int) -> CompiledBranching:
    return CompiledBranching(game, near, parameters=[radius])


def make_near_killer(game: CompiledGame, *, radius: int) -> CompiledBranching:
    return CompiledBranching(game, near_killer, parameters=[radius])


def make_near_no_opponent_walls(game: CompiledGame, *, radius: int) -> CompiledBranching:
    return OneSided(game, near_no_opponent_walls, parameters=[radius, 0])


def make_walls_touching(game: CompiledGame, *, radius: int) -> CompiledBranching:
    return CompiledBranching(game, walls_touching, parameters=[radius])
