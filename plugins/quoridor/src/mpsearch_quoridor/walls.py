"""Which walls may be placed.

A wall needs free room, and must leave every pawn a path. Two cheap tests spare nearly all
floods: a wall that meets the border or other walls at fewer than two of its three lattice
points cannot close anything (the anchor test), and one that crosses nobody's shortest path
leaves that path.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch_quoridor.bitboard import down, left, right, up
from mpsearch_quoridor.layout import ROW, SEATS
from mpsearch_quoridor.paths import PATH_ROOM, reaches, shortest_path
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.tables import BIT, BORDER, GOAL, SLOTS

#: Where in the room for `legal_walls` crossings are kept, and how much room it needs.
CROSSINGS = PATH_ROOM
WALL_ROOM = CROSSINGS + 4 * (SEATS + 1)


@compiled
def free_walls(s: Any) -> tuple[int, int, int, int]:
    """Walls that would neither overlap nor cross another: horizontal, then vertical."""
    h_low, h_high = s.horizontal[0], s.horizontal[1]
    v_low, v_high = s.vertical[0], s.vertical[1]
    left_low, left_high = left(h_low, h_high)
    right_low, right_high = right(h_low, h_high)
    down_low, down_high = down(v_low, v_high)
    up_low, up_high = up(v_low, v_high)
    both_low, both_high = h_low | v_low, h_high | v_high
    slots_low, slots_high = SLOTS[s.rows, 0], SLOTS[s.rows, 1]
    return (
        slots_low & ~(both_low | left_low | right_low),
        slots_high & ~(both_high | left_high | right_high),
        slots_low & ~(both_low | down_low | up_low),
        slots_high & ~(both_high | down_high | up_high),
    )


@compiled
def touched_points(s: Any) -> tuple[int, int]:
    """The lattice points that walls touch with their ends or middles."""
    h_low, h_high = s.horizontal[0], s.horizontal[1]
    v_low, v_high = s.vertical[0], s.vertical[1]
    left_low, left_high = left(h_low, h_high)
    right_low, right_high = right(h_low, h_high)
    down_low, down_high = down(v_low, v_high)
    up_low, up_high = up(v_low, v_high)
    return (
        h_low | v_low | left_low | right_low | down_low | up_low,
        h_high | v_high | left_high | right_high | down_high | up_high,
    )


@compiled
def anchored_walls(s: Any) -> tuple[int, int, int, int]:
    """Walls that meet the border or other walls at two points or more."""
    low, high = touched_points(s)
    low |= BORDER[s.rows, 0]
    high |= BORDER[s.rows, 1]
    west_low, west_high = right(low, high)
    west_low |= 1
    east_low, east_high = left(low, high)
    south_low, south_high = up(low, high)
    south_low |= ROW
    north_low, north_high = down(low, high)
    return (
        (low & (west_low | east_low)) | (west_low & east_low),
        (high & (west_high | east_high)) | (west_high & east_high),
        (low & (south_low | north_low)) | (south_low & north_low),
        (high & (south_high | north_high)) | (south_high & north_high),
    )


@compiled
def leaves_path(s: Any, seat: int, low: int, high: int, vertical: bool) -> Any:
    """Whether a seat still has a path once the wall with this middle is placed."""
    north_low, north_high = s.north[0], s.north[1]
    east_low, east_high = s.east[0], s.east[1]
    if vertical:
        up_low, up_high = up(low, high)
        east_low &= ~(low | up_low)
        east_high &= ~(high | up_high)
    else:
        north_low &= ~(low | (low << 1))
        north_high &= ~(high | (high << 1))
    square = s.pawn[seat]
    side = side_of(s, seat)
    return reaches(
        BIT[square, 0],
        BIT[square, 1],
        GOAL[s.rows, side, 0],
        GOAL[s.rows, side, 1],
        north_low,
        north_high,
        east_low,
        east_high,
    )


@compiled
def _find_crossings(s: Any, room: Any) -> None:
    """Write the walls that cross each seat's shortest path to `room`, and those of any seat.

    From CROSSINGS on, four words for each seat and four for all of them.
    """
    for k in range(4):
        room[CROSSINGS + 4 * SEATS + k] = 0
    for seat in range(s.players):
        up_low, up_high, right_low, right_high = shortest_path(s, seat, room)
        left_low, left_high = left(up_low, up_high)
        down_low, down_high = down(right_low, right_high)
        at = CROSSINGS + 4 * seat
        room[at] = up_low | left_low
        room[at + 1] = up_high | left_high
        room[at + 2] = right_low | down_low
        room[at + 3] = right_high | down_high
        for k in range(4):
            room[CROSSINGS + 4 * SEATS + k] |= room[at + k]


@compiled
def _closing(s: Any, doubtful: int, word: int, room: Any) -> int:
    """Those of the doubtful walls in one word of four that take somebody's last path."""
    closing = doubtful & 0
    while doubtful:
        wall = doubtful & -doubtful
        doubtful ^= wall
        low = wall if word % 2 == 0 else wall & 0
        high = wall ^ low
        for seat in range(s.players):
            crosses = room[CROSSINGS + 4 * seat + word] & wall
            if crosses and not leaves_path(s, seat, low, high, word >= 2):
                closing |= wall
                break
    return closing


@compiled
def legal_walls(
    s: Any, h_low: int, h_high: int, v_low: int, v_high: int, room: Any
) -> tuple[int, int, int, int]:
    """Those of the given walls that the mover may place, if it has any left.

    `room` is WALL_ROOM words to work in. Callers pass the list of moves, which is not yet
    written: with arrays of its own, finding the crossings took 2.4 times as long.
    """
    if s.walls[s.mover] == 0:
        none = h_low & 0
        return none, none, none, none
    free = free_walls(s)
    h_low &= free[0]
    h_high &= free[1]
    v_low &= free[2]
    v_high &= free[3]
    anchored = anchored_walls(s)
    doubtful = (
        h_low & anchored[0],
        h_high & anchored[1],
        v_low & anchored[2],
        v_high & anchored[3],
    )
    if doubtful[0] | doubtful[1] | doubtful[2] | doubtful[3]:
        _find_crossings(s, room)
        closing = CROSSINGS + 4 * SEATS
        for word in range(4):
            room[closing + word] = _closing(s, doubtful[word] & room[closing + word], word, room)
        h_low &= ~room[closing]
        h_high &= ~room[closing + 1]
        v_low &= ~room[closing + 2]
        v_high &= ~room[closing + 3]
    return h_low, h_high, v_low, v_high
