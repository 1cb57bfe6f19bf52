"""Board layout: squares and lattice points as bits of two words.

Square (row, column) has the number 9 * row + column on a board of any size; a1 is 0. Sets of
squares are two words, `low` (rows 1 to 5) and `high` (rows 6 to 9), so that every word stays
positive as a 64-bit number. The same numbers stand for the lattice point at a square's upper
right corner, which is the middle of the wall that carries the square's name.
"""

from __future__ import annotations

#: Squares in a row; boards of fewer rows use the corner at a1.
WIDTH = 9
SQUARES = WIDTH * WIDTH
#: Rows of the boards there are.
SIZES = (3, 5, 7, WIDTH)
#: Rows, and bits, in the low word.
LOW_ROWS = 5
LOW_BITS = LOW_ROWS * WIDTH
HIGH_BITS = SQUARES - LOW_BITS
LOW = (1 << LOW_BITS) - 1
HIGH = (1 << HIGH_BITS) - 1
#: The first row of either word.
ROW = (1 << WIDTH) - 1
#: Distance by which a row is moved from one word into the other.
CARRY_ROW = LOW_BITS - WIDTH
CARRY_BIT = LOW_BITS - 1

SEATS = 4
LARGEST_RADIUS = 8

#: Sides of the board on which pawns start, clockwise; the goal is opposite.
SOUTH, WEST, NORTH, EAST = range(4)
