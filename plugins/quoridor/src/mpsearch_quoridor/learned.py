"""What a learned evaluator sees of a position, and the one that comes with this plugin.

With two players every seat sees the board as if it had started in the south, so that one network
serves all. With more it sees ways and walls in hand only, and no squares: chances differ less there,
and a search finds the positions in which a network is wrong about rare squares.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np

from mpsearch.contracts import Evaluator, Features, compiled
from mpsearch.gamekit import learned_evaluator, lowest, read_network
from mpsearch_quoridor.layout import EAST, LOW_BITS, NORTH, SEATS, SIZES, SQUARES, WEST, WIDTH
from mpsearch_quoridor.paths import PATH_ROOM, UNREACHABLE, distance, shortest_path, spread
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.tables import BIT, GOAL, Table

#: More walls in hand, or a longer way, are seen as these.
MOST_WALLS = 10
FARTHEST = 23
#: A lead is how much longer the way of the nearest other is.
MOST_LEAD = 10

# Where the inputs begin: by seat, counted from the one that looks; walls by their middles; and the
# lead, which is another thing for each seat that may be next.
PAWNS = 0
HORIZONTALS = PAWNS + SEATS * SQUARES
VERTICALS = HORIZONTALS + SQUARES
WALLS = VERTICALS + SQUARES
DISTANCES = WALLS + SEATS * (MOST_WALLS + 1)
LEADS = DISTANCES + SEATS * (FARTHEST + 1)
INPUTS = LEADS + SEATS * (2 * MOST_LEAD + 1)
#: Pawns, walls in hand and distances of all, the lead, and walls, of which no more fit on a board.
MOST = 3 * SEATS + 1 + (WIDTH - 1) ** 2

# For more than two players: walls in hand, distances and the lead as above; by how many plies each of
# the others arrives later, and the first of them; the lead with the walls that the others have in
# hand, and with one's own; and how much longer each way is without the steps of a shortest one.
MOST_PLIES = 32
CLOSE = 4
MOST_THREATS = 15
LONGEST_DETOUR = 9
SEATS_WALLS = 0
WAYS = SEATS_WALLS + SEATS * (MOST_WALLS + 1)
RACE = WAYS + SEATS * (FARTHEST + 1)
LATER = RACE + SEATS * (2 * MOST_LEAD + 1)
SOONEST = LATER + (SEATS - 1) * (2 * MOST_PLIES + 1)
THREATS = SOONEST + 2 * MOST_PLIES + 1
STOCK = THREATS + (2 * CLOSE + 1) * (MOST_THREATS + 1)
DETOURS = STOCK + (2 * CLOSE + 1) * (MOST_WALLS + 1)
INPUTS_FOR_MANY = DETOURS + SEATS * (LONGEST_DETOUR + 1)
MOST_FOR_MANY = 4 * SEATS + 3


def _turned(square: int, side: int, size: int) -> int:
    """A square of a board of that size as it is seen from a side."""
    row, column = divmod(square, WIDTH)
    far = size - 1
    if side == WEST:
        row, column = column, far - row
    elif side == NORTH:
        row, column = far - row, far - column
    elif side == EAST:
        row, column = far - column, row
    return WIDTH * row + column if max(row, column) < size and min(row, column) >= 0 else 0


#: Shape (10, 4, SQUARES), by size. Middles of walls are turned as the squares of a board with a row
#: less.
TURNED: Table = np.array(
    [
        [[_turned(square, side, size) for square in range(SQUARES)] for side in range(4)]
        for size in range(WIDTH + 1)
    ],
    dtype=np.int64,
)


@compiled
def put_set(low: int, high: int, turned: Any, first: int, out: Any, count: int) -> int:
    """Write an input for each member of a set; how many there are then."""
    while low:
        out[count, 0] = first + turned[lowest(low)]
        out[count, 1] = 1.0
        low &= low - 1
        count += 1
    while high:
        out[count, 0] = first + turned[LOW_BITS + lowest(high)]
        out[count, 1] = 1.0
        high &= high - 1
        count += 1
    return count


@compiled
def look_knowing(s: Any, seat: int, away: Any, out: Any) -> Any:
    """What a seat sees, given the distances of all."""
    side, players = side_of(s, seat), s.players
    turned, middles = TURNED[s.rows, side], TURNED[s.rows - 1, side]
    count = 0
    own, nearest = 0, SQUARES
    for k in range(players):
        other = seat + k if seat + k < players else seat + k - players
        steps = away[other]
        if k == 0:
            own = steps
        else:
            nearest = min(nearest, steps)
        out[count, 0] = PAWNS + k * SQUARES + turned[s.pawn[other]]
        out[count + 1, 0] = WALLS + k * (MOST_WALLS + 1) + min(s.walls[other], MOST_WALLS)
        out[count + 2, 0] = DISTANCES + k * (FARTHEST + 1) + min(steps, FARTHEST)
        count += 3
    lead = min(max(nearest - own, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
    to_move = s.mover - seat if s.mover >= seat else s.mover - seat + players
    out[count, 0] = LEADS + to_move * (2 * MOST_LEAD + 1) + lead
    count += 1
    for k in range(count):
        out[k, 1] = 1.0
    across = side & 1
    first = VERTICALS if across else HORIZONTALS
    count = put_set(s.horizontal[0], s.horizontal[1], middles, first, out, count)
    first = HORIZONTALS if across else VERTICALS
    return put_set(s.vertical[0], s.vertical[1], middles, first, out, count)


@compiled
def distances(s: Any) -> tuple[int, int, int, int]:
    """Everybody's distance; 0 of seats that are not there."""
    third = distance(s, 2) if s.players > 2 else 0
    fourth = distance(s, 3) if s.players > 3 else 0
    return distance(s, 0), distance(s, 1), third, fourth


@compiled
def look(s: Any, seat: int, out: Any) -> Any:
    """Pawns, walls, walls in hand, distances and the lead, as a seat sees them."""
    return look_knowing(s, seat, distances(s), out)


@compiled
def look_all(s: Any, out: Any, counts: Any) -> None:
    """The same for all seats, which takes half of the time for four."""
    away = distances(s)
    for seat in range(s.players):
        counts[seat] = look_knowing(s, seat, away, out[seat])


@compiled
def detour(s: Any, seat: int, room: Any) -> int:
    """Steps from a pawn to its goal without those of one shortest path."""
    up_low, up_high, right_low, right_high = shortest_path(s, seat, room)
    side = side_of(s, seat)
    low, high = BIT[s.pawn[seat], 0], BIT[s.pawn[seat], 1]
    goal_low, goal_high = GOAL[s.rows, side, 0], GOAL[s.rows, side, 1]
    north_low, north_high = s.north[0] & ~up_low, s.north[1] & ~up_high
    east_low, east_high = s.east[0] & ~right_low, s.east[1] & ~right_high
    steps = 0
    while (low & goal_low) | (high & goal_high) == 0:
        old_low, old_high = low, high
        low, high = spread(low, high, north_low, north_high, east_low, east_high)
        if low == old_low and high == old_high:
            return UNREACHABLE
        steps += 1
    return steps


@compiled
def detours(s: Any, room: Any) -> tuple[int, int, int, int]:
    """Everybody's detour; 0 of seats that are not there. `room` is for PATH_ROOM words."""
    third = detour(s, 2, room) if s.players > 2 else 0
    fourth = detour(s, 3, room) if s.players > 3 else 0
    return detour(s, 0, room), detour(s, 1, room), third, fourth


@compiled
def within(number: int, most: int) -> int:
    """The place of a number from -most to most, or the nearest of these."""
    return min(max(number, -most), most) + most


@compiled
def race_knowing(s: Any, seat: int, away: Any, aside: Any, out: Any) -> Any:
    """What one of more than two seats sees, given everybody's distance and detour."""
    players = s.players
    to_move = s.mover - seat if s.mover >= seat else s.mover - seat + players
    own, wait = away[seat], (players - to_move) % players
    arrival = players * own + wait
    soonest, nearest, threats = 4 * SQUARES * SEATS, SQUARES, 0
    count = 0
    for k in range(players):
        other = seat + k if seat + k < players else seat + k - players
        steps, walls = away[other], s.walls[other]
        if k > 0:
            wait = k - to_move if k >= to_move else k - to_move + players
            later = players * steps + wait - arrival
            soonest, nearest = min(soonest, later), min(nearest, steps)
            threats += walls
            out[count, 0] = LATER + (k - 1) * (2 * MOST_PLIES + 1) + within(later, MOST_PLIES)
            count += 1
        out[count, 0] = SEATS_WALLS + k * (MOST_WALLS + 1) + min(walls, MOST_WALLS)
        out[count + 1, 0] = WAYS + k * (FARTHEST + 1) + min(steps, FARTHEST)
        more = min(aside[other] - steps, LONGEST_DETOUR)
        out[count + 2, 0] = DETOURS + k * (LONGEST_DETOUR + 1) + more
        count += 3
    lead, close = within(nearest - own, MOST_LEAD), within(nearest - own, CLOSE)
    out[count, 0] = RACE + to_move * (2 * MOST_LEAD + 1) + lead
    out[count + 1, 0] = SOONEST + within(soonest, MOST_PLIES)
    out[count + 2, 0] = THREATS + close * (MOST_THREATS + 1) + min(threats, MOST_THREATS)
    out[count + 3, 0] = STOCK + close * (MOST_WALLS + 1) + min(s.walls[seat], MOST_WALLS)
    count += 4
    for k in range(count):
        out[k, 1] = 1.0
    return count


@compiled
def race(s: Any, seat: int, out: Any) -> Any:
    """Walls in hand, distances and detours, as one of more than two seats sees them."""
    return race_knowing(s, seat, distances(s), detours(s, np.empty(PATH_ROOM, np.int64)), out)


@compiled
def race_all(s: Any, out: Any, counts: Any) -> None:
    """The same for all seats."""
    away, aside = distances(s), detours(s, np.empty(PATH_ROOM, np.int64))
    for seat in range(s.players):
        counts[seat] = race_knowing(s, seat, away, aside, out[seat])


def _mirror(size: int) -> tuple[int, ...]:
    """Left and right exchanged, which changes nobody's chances if there are two players."""
    mirror = list(range(INPUTS))
    for row in range(size):
        for column in range(size):
            square, image = WIDTH * row + column, WIDTH * row + size - 1 - column
            for k in range(SEATS):
                mirror[PAWNS + k * SQUARES + square] = PAWNS + k * SQUARES + image
            if row < size - 1 and column < size - 1:
                mirror[HORIZONTALS + square] = HORIZONTALS + image - 1
                mirror[VERTICALS + square] = VERTICALS + image - 1
    return tuple(mirror)


#: For two players by size of the board, and for more.
FEATURES_FOR_TWO = {
    size: Features(
        write=look, write_all=look_all, inputs=INPUTS, most=MOST, mirrors=(_mirror(size),)
    )
    for size in SIZES
}
FEATURES = Features(write=race, write_all=race_all, inputs=INPUTS_FOR_MANY, most=MOST_FOR_MANY)


def make_learned(game: Any) -> Evaluator:
    """The evaluator with the weights for so many players."""
    folder = resources.files("mpsearch_quoridor") / "weights"
    return learned_evaluator(game, read_network(folder / f"{game.players}.npz"))
