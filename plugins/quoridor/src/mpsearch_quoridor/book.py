"""The opening book: follow an opening while it can be played."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch.contracts import Advice, Insight, Turn
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.layout import WIDTH
from mpsearch_quoridor.openings import ANY, OPENINGS, Lines
from mpsearch_quoridor.position import walls_on_board
from mpsearch_quoridor.state import HORIZONTAL, PASS, VERTICAL
from mpsearch_quoridor.text import read_move


@attrs.frozen
class Book(Insight):
    """Continues an opening whose moves so far are on the board."""

    game: Quoridor
    openings: tuple[Lines, ...]

    def advice(self, turn: Turn, rng: np.random.Generator) -> Advice:
        known = [
            move
            for lines in self.openings
            for move in next_moves(lines, self.game, turn)
            if move in turn.moves
        ]
        return Advice(move=known[int(rng.integers(len(known)))]) if known else Advice()


def make_book(game: Quoridor, *, opening: str) -> Book:
    chosen = OPENINGS.values() if opening == ANY else [OPENINGS[opening]]
    return Book(game, tuple(chosen))


def next_moves(lines: Lines, game: Quoridor, turn: Turn) -> list[int]:
    """The moves that continue a line whose moves so far are on the board."""
    if game.players != 2 or game.size != WIDTH:
        return []
    s = game.record(turn.view)
    pawn = int(s.pawn[turn.seat])
    placed = game.walls - int(s.walls[turn.seat])
    board = set(walls_on_board(s))
    found = []
    for line in lines:
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
