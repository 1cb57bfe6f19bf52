"""A person at the terminal."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch.cli.common import show
from mpsearch.cli.streams import printable
from mpsearch.contracts import Decision, Game, Memory, Move, Option, Player, PlayerOffer, Turn
from mpsearch.errors import MoveError, MpsearchError

_HELP = """  Type a move and press Enter; Enter again plays it, another move takes its place. Also:
    ?      this help
    moves  all legal moves
    look   the position again
    quit   leave the game (what was played is in the record)
  With the agent human:confirm=no a move is played at once."""


class LeftError(MpsearchError):
    """The person left the table."""


@attrs.frozen(kw_only=True)
class Human(Player):
    """Shows what a seat may know and asks for its move."""

    game: Game
    #: Whether a move is shown once more before it is played.
    confirm: bool = True

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        self._show(turn)
        pending: list[Move] = []
        while True:
            text = self._ask(turn, pending)
            if not text and pending:
                return Decision(move=pending[0])
            pending = []
            if text in ("?", "help"):
                print(_HELP)
            elif text == "moves":
                print("  " + " ".join(self.game.write(move) for move in turn.moves))
            elif text == "look":
                self._show(turn)
            elif text in ("quit", "exit"):
                raise LeftError("you left the game")
            elif text:
                pending = self._read(turn, text)
                if pending and not self.confirm:
                    return Decision(move=pending[0])

    def _ask(self, turn: Turn, pending: list[Move]) -> str:
        prompt = f"seat {turn.seat}, your move (? for help): "
        if pending:
            prompt = f"  {self.game.write(pending[0])}: Enter to play it, or another move: "
        try:
            return input(prompt).strip()
        except EOFError:
            raise LeftError("the input ended before the game did") from None

    def _show(self, turn: Turn) -> None:
        print()
        show(self.game, turn.view)

    def _read(self, turn: Turn, text: str) -> list[Move]:
        """The legal move that a text stands for; none if there is none, and why is said."""
        try:
            move = self.game.read(text)
        except MoveError as error:
            print(f"  {printable(error)}")
            return []
        if move not in turn.moves:
            # The view decides what may be said about why: a world that fits it will do.
            world = self.game.world(turn.view, np.random.default_rng(0))
            print(f"  '{printable(text)}' is not legal: {self.game.objection(world, move)}")
            return []
        return [move]


def _make(game: Game, *, confirm: bool) -> Human:
    return Human(game=game, confirm=confirm)


HUMAN = PlayerOffer(
    name="human",
    summary="a person at the terminal",
    make=_make,
    options=(Option(name="confirm", kind=bool, default=True, help="ask before playing a move"),),
)
