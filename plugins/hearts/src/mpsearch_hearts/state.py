"""The state of a tournament as one record."""

from __future__ import annotations

import numpy as np

from mpsearch_hearts.cards import SEATS

#: Cards each seat passes.
PASSED = 3
#: `count` when the passing begins: it rises to 0 with every card.
PASSING_STARTS = -PASSED * SEATS

#: Bits of `variant`: the rules that are on.
BREAKING = 1  # hearts may not be led before one was played
SAFE_FIRST = 2  # no points in the first trick
JACK = 4  # the jack of diamonds is worth -10
MOON_ADD = 8  # all points in one hand: 26 for everybody else
MOON_SUBTRACT = 16  # all points in one hand: -26 for its owner
SINGLE = 32  # one deal is the whole game
TRICK_ENDS = 64  # the game ends with the trick, not the deal, in which the limit is reached

#: `jack` while nobody has taken the jack of diamonds.
NOBODY = -1

STATE = np.dtype(
    [
        # Per seat, as sets of cards (see mpsearch_hearts.cards):
        ("hands", "i8", SEATS),
        ("played", "i8", SEATS),
        # Cards that everybody knows a seat not to hold: suits it did not follow, and so on.
        ("cannot", "i8", SEATS),
        # Cards it chose to pass; still in its hand until everybody has chosen.
        ("passed", "i8", SEATS),
        # Points taken in this deal, the jack of diamonds not counted, and scores before it.
        ("points", "i8", SEATS),
        ("scores", "i8", SEATS),
        # Cards it has taken in this deal; nobody decides anything by them, people look at them.
        ("taken", "i8", SEATS),
        # The trick on the table, complete until the next card is led, and the one before it.
        ("pile", "i8"),
        ("last", "i8"),
        # The card that takes it, and who played that.
        ("best", "i8"),
        ("winner", "i8"),
        # Cards played in this deal; below 0 while cards are passed.
        ("count", "i8"),
        # A seat, CHANCE before a deal, OVER.
        ("mover", "i8"),
        # Who took the jack of diamonds in this deal.
        ("jack", "i8"),
        # Cards go to the seat this far on the left: 0 nowhere, 1 left, 2 across, 3 right.
        ("direction", "i8"),
        ("deals", "i8"),
        ("limit", "i8"),
        ("variant", "i8"),
    ],
    align=True,
)
