"""Ways to the goal: how long, whether any, and one that is shortest.

Pawns do not stand in the way of a path; walls do.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch_quoridor.bitboard import down, left, right, up
from mpsearch_quoridor.layout import BIT, CARRY_ROW, GOAL, LOW, ROW, SQUARES, WIDTH
from mpsearch_quoridor.state import side_of

#: The distance to a goal that cannot be reached.
UNREACHABLE = SQUARES


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
        # One ring: up, down, right, left. Written out rather than through `bitboard`, because
        # the open steps make most of its masks and carries superfluous.
        upward = low & north_low
        new_low = (
            low
            | ((upward << WIDTH) & LOW)
            | (((low >> WIDTH) | ((high & ROW) << CARRY_ROW)) & north_low)
            | ((low & east_low) << 1)
            | ((low >> 1) & east_low)
        )
        new_high = (
            high
            | ((high & north_high) << WIDTH)
            | (upward >> CARRY_ROW)
            | ((high >> WIDTH) & north_high)
            | ((high & east_high) << 1)
            | ((high >> 1) & east_high)
        )
        if new_low == low and new_high == high:
            return UNREACHABLE
        low, high = new_low, new_high
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
def shortest_path(s: Any, seat: int, rings: Any, steps: Any) -> int:
    """Write the steps of one shortest path to `steps`; its length, or UNREACHABLE.

    `steps` gets the squares from which the path goes up or comes down (2 words), and those
    from which it goes right or comes left (2 words). `rings` is room for (SQUARES, 2) words.
    """
    side = side_of(s, seat)
    goal_low, goal_high = GOAL[s.rows, side, 0], GOAL[s.rows, side, 1]
    low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
    for k in range(4):
        steps[k] = 0
    length = 0
    while (low & goal_low) | (high & goal_high) == 0:
        rings[length, 0] = low
        rings[length, 1] = high
        low, high = _ring(s, low, high)
        if low == rings[length, 0] and high == rings[length, 1]:
            return UNREACHABLE
        length += 1
    # Back from one square of the goal, always to a square of the ring before.
    low &= goal_low
    high &= goal_high
    if low:
        low &= -low
        high &= 0
    else:
        high &= -high
    for k in range(length - 1, -1, -1):
        low, high = _step_back(s, low, high, rings[k, 0], rings[k, 1], steps)
    return length


@compiled
def _ring(s: Any, low: int, high: int) -> tuple[int, int]:
    """A set of squares and all that are one step away."""
    north_low, north_high = up(low & s.north[0], high & s.north[1])
    south_low, south_high = down(low, high)
    east_low, east_high = right(low & s.east[0], high & s.east[1])
    west_low, west_high = left(low, high)
    return (
        low | north_low | (south_low & s.north[0]) | east_low | (west_low & s.east[0]),
        high | north_high | (south_high & s.north[1]) | east_high | (west_high & s.east[1]),
    )


@compiled
def _step_back(s: Any, low: int, high: int, ring_low: int, ring_high: int, steps: Any) -> Any:
    """From one square to a neighbour within a ring; the step between them is noted."""
    to_low, to_high = down(low, high)
    to_low &= ring_low & s.north[0]
    to_high &= ring_high & s.north[1]
    if to_low | to_high:
        steps[0] |= to_low
        steps[1] |= to_high
        return to_low, to_high
    to_low, to_high = left(low, high)
    to_low &= ring_low & s.east[0]
    to_high &= ring_high & s.east[1]
    if to_low | to_high:
        steps[2] |= to_low
        steps[3] |= to_high
        return to_low, to_high
    to_low, to_high = up(low & s.north[0], high & s.north[1])
    to_low &= ring_low
    to_high &= ring_high
    if to_low | to_high:
        steps[0] |= low
        steps[1] |= high
        return to_low, to_high
    steps[2] |= low
    steps[3] |= high
    return right(low, high)
