"""The state of Go Fish as one record, with what all have seen.

Public knowledge is kept per seat and rank. Cards given away in public are `known` cards of the
taker. Every other card of a hand was taken from the stock unseen; such cards are numbered in the
order in which the seat took them. Whenever it turns out how many cards of a rank a seat has, it
has none afterwards (it gave them away or laid them down), so a card that it still holds of that
rank has a higher number than `since`. How many unseen cards it parted with then is entered in a
list, because it says which numbers the cards it kept may have.
"""

from __future__ import annotations

import numpy as np

BOOK = 4
MOST_SEATS = 4
MOST_RANKS = 13
DECK = BOOK * MOST_RANKS
#: An outcome of chance is DRAWN plus the rank of the card; a question is below.
DRAWN = MOST_SEATS * MOST_RANKS

#: Columns of `parted`: a seat gave away or laid down so many unseen cards of a rank, which were
#: among the first `UNTIL` that it took. SINCE and ASKED are those of the state at that time.
SEAT, RANK, SINCE, ASKED, UNTIL, CARDS = range(6)

STATE = np.dtype(
    [
        ("hands", "i1", (MOST_SEATS, MOST_RANKS)),
        ("stock", "i1", MOST_RANKS),
        # How many cards there are in each hand and in the stock, which all can see.
        ("sizes", "i1", MOST_SEATS),
        ("rest", "i1"),
        ("books", "i1", MOST_SEATS),
        # Which ranks have become books, and how many.
        ("gone", "i1", MOST_RANKS),
        ("made", "i1"),
        # Cards that a seat was given, by rank, and that it still has.
        ("known", "i1", (MOST_SEATS, MOST_RANKS)),
        # Cards a seat took unseen so far; how many of them it had when it last had no card of
        # a rank; and how many when it first asked for the rank thereafter without a known card
        # of it, so that at least one of them is one (0: it did not).
        ("taken", "i1", MOST_SEATS),
        ("since", "i1", (MOST_SEATS, MOST_RANKS)),
        ("asked", "i1", (MOST_SEATS, MOST_RANKS)),
        # The first `partings` entries are in use.
        ("parted", "i1", (DECK, 6)),
        ("partings", "i1"),
        ("seat", "i1"),
        # Whether the mover must draw before anything else, and whether the turn then passes on.
        ("draws", "i1"),
        ("passes", "i1"),
        ("dealt", "i1"),
        # Whether one may only ask for what one holds.
        ("strict", "i1"),
        ("players", "i1"),
        ("ranks", "i1"),
        ("asks_left", "i8"),
    ],
    align=True,
)
