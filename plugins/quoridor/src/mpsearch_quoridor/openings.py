"""The three named openings, for two players on the full board.

Written for seat 0, which starts on e1 and walks up; seat 1 plays the same turned round.
"""

from __future__ import annotations

from typing import TypeAlias

#: What one seat plays, whatever the other does; several lines where there is a choice.
Lines: TypeAlias = tuple[tuple[str, ...], ...]

#: The choice of all openings.
ANY = "any"
_WALK = ("e2", "e3", "e4")

OPENINGS: dict[str, Lines] = {
    # Two walls on the third row before the opponent, with a gap in the middle.
    "reed": (("c6h", "f6h"),),
    # Three steps, then a wall along the own edge, which leaves the opponent two ways.
    "shiller": tuple((*_WALK, wall) for wall in ("c1v", "d1v", "e1v", "f1v")),
    # Three steps, two walls behind the pawn, and one at each of their ends.
    "ala": ((*_WALK, "d3h", "f3h", "c4v", "g4v"),),
}
