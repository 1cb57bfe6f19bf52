"""Cards as bits: card = 16 * suit + rank, and a set of cards is one integer.

Each suit has a lane of 16 bits, of which 13 are used, so that all four suits of a hand can be
worked on at once without one spilling into the next, and every set stays below 2**63.
"""

from __future__ import annotations

SEATS = 4
HAND = 13
CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
#: Bits of a lane, and the shift that finds a card's suit.
LANE = 16
SUIT_SHIFT = 4
#: All thirteen ranks of one lane.
RANKS = (1 << HAND) - 1

#: The lowest bit of every lane.
ONES = sum(1 << (LANE * suit) for suit in range(4))
DECK = RANKS * ONES
ALL_HEARTS = RANKS << (LANE * HEARTS)

TWO_OF_CLUBS = LANE * CLUBS
JACK_OF_DIAMONDS = LANE * DIAMONDS + 9
QUEEN_OF_SPADES = LANE * SPADES + 10
QUEEN_BIT = 1 << QUEEN_OF_SPADES
JACK_BIT = 1 << JACK_OF_DIAMONDS
#: The cards that cost points.
PENALTIES = ALL_HEARTS | QUEEN_BIT

QUEEN_POINTS = 13
JACK_POINTS = -10
DEAL_POINTS = QUEEN_POINTS + HAND
