"""A game that knows its end: take one to three from a heap, and win with the last one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import (
    OVER,
    Array,
    Bounds,
    CompiledEvaluator,
    CompiledGame,
    Game,
    Rules,
    compiled,
)
from mpsearch.errors import MoveError

STATE = np.dtype(
    # `known`: up to this many the end is known. `byte` is 31: shifted by 4, it overflows in NumPy
    # but not in numba.
    [("left", "i8"), ("mover", "i8"), ("known", "i8"), ("byte", "u1")],
    align=True,
)
#: No heap is higher.
HIGHEST = 40


@compiled
def mover(s: Any) -> int:
    return OVER if s.left == 0 else s.mover


@compiled
def moves(s: Any, out: Any) -> Any:
    count = min(s.left, 3)
    for i in range(count):
        out[i] = i + 1
    return count


@compiled
def play(s: Any, move: int) -> None:
    s.left -= move
    s.mover = 1 - s.mover


@compiled
def payoff(s: Any, out: Any) -> None:
    # Who has taken the last one is not to move any more.
    out[s.mover], out[1 - s.mover] = 0.0, 1.0


@compiled
def solve(s: Any) -> Any:
    """By the heights below: the soonest loss of the other one wins, else the latest win of it."""
    if s.left == 0 or s.left > s.known:
        return 0
    # Plies to a win, or negative to a loss; 0 for the empty heap, which is a loss at once.
    plies = np.zeros(HIGHEST + 1, np.int64)
    for left in range(1, s.left + 1):
        win, loss = HIGHEST, 0
        for take in range(1, min(left, 3) + 1):
            if plies[left - take] <= 0:
                win = min(win, 1 - plies[left - take])
            else:
                loss = max(loss, 1 + plies[left - take])
        plies[left] = win if win < HIGHEST else -loss
    found = plies[s.left]
    s.mover = 1 - s.mover if found > 0 else s.mover
    s.left = 0
    return abs(found)


@compiled
def guess(s: Any, parameters: Any, out: Any) -> None:
    """Who has won; before that anything, so that whoever believes it plays badly."""
    mine = 100.0 * ((7 * s.left * s.left + 3) % 10) / 10.0 + 1.0
    if s.left == 0:
        mine = 0.0
    out[s.mover], out[1 - s.mover] = mine, 100.0 - mine


RULES = Rules(
    state=STATE, mover=mover, moves=moves, play=play, payoff=payoff, most_moves=3, solve=solve
)


class TakeAway(CompiledGame):
    """The game as compiled rules."""

    players = 2
    rules = RULES

    def __init__(self, height: int = 12, known: int = HIGHEST) -> None:
        self.height, self.known = height, known

    def setup(self, s: Any) -> None:
        s.left, s.known, s.byte = self.height, self.known, 31

    def read(self, text: str) -> int:
        if text not in ("1", "2", "3"):
            raise MoveError(f"'{text}' is no number from 1 to 3")
        return int(text)


class PlainTakeAway(Game):
    """The same as plain Python that shares nothing with it: states are (left, mover)."""

    players = 2

    def __init__(self, height: int = 12, known: int = HIGHEST) -> None:
        self.height, self.known = height, known

    def new(self) -> Any:
        return self.height, 0

    def mover(self, state: Any) -> int:
        return OVER if state[0] == 0 else state[1]

    def moves(self, state: Any) -> Sequence[int]:
        return [1, 2, 3][: state[0]]

    def play(self, state: Any, move: int) -> Any:
        return state[0] - move, 1 - state[1]

    def payoff(self, state: Any) -> Array:
        return np.array([float(state[1] == 1), float(state[1] == 0)])

    @property
    def solves(self) -> bool:
        return True

    def solve(self, state: Any) -> Any:
        return None if state[0] > self.known else self.best_end(state)

    def best_end(self, state: Any) -> Any:
        """The end by looking at everything that can come."""
        if state[0] == 0:
            return state, 0
        ends = [self.best_end(self.play(state, move)) for move in self.moves(state)]
        ends = [(end, plies + 1) for end, plies in ends]
        wins = [end for end in ends if end[0][1] != state[1]]
        if wins:
            return min(wins, key=lambda end: end[1])
        return max(ends, key=lambda end: end[1])

    def read(self, text: str) -> int:
        return TakeAway().read(text)


def guessing(game: TakeAway) -> CompiledEvaluator:
    return CompiledEvaluator(game, guess, bounds=Bounds(total=(100, 100)))
