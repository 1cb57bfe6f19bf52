"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np

from mpsearch.cli.common import say
from mpsearch.contracts import Decision, Game, Memory, Player, PlayerOffer, Turn
from mpsearch.errors import MoveError, MpsearchError

_HELP = """  Type a move and press Enter. Also:
    ?      this help
    moves  all legal moves
    look   the position again
    quit   leave the game (what was played is in the record)"""


class LeftError(MpsearchError):
    """The person left the table."""


@attrs.frozen(kw_only=True)
class Human(Player):
    """Shows what a seat may know and asks for its move."""

    game: Game
    ask: Callable[[str], str] = input

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        self._show(turn)
        while True:
            try:
                text = self.ask(f"seat {turn.seat}, your move (? for help): ").strip()
            except EOFError:
                raise LeftError("the input ended before the game did") from None
            if text in ("?", "help"):
                say(_HELP)
            elif text == "moves":
                say("  " + " ".join(self.game.write(move) for move in turn.moves))
            elif text == "look":
                self._show(turn)
            elif text in ("quit", "exit"):
                raise LeftError("you left the game")
            elif text:
                move = self._read(turn, text)
                if move is not None:
                    return Decision(move=move[0])

    def _show(self, turn: Turn) -> None:
        say()
        say(self.game.picture(turn.view, colour=True))

    def _read(self, turn: Turn, text: str) -> tuple[object] | None:
        try:
            move = self.game.read(text)
        except MoveError as error:
            say(f"  {error}")
            return None
        if move not in turn.moves:
            # The view decides what may be said about why: a world that fits it will do.
            world = self.game.world(turn.view, np.random.default_rng(0))
            say(f"  '{text}' is not legal: {self.game.objection(world, move)}")
            return None
        return (move,)


HUMAN = PlayerOffer(
    name="human", summary="a person at the terminal", make=lambda game: Human(game=game)
)
