"""The board as text, with box characters."""

from __future__ import annotations

import itertools

from mpsearch.gamekit import SEAT_COLOURS, painted
from mpsearch_quoridor.layout import EAST, NORTH, SOUTH, WEST
from mpsearch_quoridor.scene import NO_COLOUR, Scene, Wall
from mpsearch_quoridor.text import COLUMNS, ROWS

#: Characters of a square, and of a square with the gap beside it.
CELL = 3
PITCH = CELL + 1


def draw(scene: Scene, *, colour: bool = False) -> str:
    """The board seen from seat 0, and beside it a line about every seat: 79 columns, 20 lines.

    Walls are heavy lines and the last one placed a double line; a pawn that moved last is in
    parentheses. With `colour`, rich markup shows whose walls and pawns they are.
    """
    canvas = _Canvas(scene.size, colour=colour)
    for seat, path in enumerate(scene.paths):
        for row, column in {square for step in path for square in step}:
            canvas.square(row, column, f" {'∙∘◦*'[seat]} ", SEAT_COLOURS[seat])
    for seat, (row, column) in enumerate(scene.pawns):
        mark = f"({seat})" if seat == scene.last_pawn else f" {seat} "
        canvas.square(row, column, mark, f"bold {SEAT_COLOURS[seat]}")
    for wall in scene.walls:
        canvas.wall(wall)
    lines = canvas.lines()
    for number, told in enumerate(_seats(scene, colour=colour), start=1):
        lines[number] += f" {told}"
    return "\n".join(lines)


def _seats(scene: Scene, *, colour: bool) -> list[str]:
    lines = []
    for seat, (row, column) in enumerate(scene.pawns):
        mark = ">" if seat == scene.mover else "*" if seat == scene.winner else " "
        text = (
            f"{mark} seat {seat} on {COLUMNS[column]}{ROWS[row]}, "
            f"{scene.walls_left[seat]} walls, {scene.distances[seat]} to {_goal(scene, seat)}"
        )
        lines.append(painted(text, SEAT_COLOURS[seat], colour=colour))
    if scene.mover is None and scene.winner is None:
        lines.append("  nobody has won")
    return lines


def _goal(scene: Scene, seat: int) -> str:
    last = scene.size - 1
    return {
        SOUTH: f"row {ROWS[0]}",
        NORTH: f"row {ROWS[last]}",
        WEST: f"column {COLUMNS[0]}",
        EAST: f"column {COLUMNS[last]}",
    }[scene.goals[seat]]


class _Canvas:
    """Characters with colours, addressed by square."""

    def __init__(self, size: int, *, colour: bool) -> None:
        self.size = size
        self.colour = colour
        width = PITCH * size - 1
        self.rows = [[(" ", "")] * width for _ in range(2 * size - 1)]
        for row in range(size):
            for column in range(size):
                self.square(row, column, " · ", "dim")

    def put(self, line: int, position: int, text: str, style: str) -> None:
        for k, character in enumerate(text):
            self.rows[line][position + k] = (character, style)

    def line_of(self, row: int) -> int:
        """The line of a row of squares; the first row is at the bottom."""
        return 2 * (self.size - 1 - row)

    def square(self, row: int, column: int, text: str, style: str) -> None:
        self.put(self.line_of(row), PITCH * column, text, style)

    def wall(self, wall: Wall) -> None:
        style = NO_COLOUR if wall.owner is None else SEAT_COLOURS[wall.owner]
        if wall.vertical:
            top = self.line_of(wall.row + 1)
            for line in range(top, top + 3):
                character = "║" if wall.last else "┃"
                self.put(line, PITCH * wall.column + CELL, character, style)
        else:
            text = ("═" if wall.last else "━") * (PITCH + CELL)
            self.put(self.line_of(wall.row) - 1, PITCH * wall.column, text, style)

    def lines(self) -> list[str]:
        width = PITCH * self.size - 1
        drawn = [f"  ┌{'─' * width}┐"]
        for number, row in enumerate(self.rows):
            label = ROWS[self.size - 1 - number // 2] if number % 2 == 0 else " "
            drawn.append(f"{label} │{self._markup(row)}│")
        letters = " ".join(f" {letter} " for letter in COLUMNS[: self.size])
        return [*drawn, f"  └{'─' * width}┘", f"   {letters}".rstrip()]

    def _markup(self, row: list[tuple[str, str]]) -> str:
        runs = itertools.groupby(row, key=lambda cell: cell[1])
        return "".join(
            painted("".join(character for character, _ in run), style, colour=self.colour)
            for style, run in runs
        )
