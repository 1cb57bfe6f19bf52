"""The three named openings, for two players on the full board.

Written for seat 0, which starts on e1 and walks up; seat 1 plays the same turned round. Where an
opening leaves a choice there are several lines.
"""

from __future__ import annotations

import attrs

from mpsearch.contracts import Turn
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.layout import WIDTH
from mpsearch_quoridor.notation import read_move
from mpsearch_quoridor.position import walls_on_board
from mpsearch_quoridor.state import HORIZONTAL, PASS, VERTICAL

#: The choice of all openings.
ANY = "any"
_WALK = ["e2", "e3", "e4"]


@attrs.frozen
class Opening:
    """What one seat plays, whatever the other does."""

    #: Lines of own moves, as texts for seat 0.
    lines: tuple[tuple[str, ...], ...]

    def next_moves(self, game: Quoridor, turn: Turn) -> list[int]:
        """The moves that go on with a line whose moves up to now are on the board."""
        if game.players != 2 or game.size != WIDTH:
            return []
        s = game.record(turn.view)
        pawn = int(s.pawn[turn.seat])
        placed = game.walls - int(s.walls[turn.seat])
        board = set(walls_on_board(s))
        found = []
        for line in self.lines:
            moves = [_turned(read_move(text, WIDTH), turn.seat) for text in line]
            start = _turned(read_move("e1", WIDTH), turn.seat)
            for made, following in enumerate(moves):
                walls = [move for move in moves[:made] if move > PASS]
                steps = [start, *(move for move in moves[:made] if move < PASS)]
                if pawn == steps[-1] and len(walls) == placed and board.issuperset(walls):
                    found.append(following)
        return list(dict.fromkeys(found))


def _turned(move: int, seat: int) -> int:
    """A move of seat 0 as the seat makes it: for seat 1 the board is turned by half."""
    if seat == 0:
        return move
    if move < PASS:
        return WIDTH * WIDTH - 1 - move
    base = VERTICAL if move >= VERTICAL else HORIZONTAL
    # The square that names a wall is the lower left of four: turned, the upper right.
    return base + WIDTH * WIDTH - 1 - (move - base) - WIDTH - 1


OPENINGS = {
    # Two walls on the third row before the opponent, with a gap in the middle.
    "reed": Opening((("c6h", "f6h"),)),
    # Three steps, then a wall along the own edge, which leaves the opponent two ways.
    "shiller": Opening(tuple((*_WALK, wall) for wall in ("c1v", "d1v", "e1v", "f1v"))),
    # Three steps, two walls behind the pawn, and one at each of their ends.
    "ala": Opening(((*_WALK, "d3h", "f3h", "c4v", "g4v"),)),
}
