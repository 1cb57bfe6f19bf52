"""Bingo: nobody can do anything about anybody.

Everybody has a board of `cells` different numbers from 1 to `numbers`. Numbers are called at
random, none twice. After each call everybody in turn marks the number if it is on the board,
with a red or a blue pen, or passes. When all have done so and some board is full the game is
over, and the full boards win. Which pen is the only choice there is, and it changes nothing:
so a search looks behind two moves and must find the same values behind both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Array,
    Game,
)
from mpsearch.errors import MoveError
from mpsearch.gamekit import read_hands, write_hands

PENS = ("red", "blue")
PASS = "pass"


class Position(NamedTuple):
    """A state."""

    #: Each seat's numbers, rising; empty before the boards are handed out.
    boards: tuple[tuple[int, ...], ...] = ()
    #: Numbers called so far, in order.
    called: tuple[int, ...] = ()
    #: How many seats have answered the last call.
    answered: int = 0


class Bingo(Game):
    """Bingo with boards of `cells` of the numbers from 1 to `numbers`."""

    lists_chance = True

    def __init__(self, *, players: int, cells: int, numbers: int) -> None:
        self.players = players
        self.cells = cells
        # A board cannot hold more numbers than there are.
        self.numbers = max(numbers, cells)

    def marked(self, state: Position, seat: int) -> int:
        """How many cells of a board are marked: those called, the last one once answered."""
        heard = state.called if seat < state.answered else state.called[:-1]
        return len(set(heard) & set(state.boards[seat])) if state.boards else 0

    def new(self) -> Position:
        # As if a call had been answered by all, so that the first call is next.
        return Position(answered=self.players)

    def mover(self, state: Position) -> int:
        if not state.boards:
            return CHANCE
        if state.answered < self.players:
            return state.answered
        full = any(self.marked(state, seat) == self.cells for seat in range(self.players))
        return OVER if full else CHANCE

    def moves(self, state: Position) -> Sequence[str]:
        return PENS if state.called[-1] in state.boards[self.mover(state)] else (PASS,)

    def play(self, state: Position, move: Any) -> Position:
        if not state.boards:
            return state._replace(boards=move)
        if state.answered < self.players:
            return state._replace(answered=state.answered + 1)
        return state._replace(called=(*state.called, move), answered=0)

    def payoff(self, state: Position) -> Array:
        marked = [self.marked(state, seat) for seat in range(self.players)]
        return np.array([float(count == self.cells) for count in marked])

    def chance(self, state: Position) -> Sequence[tuple[Any, float]]:
        if not state.boards:
            return ()
        left = [n for n in range(1, self.numbers + 1) if n not in state.called]
        return [(number, 1 / len(left)) for number in left]

    def draw(self, state: Position, rng: np.random.Generator) -> Any:
        if state.boards:
            return super().draw(state, rng)
        boards = (rng.permutation(self.numbers)[: self.cells] + 1 for _ in range(self.players))
        return tuple(tuple(sorted(board.tolist())) for board in boards)

    def possible(self, state: Position, outcome: Any) -> bool:
        if state.boards:
            return super().possible(state, outcome)
        all_numbers = set(range(1, self.numbers + 1))
        return (
            isinstance(outcome, tuple)
            and len(outcome) == self.players
            and all(len(board) == self.cells for board in outcome)
            and all(list(board) == sorted(set(board) & all_numbers) for board in outcome)
        )

    def write(self, move: Any) -> str:
        if isinstance(move, tuple):
            return write_hands(move)
        return str(move)

    def read(self, text: str) -> Any:
        if text in (*PENS, PASS):
            return text
        try:
            if "|" in text:
                return tuple(map(tuple, read_hands(text, int)))
            return int(text)
        except ValueError:
            raise MoveError(f"move '{text}' is not {', '.join(PENS)} or {PASS}") from None

    def picture(self, view: Position, *, colour: bool = False) -> str:
        lines = [f"called: {' '.join(map(str, view.called)) or '-'}"]
        for seat, board in enumerate(view.boards):
            heard = view.called if seat < view.answered else view.called[:-1]
            cells = " ".join(f"({n})" if n in heard else f" {n} " for n in board)
            lines.append(f"  seat {seat}  {cells}")
        return "\n".join(lines)
