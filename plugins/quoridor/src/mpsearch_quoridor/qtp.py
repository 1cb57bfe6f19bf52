"""QTP, the Quoridor Text Protocol of quoridor.di.uoa.gr, for two players.

White's pawn starts below and Black's above. The first to move is seat 0, which starts below here:
if Black begins, as is usual, the board is turned upside down. QTP names a wall by the upper left of
the four squares around its middle, we by the lower left.
"""

from __future__ import annotations

from collections.abc import Callable

from mpsearch.contracts import OVER, Dialect, Game, Move, State, winners
from mpsearch.errors import MoveError, UsageError
from mpsearch_quoridor.state import HORIZONTAL, PASS
from mpsearch_quoridor.text import COLUMNS, read_move, wall_parts, write_square

WHITE, BLACK = "white", "black"
_COLOURS = {"w": WHITE, WHITE: WHITE, "b": BLACK, BLACK: BLACK}
_KINDS = {"h": "h", "horizontal": "h", "v": "v", "vertical": "v"}
_NAMES = {"h": "horizontal", "v": "vertical"}


class Qtp(Dialect):
    """An engine that speaks QTP."""

    def __init__(self, game: Game) -> None:
        if game.players != 2:
            raise UsageError("QTP is for two players: --players 2")
        self.game = game
        self.size: int = game.size  # type: ignore[attr-defined]
        self.walls: int = game.walls  # type: ignore[attr-defined]
        self._states: list[State] = [game.new()]
        self._moves: list[int] = []
        #: Who moved first; None before that.
        self._first: str | None = None
        self._over = False

    @property
    def over(self) -> bool:
        return self._over

    def answer(self, line: str, choose: Callable[[State], Move]) -> str | None:
        words = line.partition("#")[0].split()
        if not words:
            return None
        name, arguments = words[0], [word.lower() for word in words[1:]]
        commands: dict[str, Callable[[list[str]], str]] = {
            "name": lambda _: "mpsearch",
            "known_command": lambda rest: "true" if rest[:1] and rest[0] in commands else "false",
            "list_commands": lambda _: "\n".join(commands),
            "quit": self._quit,
            "boardsize": lambda rest: self._same(rest, self.size, "unacceptable size"),
            "clear_board": self._clear,
            "walls": lambda rest: self._same(rest, self.walls, "unacceptable number of walls"),
            "playmove": self._play_move,
            "playwall": self._play_wall,
            "genmove": lambda rest: self._choose(rest, choose),
            "undo": self._undo,
            "winner": lambda _: self._winner(),
            "showboard": lambda _: self._board(),
        }
        if name not in commands:
            return "? unknown command\n"
        try:
            said = commands[name](arguments)
        except UsageError as error:
            return f"? {error}\n"
        return f"= {said}\n".replace("= \n", "=\n", 1)

    def _quit(self, rest: list[str]) -> str:
        self._over = True
        return ""

    def _clear(self, rest: list[str]) -> str:
        self._states, self._moves, self._first = [self.game.new()], [], None
        return ""

    def _same(self, rest: list[str], own: int, why: str) -> str:
        """Begin a new game; its size and walls must be those the engine was started with."""
        if len(rest) != 1 or not rest[0].isdecimal():
            raise UsageError("syntax error")
        if int(rest[0]) != own:
            raise UsageError(why)
        return self._clear([])

    def _play_move(self, rest: list[str]) -> str:
        colour, square = self._said(rest, 2)
        self._play(colour, self._square(square, colour))
        return ""

    def _play_wall(self, rest: list[str]) -> str:
        colour, square, kind = self._said(rest, 3)
        if kind not in _KINDS:
            raise UsageError("syntax error")
        column, number = square[:1], square[1:]
        if not number.isdecimal():
            raise UsageError("syntax error")
        row = self.size + 1 - int(number) if self._flipped(colour) else int(number) - 1
        self._play(colour, f"{column}{row}{_KINDS[kind]}")
        return ""

    def _choose(self, rest: list[str], choose: Callable[[State], Move]) -> str:
        (colour,) = self._said(rest, 1)
        self._check_turn(colour)
        state = self._states[-1]
        if self.game.mover(state) == OVER:
            raise UsageError("the game is over")
        move = choose(state)
        if move == PASS:
            raise UsageError("no move is possible")
        text = self._written(move, colour)
        self._add(colour, move)
        return text

    def _written(self, move: int, colour: str) -> str:
        if move < HORIZONTAL:
            return self._square(write_square(move), colour).upper()
        square, vertical = wall_parts(move)
        text = write_square(square)
        number = self.size + 1 - int(text[1:]) if self._flipped(colour) else int(text[1:]) + 1
        return f"{text[0].upper()}{number} {_NAMES['v' if vertical else 'h']}"

    def _undo(self, rest: list[str]) -> str:
        times = int(rest[0]) if rest[:1] and rest[0].isdecimal() else 1
        if not 1 <= times < len(self._states):
            raise UsageError("cannot undo")
        del self._states[-times:], self._moves[-times:]
        if len(self._states) == 1:
            self._first = None
        return ""

    def _winner(self) -> str:
        state = self._states[-1]
        best = winners(self.game.payoff(state)) if self.game.mover(state) == OVER else []
        if not best:
            return "false"
        first = self._first or WHITE
        return f"true {first if best[0] == 0 else _other(first)}"

    def _board(self) -> str:
        """The pawns as the protocol names their squares, and the walls by name."""
        s = self.game.record(self._states[-1])  # type: ignore[attr-defined]
        first = self._first or WHITE
        pawns = {
            self._square(write_square(int(s.pawn[seat])), first): colour[0].upper()
            for seat, colour in enumerate((first, _other(first)))
        }
        columns = COLUMNS[: self.size]
        letters = "   " + " ".join(columns.upper())
        rows = [
            f"{row:2} " + " ".join(pawns.get(f"{column}{row}", ".") for column in columns)
            for row in range(self.size, 0, -1)
        ]
        built = [self._written(move, first) for move in self._moves if move >= HORIZONTAL]
        return "\n".join(["", letters, *rows, letters, f"walls: {', '.join(built) or 'none'}"])

    def _said(self, rest: list[str], count: int) -> list[str]:
        """The arguments of a command: the colour, written out, and the rest."""
        if len(rest) != count or rest[0] not in _COLOURS:
            raise UsageError("syntax error")
        return [_COLOURS[rest[0]], *rest[1:]]

    def _check_turn(self, colour: str) -> None:
        first = self._first or colour
        if colour != (first if len(self._states) % 2 else _other(first)):
            raise UsageError("illegal move")

    def _flipped(self, colour: str) -> bool:
        """Whether rows count from the other side; before the first move, if `colour` makes it."""
        return (self._first or colour) == BLACK

    def _square(self, text: str, colour: str) -> str:
        """A square of QTP in our notation, or the reverse: the conversion is its own inverse."""
        column, number = text[:1], text[1:]
        if column not in COLUMNS or not number.isdecimal():
            raise UsageError("syntax error")
        row = self.size + 1 - int(number) if self._flipped(colour) else int(number)
        return f"{column}{row}"

    def _play(self, colour: str, text: str) -> None:
        self._check_turn(colour)
        state = self._states[-1]
        try:
            move = read_move(text, self.size)
        except MoveError:
            raise UsageError("illegal move") from None
        if self.game.mover(state) == OVER or move not in self.game.moves(state):
            raise UsageError("illegal move")
        self._add(colour, move)

    def _add(self, colour: str, move: int) -> None:
        self._first = self._first or colour
        self._states.append(self.game.play(self._states[-1], move))
        self._moves.append(move)


def _other(colour: str) -> str:
    return BLACK if colour == WHITE else WHITE
