"""What a learned evaluator sees of a position, and the one that comes with this plugin.

Every seat sees the board as if it had started in the south, so that one network serves all.
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
from mpsearch_quoridor.steps import has
from mpsearch_quoridor.tables import BIT, GOAL, Table, bits

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

# Behind these, with more than two players: by how many plies each of the others is later at its goal,
# and the first of them; the lead with the walls that the others, and oneself, have in hand; how much
# longer each one's way is without the steps of its shortest; which steps each one has; and walls by
# their place beside one's own pawn.
MOST_PLIES = 32
CLOSE = 4
MOST_THREATS = 15
MOST_DETOUR = 9
NEAR = 3
ORDER = INPUTS
FIRST = ORDER + (SEATS - 1) * (2 * MOST_PLIES + 1)
THREATS = FIRST + 2 * MOST_PLIES + 1
STOCK = THREATS + (2 * CLOSE + 1) * (MOST_THREATS + 1)
DETOURS = STOCK + (2 * CLOSE + 1) * (MOST_WALLS + 1)
STEPS = DETOURS + SEATS * (MOST_DETOUR + 1)
BESIDE = STEPS + SEATS * 16
INPUTS_FOR_MANY = BESIDE + 2 * (2 * NEAR) ** 2
MOST_FOR_MANY = MOST + (SEATS - 1) + 3 + 2 * SEATS + (2 * NEAR) ** 2


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
def open_steps(s: Any, square: int) -> int:
    """Which steps no wall bars, as bits: up, right, down, left."""
    found = 0
    if has(s.north[0], s.north[1], square):
        found |= 1
    if has(s.east[0], s.east[1], square):
        found |= 2
    if square >= WIDTH and has(s.north[0], s.north[1], square - WIDTH):
        found |= 4
    if square > 0 and has(s.east[0], s.east[1], square - 1):
        found |= 8
    return found


def _beside(square: int) -> tuple[int, int]:
    """The middles of walls that are near a square."""
    row, column = divmod(square, WIDTH)
    near = range(-NEAR, NEAR)
    points = ((row + up, column + right) for up in near for right in near)
    return bits(p for p in points if min(p) >= 0 and max(p) < WIDTH - 1)


#: Shape (SQUARES, 2).
NEARBY: Table = np.array([_beside(square) for square in range(SQUARES)], dtype=np.int64)


@compiled
def put_beside(
    low: int, high: int, turned: Any, middles: Any, square: int, first: int, out: Any, count: int
) -> int:
    """Write the walls of a set that are near a pawn, by their place beside it."""
    low, high = low & NEARBY[square, 0], high & NEARBY[square, 1]
    pawn = turned[square]
    first += 2 * NEAR * (NEAR - pawn // WIDTH) + NEAR - pawn % WIDTH
    while low | high:
        if low:
            middle = middles[lowest(low)]
            low &= low - 1
        else:
            middle = middles[LOW_BITS + lowest(high)]
            high &= high - 1
        out[count, 0] = first + 2 * NEAR * (middle // WIDTH) + middle % WIDTH
        out[count, 1] = 1.0
        count += 1
    return count


@compiled
def look_on(s: Any, seat: int, away: Any, aside: Any, out: Any, count: int) -> Any:
    """What a seat of more than two sees besides."""
    side, players = side_of(s, seat), s.players
    start = count
    turn = s.mover - seat if s.mover >= seat else s.mover - seat + players
    wait = players - turn if turn else 0
    own = players * away[seat] + wait
    soonest, nearest, threats = 4 * SQUARES * SEATS, SQUARES, 0
    for k in range(players):
        other = seat + k if seat + k < players else seat + k - players
        steps = away[other]
        if k > 0:
            wait = k - turn if k >= turn else k - turn + players
            lead = players * steps + wait - own
            soonest = min(soonest, lead)
            nearest = min(nearest, steps)
            threats += s.walls[other]
            lead = min(max(lead, -MOST_PLIES), MOST_PLIES) + MOST_PLIES
            out[count, 0] = ORDER + (k - 1) * (2 * MOST_PLIES + 1) + lead
            count += 1
        more = min(aside[other] - steps, MOST_DETOUR)
        out[count, 0] = DETOURS + k * (MOST_DETOUR + 1) + more
        ways = open_steps(s, s.pawn[other])
        ways = (ways >> side) | ((ways << (4 - side)) & 15)
        out[count + 1, 0] = STEPS + k * 16 + ways
        count += 2
    lead = min(max(soonest, -MOST_PLIES), MOST_PLIES) + MOST_PLIES
    out[count, 0] = FIRST + lead
    lead = min(max(nearest - away[seat], -CLOSE), CLOSE) + CLOSE
    out[count + 1, 0] = THREATS + lead * (MOST_THREATS + 1) + min(threats, MOST_THREATS)
    out[count + 2, 0] = STOCK + lead * (MOST_WALLS + 1) + min(s.walls[seat], MOST_WALLS)
    count += 3
    for k in range(start, count):
        out[k, 1] = 1.0
    turned, middles = TURNED[s.rows, side], TURNED[s.rows - 1, side]
    across = side & 1
    upright = BESIDE + (2 * NEAR) ** 2
    square = s.pawn[seat]
    first = upright if across else BESIDE
    low, high = s.horizontal[0], s.horizontal[1]
    count = put_beside(low, high, turned, middles, square, first, out, count)
    first = BESIDE if across else upright
    low, high = s.vertical[0], s.vertical[1]
    return put_beside(low, high, turned, middles, square, first, out, count)


@compiled
def detours(s: Any, room: Any) -> tuple[int, int, int, int]:
    """Everybody's detour; 0 of seats that are not there."""
    third = detour(s, 2, room) if s.players > 2 else 0
    fourth = detour(s, 3, room) if s.players > 3 else 0
    return detour(s, 0, room), detour(s, 1, room), third, fourth


@compiled
def look_far(s: Any, seat: int, out: Any) -> Any:
    """What a seat of more than two sees."""
    away, aside = distances(s), detours(s, np.empty(PATH_ROOM, np.int64))
    return look_on(s, seat, away, aside, out, look_knowing(s, seat, away, out))


@compiled
def look_far_all(s: Any, out: Any, counts: Any) -> None:
    """The same for all seats."""
    away, aside = distances(s), detours(s, np.empty(PATH_ROOM, np.int64))
    for seat in range(s.players):
        count = look_knowing(s, seat, away, out[seat])
        counts[seat] = look_on(s, seat, away, aside, out[seat], count)


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
FEATURES = Features(
    write=look_far, write_all=look_far_all, inputs=INPUTS_FOR_MANY, most=MOST_FOR_MANY
)


def make_learned(game: Any) -> Evaluator:
    """The evaluator with the weights for so many players."""
    folder = resources.files("mpsearch_quoridor") / "weights"
    return learned_evaluator(game, read_network(folder / f"{game.players}.npz"))
