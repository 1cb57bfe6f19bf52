"""Ways to the goal: how long, whether any, and one that is shortest.

Pawns do not stand in the way of a path; walls do.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch_quoridor.bitboard import down, up
from mpsearch_quoridor.layout import CARRY_ROW, LOW, ROW, SQUARES, WIDTH
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.tables import BIT, GOAL

#: The distance to a goal that cannot be reached.
UNREACHABLE = SQUARES
#: Words that `shortest_path` needs to work in.
PATH_ROOM = 2 * SQUARES


@compiled
def farthest(size: int) -> int:
    """The distance from which on evaluators tell no difference."""
    return 3 * (size - 1)


@compiled
def spread(
    low: int, high: int, north_low: int, north_high: int, east_low: int, east_high: int
) -> tuple[int, int]:
    """A set of squares and all that are one step away, given the open steps up and right.

    Written out rather than through `bitboard`, because the open steps make most of its masks
    and carries superfluous.
    """
    upward = low & north_low
    return (
        low
        | ((upward << WIDTH) & LOW)
        | (((low >> WIDTH) | ((high & ROW) << CARRY_ROW)) & north_low)
        | ((low & east_low) << 1)
        | ((low >> 1) & east_low),
        high
        | ((high & north_high) << WIDTH)
        | (upward >> CARRY_ROW)
        | ((high >> WIDTH) & north_high)
        | ((high & east_high) << 1)
        | ((high >> 1) & east_high),
    )


@compiled
def distance(s: Any, seat: int) -> int:
    """Steps from a seat's pawn to its goal, other pawns ignored."""
    side = side_of(s, seat)
    low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
    goal_low, goal_high = GOAL[s.rows, side, 0], GOAL[s.rows, side, 1]
    north_low, north_high = s.north[0], s.north[1]
    east_low, east_high = s.east[0], s.east[1]
    steps = 0
    while (low & goal_low) | (high & goal_high) == 0:
        old_low, old_high = low, high
        low, high = spread(low, high, north_low, north_high, east_low, east_high)
        if low == old_low and high == old_high:
            return UNREACHABLE
        steps += 1
    return steps


@compiled
def reaches(
    low: int,
    high: int,
    goal_low: int,
    goal_high: int,
    north_low: int,
    north_high: int,
    east_low: int,
    east_high: int,
) -> bool:
    """Whether a set of squares is connected with a goal. Not by rings, so in fewer rounds."""
    while (low & goal_low) | (high & goal_high) == 0:
        old_low, old_high = low, high
        low |= (low & east_low) << 1
        high |= (high & east_high) << 1
        low |= (low >> 1) & east_low
        high |= (high >> 1) & east_high
        upward = low & north_low
        low |= (upward << WIDTH) & LOW
        high |= ((high & north_high) << WIDTH) | (upward >> CARRY_ROW)
        high |= (high >> WIDTH) & north_high
        low |= ((low >> WIDTH) | ((high & ROW) << CARRY_ROW)) & north_low
        if low == old_low and high == old_high:
            return False
    return True


@compiled
def shortest_path(s: Any, seat: int, room: Any) -> tuple[int, int, int, int]:
    """The steps of one shortest path: squares from which it goes up or comes down (2 words),
    and squares from which it goes right or comes left (2 words).

    There must be a path. `room` is for at least PATH_ROOM words.
    """
    side = side_of(s, seat)
    goal_low, goal_high = GOAL[s.rows, side, 0], GOAL[s.rows, side, 1]
    north_low, north_high = s.north[0], s.north[1]
    east_low, east_high = s.east[0], s.east[1]
    low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
    ring = 0
    while (low & goal_low) | (high & goal_high) == 0:
        room[2 * ring] = low
        room[2 * ring + 1] = high
        low, high = spread(low, high, north_low, north_high, east_low, east_high)
        ring += 1
    # Back from one square of the goal, always to a square of the ring before.
    low &= goal_low
    high &= goal_high
    low &= -low
    high = high & -high if low == 0 else high & 0
    up_low, up_high, right_low, right_high = low & 0, low & 0, low & 0, low & 0
    while ring > 0:
        ring -= 1
        ring_low, ring_high = room[2 * ring], room[2 * ring + 1]
        to_low, to_high = down(low, high)
        to_low &= ring_low & north_low
        to_high &= ring_high & north_high
        if to_low | to_high:
            up_low |= to_low
            up_high |= to_high
            low, high = to_low, to_high
            continue
        to_low, to_high = up(low & north_low, high & north_high)
        to_low &= ring_low
        to_high &= ring_high
        if to_low | to_high:
            up_low |= low
            up_high |= high
            low, high = to_low, to_high
            continue
        to_low = (low >> 1) & ring_low & east_low
        to_high = (high >> 1) & ring_high & east_high
        if to_low | to_high:
            right_low |= to_low
            right_high |= to_high
            low, high = to_low, to_high
            continue
        right_low |= low
        right_high |= high
        low <<= 1
        high <<= 1
    return up_low, up_high, right_low, right_high
