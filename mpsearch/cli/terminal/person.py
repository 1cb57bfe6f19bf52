"""A person at the terminal: a player who types moves and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from mpsearch.cli.options import show
from mpsearch.cli.terminal.game import LeftError, TerminalGame
from mpsearch.cli.terminal.layout import wrapped
from mpsearch.cli.terminal.prompt import Prompt
from mpsearch.cli.terminal.streams import printable
from mpsearch.cli.terminal.typed_move import MoveReader
from mpsearch.contracts import (
    Decision,
    Game,
    Memory,
    Move,
    Option,
    Player,
    PlayerOffer,
    Turn,
    any_world,
)
from mpsearch.errors import MoveError, MpsearchError
from mpsearch.match import RESIGN, TakenBackError, undo_point

_HELP = """  Type a move, or its number in 'moves', then Enter; Enter again plays it.
    moves    what is legal now      hint     what three agents would play
    look     the position again     why      why the others moved as they did
    rules    the rules              undo     take back your last move
    save F   the game so far to F   resign   give up; the record says so
    quit     leave; 'mpsearch play --resume FILE' goes on with what was saved"""

_LEAVING = "Press Ctrl-C again to leave the game; any answer continues it."
#: More legal moves than this are not listed one by one.
_LISTED = 60


class Human(Player):
    """Shows what a seat may know and asks for its move."""

    def __init__(self, game: Game, *, confirm: bool = True, forced: bool = True) -> None:
        self.game = game
        #: Whether a move is shown once more before it is played.
        self.confirm = confirm
        #: Whether the only legal move is played without asking.
        self.forced = forced
        #: The game being played, once `seat_people` has set it.
        self.current: TerminalGame
        #: Moves typed ahead in one line, for the turns right after that one.
        self.queue: list[str] = []
        self._prompt = Prompt()

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        if (queued := self._queued(turn)) is not None:
            return Decision(move=queued)
        if self.forced and len(turn.moves) == 1:
            only = turn.moves[0]
            text = self.game.write_in(any_world(self.game, turn.view), only)
            print(f"      your only move: {text}")
            return Decision(move=only)
        return Decision(move=_TurnDialogue(self, turn, self._prompt).move())

    def _queued(self, turn: Turn) -> Move | None:
        """The move that was typed ahead for this turn, if nobody else has moved since."""
        texts, self.queue = self.queue, []
        if not texts or self.current.live.plies[-1].seat != turn.seat:
            return None
        reader = _reader(self.game, turn)
        try:
            move = reader.move(reader.read(texts[0]))
        except MoveError as error:
            print(wrapped(printable(error)))
            return None
        self.queue = texts[1:]
        return move


def _reader(game: Game, turn: Turn) -> MoveReader:
    # The view decides how moves are written: any world will do.
    return MoveReader(game=game, world=any_world(game, turn.view), moves=turn.moves)


class _TurnDialogue:
    """One turn: questions and answers until there is a move."""

    def __init__(self, human: Human, turn: Turn, prompt: Prompt) -> None:
        self.game, self.turn, self.human = human.game, turn, human
        self.current = human.current
        self.reader = _reader(human.game, turn)
        self.prompt = prompt
        #: A typed move that waits for Enter, as the words it consists of.
        self.pending: list[str] = []
        #: Further moves in the same line.
        self.rest: list[str] = []
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.help,
            "help": self.help,
            "moves": self.moves,
            "look": self.look,
            "hint": self.hint,
            "why": self.why,
            "rules": self.rules,
            "undo": self.undo,
            "save": self.save,
            "resign": self.resign,
            "quit": self.quit,
            "exit": self.quit,
        }

    def move(self) -> Move:
        self.look("")
        while True:
            try:
                text = self.prompt.ask(self._question(), self._words, warning=_LEAVING)
            except EOFError:
                raise LeftError("the input ended before the game was over") from None
            if not text:
                move = self.reader.move(self.pending) if self.pending else None
                if move is not None:
                    self.human.queue = self.rest
                    return move
                continue
            word, _, rest = text.partition(" ")
            command = self.commands.get(word.lower())
            if command is not None:
                command(rest.strip())
            elif self._take(text) and not self.human.confirm and not self._more():
                self.human.queue = self.rest
                return self.reader.move(self.pending)

    def _question(self) -> str:
        if not self.pending:
            who = f"seat {self.turn.seat}, " if self.current.you is None else ""
            return f"{who}your move (? for help): "
        more = self._more()
        shown = ">".join(self.pending) if more else " ".join(self.pending)
        if self.rest:
            return wrapped(f"{shown}, then {' '.join(self.rest)}: Enter plays them:") + " "
        on = f", or continue to {', '.join(more[:4])}{' ...' * (len(more) > 4)}" if more else ""
        return wrapped(f"{shown}: Enter plays it{on}:") + " "

    def _more(self) -> list[str]:
        """The words that can follow the pending ones."""
        return self.reader.next_words(self.pending) if self.pending else []

    def _words(self) -> Iterable[str]:
        return [*self.reader.next_words(self.pending), *self.commands]

    def _take(self, text: str) -> bool:
        """Make a text the pending move; if it is not legal, say why and clear what was pending."""
        before, self.pending, self.rest = self.pending, [], []
        try:
            self.pending = self.reader.read(text, before)
        except MoveError as error:
            try:
                self.pending, self.rest = self.reader.read_several(text)
            except MoveError:
                print(wrapped(printable(error)))
                return False
        return True

    def help(self, _: str) -> None:
        print(_HELP)
        if (guide := self.current.table.offer.read_guide()) is not None:
            print(guide.notation)

    def rules(self, _: str) -> None:
        guide = self.current.table.offer.read_guide()
        print(guide.text if guide is not None else "  this game has no rules text")

    def moves(self, _: str) -> None:
        moves = self.turn.moves
        if len(moves) > _LISTED or any(len(self.game.parts(move)) > 1 for move in moves):
            said = self.pending if self._more() else []
            words = " ".join(self.reader.next_words(said))
            text = f"{len(moves)} moves; type one of: {words}"
        else:
            text = "  ".join(
                f"{n})\N{NO-BREAK SPACE}{self.game.write_in(self.reader.world, move)}"
                for n, move in enumerate(moves, 1)
            )
        print(wrapped(text).replace("\N{NO-BREAK SPACE}", " "))

    def look(self, _: str) -> None:
        print()
        show(self.game, self.turn.view)

    def hint(self, _: str) -> None:
        print(self.current.hint(self.turn))

    def why(self, of: str) -> None:
        if of and (not of.isdecimal() or int(of) >= self.game.players):
            print(
                f"  '{printable(of)}' is not a seat: type 'why', or 'why 2' for seat 2's last move"
            )
        else:
            print(self.current.why(self.turn.seat, int(of) if of else None))

    def undo(self, _: str) -> None:
        plies, seat = self.current.live.plies, self.turn.seat
        try:
            ply = undo_point(self.game, [past.seat for past in plies], seat)
        except MpsearchError as error:
            print(f"  {error}")
            return
        undone = [
            f"{'your' if past.seat == seat else f'seat {past.seat}:'} "
            f"{self.game.write_in(past.before, past.move)}"
            for past in plies[ply:]
        ]
        print(wrapped(f"taken back: {', '.join(undone)}"))
        raise TakenBackError(ply, seat=seat)

    def save(self, path: str) -> None:
        if not path:
            print("  give a file name: save game.jsonl")
            return
        try:
            self.current.live.save(Path(path))
            print(f"  saved; 'mpsearch play --resume {printable(path)}' continues from here")
        except MpsearchError as error:
            print(f"  {error}")

    def resign(self, _: str) -> None:
        answer = self.prompt.ask("  really resign? (yes or no): ", lambda: ("yes", "no"))
        if answer.lower() in ("y", "yes"):
            self.current.live.mark(RESIGN, self.turn.seat)
            alone = self.current.you is not None
            raise LeftError("you resigned" if alone else f"seat {self.turn.seat} resigned")

    def quit(self, _: str) -> None:
        raise LeftError("you left the game")


HUMAN = PlayerOffer(
    name="human",
    summary="a person at the terminal",
    make=Human,
    options=(
        Option(name="confirm", kind=bool, default=True, help="ask before playing a move"),
        Option(name="forced", kind=bool, default=True, help="play a forced move without asking"),
    ),
)


def seat_people(players: Iterable[Player], game: TerminalGame) -> bool:
    """Tell the people among the players which game they play; whether there are any."""
    people = [player for player in players if isinstance(player, Human)]
    for human in people:
        human.current = game
    return bool(people)
