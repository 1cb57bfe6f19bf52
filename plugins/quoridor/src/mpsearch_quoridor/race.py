"""The race of two pawns once no walls are left, solved by retrograde analysis.

Wins and losses are found ply by ply, backwards from the goals, for all squares of one pawn at
once: sets of squares of the pawn that moves, one for each square of the other one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch.gamekit import lowest
from mpsearch_quoridor.bitboard import down, left, right, up
from mpsearch_quoridor.layout import LOW_BITS, SQUARES, WIDTH
from mpsearch_quoridor.paths import distance, spread
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.steps import has, neighbour
from mpsearch_quoridor.tables import BIT, GOAL, SQUARES_OF

#: What is known of a position, by who moves there.
WON, LOST = range(2)


@compiled
def around(s: Any, low: int, high: int) -> tuple[int, int]:
    """The squares one step away from any of a set."""
    north_low, north_high, east_low, east_high = s.north[0], s.north[1], s.east[0], s.east[1]
    up_low, up_high = up(low & north_low, high & north_high)
    down_low, down_high = down(low, high)
    right_low, right_high = right(low & east_low, high & east_high)
    left_low, left_high = left(low, high)
    return (
        up_low | (down_low & north_low) | right_low | (left_low & east_low),
        up_high | (down_high & north_high) | right_high | (left_high & east_high),
    )


@compiled
def write_jumps(s: Any, over: int, jumps: Any) -> None:
    """Where a pawn stands that can jump over the one on `over`, and where it may land.

    Shape of jumps: (4, 3), a square or -1 and the two words of a set for each direction.
    """
    for direction in range(4):
        jumps[direction, 0] = neighbour(s, over, direction)
        beyond = neighbour(s, over, 3 - direction)
        for turn in range(4):
            to = neighbour(s, over, turn)
            if to >= 0 and turn != direction and beyond in (-1, to):
                jumps[direction, 1] |= BIT[to, 0]
                jumps[direction, 2] |= BIT[to, 1]


@compiled
def before(s: Any, low: int, high: int, other: int, jumps: Any) -> tuple[int, int]:
    """The squares from which a pawn can move into a set while the other one stands on `other`."""
    free_low, free_high = ~BIT[other, 0], ~BIT[other, 1]
    low, high = low & free_low, high & free_high
    from_low, from_high = around(s, low, high)
    for direction in range(4):
        square = jumps[direction, 0]
        if square >= 0 and (jumps[direction, 1] & low) | (jumps[direction, 2] & high):
            from_low |= BIT[square, 0]
            from_high |= BIT[square, 1]
    return from_low & free_low, from_high & free_high


@compiled
def put(low: int, high: int, member: int, sets: Any, fresh: Any) -> None:
    """Add a member to the set of every square in another set, and mark these as fresh."""
    while low | high:
        square = lowest(low) if low else LOW_BITS + lowest(high)
        sets[square, 0] |= BIT[member, 0]
        sets[square, 1] |= BIT[member, 1]
        fresh[square] = 1
        if low:
            low &= low - 1
        else:
            high &= high - 1


@compiled
def decide(s: Any, kind: int, seat: int, other: int, moves_to: Any, jumps: Any) -> Any:
    """The squares where a seat has won, or lost, given those that it must, or must not, move to."""
    board_low, board_high = SQUARES_OF[s.rows, 0], SQUARES_OF[s.rows, 1]
    goal_low = GOAL[s.rows, side_of(s, seat), 0]
    goal_high = GOAL[s.rows, side_of(s, seat), 1]
    low, high = moves_to[0], moves_to[1]
    if kind == WON:
        return before(s, low | goal_low, high | goal_high, other, jumps)
    low, high = goal_low | (board_low & ~low), goal_high | (board_high & ~high)
    low, high = before(s, low, high, other, jumps)
    low, high = low | goal_low | BIT[other, 0], high | goal_high | BIT[other, 1]
    return board_low & ~low, board_high & ~high


@compiled
def plies_of_race(s: Any) -> int:
    """How many plies the race takes: negative if the mover loses it, 0 if nobody wins in time.

    A pawn always has a step or a jump: two that shut each other in would have no way to the goal.
    """
    # By kind, the seat to move and the square of the other pawn: where the mover has won, or lost;
    # where it must move to to win, or must not; and whether that is news.
    known = np.zeros((2, 2, SQUARES, 2), np.int64)
    moves_to = np.zeros((2, 2, SQUARES, 2), np.int64)
    fresh = np.zeros((2, 2, SQUARES), np.int64)
    jumps = np.zeros((SQUARES, 4, 3), np.int64)
    for row in range(s.rows):
        for square in range(WIDTH * row, WIDTH * row + s.rows):
            write_jumps(s, square, jumps[square])
            fresh[WON, 0, square] = fresh[WON, 1, square] = 1
    me = s.mover
    here, there = s.pawn[me], s.pawn[1 - me]
    for ply in range(1, s.plies_left + 1):
        kind = WON if ply % 2 == 1 else LOST
        changed = False
        for seat in range(2):
            for other in range(SQUARES):
                if not fresh[kind, seat, other]:
                    continue
                fresh[kind, seat, other] = 0
                low, high = decide(s, kind, seat, other, moves_to[kind, seat, other], jumps[other])
                low &= ~known[kind, seat, other, 0]
                high &= ~known[kind, seat, other, 1]
                known[kind, seat, other, 0] |= low
                known[kind, seat, other, 1] |= high
                # What one seat has won, the other one must not move to, and the other way round.
                put(low, high, other, moves_to[1 - kind, 1 - seat], fresh[1 - kind, 1 - seat])
                changed |= (low | high) != 0
        if has(known[kind, me, there, 0], known[kind, me, there, 1], here):
            return ply if kind == WON else -ply
        if not changed:
            return 0
    return 0


@compiled
def spread_to(s: Any, low: int, high: int) -> Any:
    """A set of squares and all that are one step away."""
    return spread(low, high, s.north[0], s.north[1], s.east[0], s.east[1])


@compiled
def has_way(s: Any, seat: int, length: int, late: int) -> Any:
    """Whether a pawn can go its shortest way, however the other one comes near.

    Nowhere on it may the other one have come next to it, to jump over it, or stand before it.
    `late`: whether the other one moves first.
    """
    rings = np.empty((SQUARES + 1, 2), np.int64)
    side = side_of(s, seat)
    low, high = GOAL[s.rows, side, 0], GOAL[s.rows, side, 1]
    for ring in range(length):
        rings[ring, 0], rings[ring, 1] = low, high
        low, high = spread_to(s, low, high)
    low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
    near_low, near_high = BIT[s.pawn[1 - seat], 0], BIT[s.pawn[1 - seat], 1]
    if late:
        near_low, near_high = spread_to(s, near_low, near_high)
    low, high = low & ~near_low, high & ~near_high
    for k in range(1, length + 1):
        low, high = around(s, low, high)
        if k < length:
            near_low, near_high = spread_to(s, near_low, near_high)
        low &= rings[length - k, 0] & ~near_low
        high &= rings[length - k, 1] & ~near_high
    return (low | high) != 0


@compiled
def keeps_away(s: Any, seat: int, length: int, late: int) -> Any:
    """Whether a pawn can avoid being jumped over before the other one has moved `length` times.

    `late`: whether this one moves first.
    """
    low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
    near_low, near_high = BIT[s.pawn[1 - seat], 0], BIT[s.pawn[1 - seat], 1]
    if not late:
        near_low, near_high = spread_to(s, near_low, near_high)
    for k in range(length - 1 + late):
        if k > 0:
            low, high = around(s, low, high)
            near_low, near_high = spread_to(s, near_low, near_high)
        low &= ~near_low
        high &= ~near_high
    return (low | high) != 0


@compiled
def plies_apart(s: Any) -> Any:
    """As `plies_of_race`, at once, where the pawns need not meet; 0 if they might.

    Who is ahead, or to move at equal distance, wins by its shortest way if that is free, and not
    sooner if the other one keeps away.
    """
    me = s.mover
    mine, theirs = distance(s, me), distance(s, 1 - me)
    late = 1 if theirs < mine else 0
    winner, length = (1 - me if late else me), min(mine, theirs)
    if has_way(s, winner, length, late) and keeps_away(s, 1 - winner, length, late):
        plies = 2 * length if late else 2 * length - 1
        if plies <= s.plies_left:
            return -plies if late else plies
    return 0


@compiled
def solve(s: Any) -> Any:
    """End a race of two pawns without walls; how many plies it takes, 0 if it is none."""
    if s.walls[0] > 0 or s.walls[1] > 0 or s.finished:
        return 0
    plies = plies_apart(s)
    if plies == 0:
        plies = plies_of_race(s)
    if plies != 0:
        s.winner = s.mover if plies > 0 else 1 - s.mover
        s.finished = 1
        plies = abs(plies)
        s.plies_left -= plies
    return plies
