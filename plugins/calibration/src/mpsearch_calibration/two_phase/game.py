"""Two-phase: a race with contact first and none later, the Backgammon of the MP-Mix paper.

Everybody runs two pawns along a road of `road` squares and then a lane of `lane` squares of
their own. Each turn a die of three faces says how far, and the player chooses which pawn goes.
A pawn that stops on a square of the road where others have pawns throws all of them back to
the start (square 0, which is safe). What a pawn does not need to come home the other one walks.
The first with both pawns at home wins.

Once the pawns of at most one player are on the road or before it, a choice moves one's own
pawns and nothing else: the squares walked are those of the die, whichever pawn walks them. So
the impact is 0.
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

FACES = (1, 2, 3)
FRONT, REAR = "front", "rear"


class Position(NamedTuple):
    """A state."""

    #: Each seat's pawns, the front one first.
    pawns: tuple[tuple[int, int], ...]
    #: The seat whose turn it is.
    seat: int = 0
    #: What the die shows; None before it is cast.
    die: int | None = None


class TwoPhase(Game):
    """The race, with `road` squares of contact and `lane` squares without."""

    lists_chance = True

    def __init__(self, *, players: int, road: int, lane: int) -> None:
        self.players = players
        self.road = road
        self.home = road + lane

    def new(self) -> Position:
        return Position(pawns=((0, 0),) * self.players)

    def mover(self, state: Position) -> int:
        if (self.home, self.home) in state.pawns:
            return OVER
        return CHANCE if state.die is None else state.seat

    def moves(self, state: Position) -> Sequence[str]:
        front, rear = state.pawns[state.seat]
        if front == self.home:
            return (REAR,)
        return (FRONT,) if front == rear else (FRONT, REAR)

    def play(self, state: Position, move: Any) -> Position:
        if state.die is None:
            return state._replace(die=move)
        me = state.seat
        front, rear = state.pawns[me]
        goes, stays = (front, rear) if move == FRONT else (rear, front)
        spare = max(goes + state.die - self.home, 0)
        goes += state.die - spare
        walked = {goes}
        if spare:
            stays = min(stays + spare, self.home)
            walked.add(stays)
        hit = {square for square in walked if 0 < square <= self.road}
        pawns = [tuple(0 if pawn in hit else pawn for pawn in pair) for pair in state.pawns]
        pawns[me] = (goes, stays)
        ordered = tuple((max(pair), min(pair)) for pair in pawns)
        return Position(pawns=ordered, seat=(me + 1) % self.players)

    def contact(self, state: Position) -> bool:
        """Whether two seats still have pawns on the road, or before it."""
        return sum(rear <= self.road for _, rear in state.pawns) > 1

    def payoff(self, state: Position) -> Array:
        return np.array([float(pair == (self.home, self.home)) for pair in state.pawns])

    def chance(self, state: Position) -> Sequence[tuple[int, float]]:
        return [(face, 1 / len(FACES)) for face in FACES]

    def read(self, text: str) -> Any:
        if text in (FRONT, REAR):
            return text
        if text in map(str, FACES):
            return int(text)
        raise MoveError(f"move '{text}' is neither '{FRONT}' nor '{REAR}'")

    def picture(self, view: Position, *, colour: bool = False) -> str:
        lines = [f"seat {view.seat}, die {'-' if view.die is None else view.die}"]
        for seat, pair in enumerate(view.pawns):
            squares = range(self.home + 1)
            track = "".join(
                str(pair.count(s)) if s in pair else ".-"[s > self.road] for s in squares
            )
            lines.append(f"  seat {seat}  {track}")
        return "\n".join(lines)
