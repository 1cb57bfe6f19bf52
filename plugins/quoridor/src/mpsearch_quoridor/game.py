"""Quoridor as a game of mpsearch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mpsearch.contracts import CompiledGame, State
from mpsearch_quoridor.layout import EAST, NORTH, SOUTH, WEST, WIDTH
from mpsearch_quoridor.learned import FEATURES, FEATURES_FOR_TWO
from mpsearch_quoridor.marks import draw_marks
from mpsearch_quoridor.objections import objection_to
from mpsearch_quoridor.options import BEHIND, USUAL, USUAL_WALLS
from mpsearch_quoridor.picture import draw
from mpsearch_quoridor.position import read_position, write_position
from mpsearch_quoridor.rules import RULES, RULES_FOR_TWO
from mpsearch_quoridor.scene import make_scene
from mpsearch_quoridor.state import NOBODY, side_of
from mpsearch_quoridor.svg import Diagram, draw_svg
from mpsearch_quoridor.tables import EASTWARD, NORTHWARD
from mpsearch_quoridor.text import read_move, write_move


class Quoridor(CompiledGame):
    """Quoridor for two to four players."""

    def __init__(
        self, *, players: int, size: int, walls: int, behind: str, plies: int, trace: bool
    ) -> None:
        self.players = players
        self.size = size
        self.walls = USUAL_WALLS[players] if walls == USUAL else walls
        self.behind = behind
        self.plies = plies
        self.trace = trace
        self.rules = RULES_FOR_TWO if players == 2 else RULES
        self.features = FEATURES_FOR_TWO[size] if players == 2 else FEATURES

    def setup(self, s: Any) -> None:
        far, middle = self.size - 1, self.size // 2
        start = {
            SOUTH: middle,
            WEST: WIDTH * middle,
            NORTH: WIDTH * far + middle,
            EAST: WIDTH * middle + far,
        }
        s.players = self.players
        s.rows = self.size
        s.behind = BEHIND.index(self.behind)
        s.traced = int(self.trace)
        s.plies_left = self.plies
        s.winner = NOBODY
        s.north[:] = NORTHWARD[self.size]
        s.east[:] = EASTWARD[self.size]
        for seat in range(self.players):
            s.pawn[seat] = start[int(side_of(s, seat))]
            s.walls[seat] = self.walls

    def write(self, move: int) -> str:
        return write_move(move)

    def read(self, text: str) -> int:
        return read_move(text, self.size)

    def stage(self, view: State) -> str:
        played = self.plies - int(self.record(view).plies_left)
        return f"round {played // self.players + 1}"

    def objection(self, state: State, move: int) -> str:
        return objection_to(self.record(state), move)

    def position(self, state: State) -> str:
        """The state as a line of text; `mpsearch_quoridor.position` says how."""
        return write_position(self.record(state))

    def from_position(self, text: str) -> State:
        """The state that a line of text stands for; UsageError says what is wrong with it."""
        s = self.record(self.new())
        read_position(s, text)
        state: bytes = s.tobytes()
        return state

    def picture(self, view: State, *, colour: bool = False, paths: bool = False) -> str:
        return draw(make_scene(self.record(view), paths=paths), colour=colour)

    def svg(self, view: State, *, moves: Sequence[int] = (), paths: bool = False) -> str:
        scene = make_scene(self.record(view), paths=True)
        return draw_svg(scene, marks=draw_marks(scene, moves), paths=paths)

    def diagram(self, state: State, *, paths: bool = False) -> Diagram:
        """The state for notebooks, and for print."""
        return Diagram(game=self, state=state, paths=paths)
