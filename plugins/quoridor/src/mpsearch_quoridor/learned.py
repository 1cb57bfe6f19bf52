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
from mpsearch_quoridor.paths import distance
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.tables import Table

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
FEATURES = Features(write=look, write_all=look_all, inputs=INPUTS, most=MOST)


def make_learned(game: Any) -> Evaluator:
    """The evaluator with the weights for so many players."""
    folder = resources.files("mpsearch_quoridor") / "weights"
    return learned_evaluator(game, read_network(folder / f"{game.players}.npz"))
