"""A second, slow implementation of Quoridor that shares no code with the first, and games."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest
from mpsearch_quoridor.game import Quoridor

from mpsearch.contracts import State
from mpsearch.plugins.catalog import installed

Square = tuple[int, int]
#: Orientation, column, row, as in 'e3h'.
Wall = tuple[str, int, int]

# What the fixtures below hand to tests.
NewGame: TypeAlias = Callable[..., Quoridor]
RandomStates: TypeAlias = Callable[..., Iterator[State]]

_STARTS: dict[int, list[str]] = {2: ["S", "N"], 3: ["S", "W", "N"], 4: ["S", "W", "N", "E"]}


class SlowQuoridor:
    """Quoridor by the book: sets of squares and walls, and a path search for every wall.

    Squares are (column, row) from 0; moves are texts.
    """

    def __init__(self, players: int, size: int, walls: int, behind: str = "side") -> None:
        self.size, self.behind = size, behind
        self.sides = _STARTS[players]
        mid, far = size // 2, size - 1
        starts = {"S": (mid, 0), "N": (mid, far), "W": (0, mid), "E": (far, mid)}
        self.pawns: list[Square] = [starts[side] for side in self.sides]
        self.left = [walls] * players
        self.walls: set[Wall] = set()
        self.mover = 0
        self.winner: int | None = None

    @classmethod
    def at(cls, game: Quoridor, state: State) -> SlowQuoridor:
        """The position of a state, by way of its text."""
        pawns, left, walls, mover, *_ = game.position(state).split()
        slow = cls(game.players, game.size, 0, game.behind)
        slow.pawns = [slow.square(name) for name in pawns.split(",")]
        slow.left = [int(number) for number in left.split(",")]
        names = [name for own in walls.split("/") for name in own.split(",") if name != "-"]
        slow.walls = {(name[2], *slow.square(name[:2])) for name in names}
        slow.mover = int(mover)
        home = [seat for seat, pawn in enumerate(slow.pawns) if slow.home(seat, pawn)]
        slow.winner = home[0] if home else None
        return slow

    def copy(self) -> SlowQuoridor:
        twin = SlowQuoridor(len(self.pawns), self.size, 0, self.behind)
        twin.pawns, twin.left, twin.walls = list(self.pawns), list(self.left), set(self.walls)
        twin.mover, twin.winner = self.mover, self.winner
        return twin

    @staticmethod
    def square(name: str) -> Square:
        return ord(name[0]) - ord("a"), int(name[1]) - 1

    @staticmethod
    def name(square: Square) -> str:
        return f"{chr(ord('a') + square[0])}{square[1] + 1}"

    def home(self, seat: int, square: Square) -> bool:
        far = self.size - 1
        column, row = square
        return {"S": row == far, "N": row == 0, "W": column == far, "E": column == 0}[
            self.sides[seat]
        ]

    def on_board(self, square: Square) -> bool:
        return all(0 <= part < self.size for part in square)

    @staticmethod
    def barred_by(wall: Wall) -> list[frozenset[Square]]:
        kind, x, y = wall
        if kind == "h":
            return [frozenset({(x + k, y), (x + k, y + 1)}) for k in (0, 1)]
        return [frozenset({(x, y + k), (x + 1, y + k)}) for k in (0, 1)]

    def barred(self, walls: set[Wall]) -> set[frozenset[Square]]:
        return {step for wall in walls for step in self.barred_by(wall)}

    def neighbours(self, square: Square, barred: set[frozenset[Square]]) -> Iterator[Square]:
        x, y = square
        for to in ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)):
            if self.on_board(to) and frozenset({square, to}) not in barred:
                yield to

    def distance(self, seat: int, walls: set[Wall] | None = None) -> int | None:
        barred = self.barred(self.walls if walls is None else walls)
        found = {self.pawns[seat]: 0}
        queue = deque(found)
        while queue:
            here = queue.popleft()
            if self.home(seat, here):
                return found[here]
            for to in self.neighbours(here, barred):
                if to not in found:
                    found[to] = found[here] + 1
                    queue.append(to)
        return None

    def steps(self) -> set[Square]:
        barred = self.barred(self.walls)
        here = self.pawns[self.mover]
        found = set()
        for to in self.neighbours(here, barred):
            if to not in self.pawns:
                found.add(to)
                continue
            beyond = (2 * to[0] - here[0], 2 * to[1] - here[1])
            open_behind = beyond in self.neighbours(to, barred)
            if open_behind and beyond not in self.pawns:
                found.add(beyond)
            elif not (open_behind and self.behind == "none"):
                found |= {
                    aside
                    for aside in self.neighbours(to, barred)
                    if aside not in self.pawns and aside not in (here, beyond)
                }
        return found

    def all_walls(self) -> list[Wall]:
        return [
            (kind, x, y)
            for kind in "hv"
            for x in range(self.size - 1)
            for y in range(self.size - 1)
        ]

    def has_room(self, wall: Wall) -> bool:
        kind, x, y = wall
        crossing = ("v" if kind == "h" else "h", x, y)
        taken = self.barred(self.walls)
        return crossing not in self.walls and not taken.intersection(self.barred_by(wall))

    def cuts(self, wall: Wall) -> list[int]:
        seats = range(len(self.pawns))
        return [seat for seat in seats if self.distance(seat, self.walls | {wall}) is None]

    def wall_name(self, wall: Wall) -> str:
        return self.name(wall[1:]) + wall[0]

    def moves(self) -> set[str]:
        found = {self.name(square) for square in self.steps()}
        if self.left[self.mover] > 0:
            found |= {
                self.wall_name(wall)
                for wall in self.all_walls()
                if self.has_room(wall) and not self.cuts(wall)
            }
        return found or {"pass"}

    def play(self, move: str) -> SlowQuoridor:
        after = self.copy()
        if len(move) == 2:
            after.pawns[self.mover] = self.square(move)
            if self.home(self.mover, self.square(move)):
                after.winner = self.mover
        elif move != "pass":
            after.walls.add((move[2], *self.square(move[:2])))
            after.left[self.mover] -= 1
        after.mover = (self.mover + 1) % len(self.pawns)
        return after

    def count_leaves(self, depth: int) -> int:
        if self.winner is not None:
            return 0
        moves = self.moves()
        if depth == 1:
            return len(moves)
        return sum(self.play(move).count_leaves(depth - 1) for move in moves)


@pytest.fixture
def slow() -> type[SlowQuoridor]:
    return SlowQuoridor


@pytest.fixture
def new_game() -> NewGame:
    """new_game(players, **options): Quoridor as it is installed."""

    def make(players: int = 2, **options: Any) -> Quoridor:
        game = installed().game("quoridor", players=players, **options)
        assert isinstance(game, Quoridor)
        return game

    return make


@pytest.fixture
def random_states() -> RandomStates:
    """States of random games, in which walls and steps are equally likely."""

    def states(game: Quoridor, *, games: int, seed: int, walls: float = 0.5) -> Iterator[State]:
        rng = np.random.default_rng(seed)
        for _ in range(games):
            state = game.new()
            while True:
                yield state
                if game.mover(state) < 0:
                    break
                moves = game.moves(state)
                steps = [move for move in moves if move < 100]
                build = [move for move in moves if move >= 100]
                kind = build if build and (not steps or rng.random() < walls) else steps
                state = game.play(state, kind[int(rng.integers(len(kind)))])

    return states
