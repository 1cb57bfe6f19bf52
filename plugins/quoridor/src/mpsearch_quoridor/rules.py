"""The rules: whose turn, which moves, what they do, who won."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import OVER, Rules, compiled
from mpsearch_quoridor.bitboard import up
from mpsearch_quoridor.layout import HIGH, LOW, LOW_BITS, LOW_ROWS, ROW, WIDTH
from mpsearch_quoridor.race import solve
from mpsearch_quoridor.state import HORIZONTAL, PASS, STATE, VERTICAL, side_of
from mpsearch_quoridor.steps import targets
from mpsearch_quoridor.tables import BIT, COLUMNS_OF, COUNT_OF, GOAL
from mpsearch_quoridor.walls import WALL_ROOM, legal_walls

#: 128 walls and 8 steps at most, WIDTH more that may be written behind a list; `legal_walls`
#: needs more than that.
MOST_MOVES = max(136 + WIDTH, WALL_ROOM)
#: The move that bit 0 stands for in each word of a list.
FIRST = np.array([0, LOW_BITS, HORIZONTAL, HORIZONTAL + LOW_BITS, VERTICAL, VERTICAL + LOW_BITS])


@compiled
def mover(s: Any) -> int:
    return OVER if s.finished else s.mover


@compiled
def list_words(words: Any, out: Any) -> int:
    """Write the moves of sets of steps, horizontal and vertical walls to `out`; their number.

    `words` is a tuple of two words for each, in this order, perhaps several times over.
    """
    count = 0
    for k in range(len(words)):
        for row in range(LOW_ROWS):
            bits = (words[k] >> (WIDTH * row)) & ROW
            if bits:
                # The whole row of a table, whatever its length: 0.6 of the time of going from
                # bit to bit.
                for j in range(WIDTH):
                    out[count + j] = FIRST[k % 6] + WIDTH * row + COLUMNS_OF[bits, j]
                count += COUNT_OF[bits]
    return count


@compiled
def list_moves(s: Any, h_low: int, h_high: int, v_low: int, v_high: int, out: Any) -> Any:
    """All steps, then those of the given walls that are legal; a pass if there is nothing."""
    low, high = targets(s)
    h_low, h_high, v_low, v_high = legal_walls(s, h_low, h_high, v_low, v_high, out)
    count = list_words((low, high, h_low, h_high, v_low, v_high), out)
    if count == 0:
        out[0] = PASS
        return 1
    return count


@compiled
def moves(s: Any, out: Any) -> Any:
    return list_moves(s, LOW, HIGH, LOW, HIGH, out)


@compiled
def place(s: Any, square: int, vertical: bool) -> None:
    """Put a wall on the board, whoever's it is."""
    low, high = BIT[square, 0], BIT[square, 1]
    if vertical:
        s.vertical[0] |= low
        s.vertical[1] |= high
        up_low, up_high = up(low, high)
        s.east[0] &= ~(low | up_low)
        s.east[1] &= ~(high | up_high)
    else:
        s.horizontal[0] |= low
        s.horizontal[1] |= high
        s.north[0] &= ~(low | (low << 1))
        s.north[1] &= ~(high | (high << 1))


@compiled
def remember_owner(s: Any, square: int, seat: int) -> None:
    """Note whose wall it is, for pictures."""
    for k in range(2):
        if (seat >> k) & 1:
            s.owner[k, 0] |= BIT[square, 0]
            s.owner[k, 1] |= BIT[square, 1]


@compiled
def play(s: Any, move: int) -> None:
    me = s.mover
    if move < PASS:
        if s.traced:
            s.been[me, 0] |= BIT[s.pawn[me], 0]
            s.been[me, 1] |= BIT[s.pawn[me], 1]
        s.pawn[me] = move
        side = side_of(s, me)
        home = (BIT[move, 0] & GOAL[s.rows, side, 0]) | (BIT[move, 1] & GOAL[s.rows, side, 1])
        if home:
            s.finished = 1
            s.winner = me
    elif move > PASS:
        vertical = move >= VERTICAL
        square = move - VERTICAL if vertical else move - HORIZONTAL
        place(s, square, vertical)
        s.walls[me] -= 1
        if s.traced:
            remember_owner(s, square, me)
    if s.traced:
        s.last = move + 1
    s.plies_left -= 1
    if s.plies_left == 0:
        s.finished = 1
    s.mover = me + 1 if me + 1 < s.players else 0


@compiled
def skip(s: Any) -> None:
    play(s, PASS)


@compiled
def payoff(s: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = 1.0 if s.winner == seat else 0.0


RULES = Rules(
    state=STATE,
    mover=mover,
    moves=moves,
    play=play,
    payoff=payoff,
    most_moves=MOST_MOVES,
    skip=skip,
)
#: Once no walls are left, two players' game is a race whose end is known.
RULES_FOR_TWO = attrs.evolve(RULES, solve=solve)
