"""A person at the terminal: a player who is asked for moves and may give commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from mpsearch.cli.options import show
from mpsearch.cli.terminal.game import LeftError, TerminalGame
from mpsearch.cli.terminal.layout import wrapped
from mpsearch.cli.terminal.prompt import Prompt
from mpsearch.cli.terminal.streams import printable
from mpsearch.contracts import (
    Decision,
    Game,
    Guide,
    Memory,
    Move,
    Option,
    Player,
    PlayerOffer,
    Turn,
    any_world,
    loosened,
    onward,
    parts_in,
    said_in_parts,
    spelled,
)
from mpsearch.errors import MoveError, MpsearchError
from mpsearch.match import RESIGN, TakenBackError, undo_point

_HELP = """  Type a move, or its number in 'moves', then Enter; Enter again plays it.
    moves    what is legal now      hint     what three agents would play
    look     the position again     why      what the others' moves were for
    rules    the rules              undo     take back your last move
    save F   the game so far to F   resign   give up; the record says so
    quit     leave; 'mpsearch play --resume FILE' goes on with what was saved"""

_LEAVING = "Ctrl-C once more leaves the game; any answer goes on."
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
        #: The game that is being played, for those commands that need more than a turn.
        self.current: TerminalGame | None = None
        self._prompt = Prompt()

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        if self.forced and len(turn.moves) == 1:
            only = turn.moves[0]
            text = self.game.write_in(any_world(self.game, turn.view), only)
            print(f"      your only move: {text}")
            return Decision(move=only)
        return Decision(move=_TurnDialogue(self, turn, self._prompt).move())


class _TurnDialogue:
    """One turn: what is asked and answered until there is a move."""

    def __init__(self, human: Human, turn: Turn, prompt: Prompt) -> None:
        self.game, self.turn, self.human = human.game, turn, human
        #: The view decides how moves are said, and what may be said of them: any world will do.
        self.world = any_world(human.game, turn.view)
        self.prompt = prompt
        #: A move that was typed and waits for Enter, in the words it is made of.
        self.pending: list[str] = []
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
                raise LeftError("the input ended before the game did") from None
            if not text:
                move = said_in_parts(self.game, self.world, self.turn.moves, self.pending)
                if self.pending and move is not None:
                    return move
                continue
            word, _, rest = text.partition(" ")
            command = self.commands.get(word.lower())
            if command is not None:
                command(rest.strip())
            elif self._take(text) and not self.human.confirm and not self._more():
                return said_in_parts(self.game, self.world, self.turn.moves, self.pending)

    def _question(self) -> str:
        if not self.pending:
            return f"seat {self.turn.seat}, your move (? for help): "
        more = self._more()
        shown = ">".join(self.pending) if more else " ".join(self.pending)
        on = f", or go on to {', '.join(more[:4])}{' ...' * (len(more) > 4)}" if more else ""
        return wrapped(f"{shown}: Enter plays it{on}:") + " "

    def _more(self) -> list[str]:
        """The words that could follow what is pending."""
        return (
            list(onward(self.game, self.world, self.turn.moves, self.pending))
            if self.pending
            else []
        )

    def _words(self) -> Iterable[str]:
        return [*onward(self.game, self.world, self.turn.moves, self.pending), *self.commands]

    def _take(self, text: str) -> bool:
        """Let a text be the pending move; if it is none, say why and forget what was pending."""
        before, self.pending = self.pending, []
        # A number is a move's place in the list before it is the beginning of a word: `2` is not
        # the two of hearts. A word that is just this number goes before both.
        for said in ([*before, text], [text]):
            found = self._word_by_word(said, whole=text.isdecimal())
            if found:
                self.pending = found
                return True
        moves = self.turn.moves
        try:
            move = spelled(self.game, self.world, moves, text)
        except MoveError as error:
            if text.isdecimal():
                return self._take_number(int(text))
            print(wrapped(printable(error)))
            return False
        if move is None:
            self._object(text)
            return False
        self.pending = list(parts_in(self.game, self.world, move))
        return True

    def _take_number(self, number: int) -> bool:
        moves = self.turn.moves
        if not 1 <= number <= len(moves):
            print(f"  there is no move {number}: they have the numbers 1 to {len(moves)}")
            return False
        self.pending = list(parts_in(self.game, self.world, moves[number - 1]))
        return True

    def _word_by_word(self, said: list[str], *, whole: bool) -> list[str]:
        """The words of a legal move that a person's words stand for; none if there is none.

        The last may be the beginning of a word, unless it is to be a `whole` one.
        """
        found: list[str] = []
        for word in said:
            there = list(onward(self.game, self.world, self.turn.moves, found))
            wanted = loosened(word)
            same = [w for w in there if loosened(w) in (wanted, self._other_name(word))]
            begun = [] if whole else [w for w in there if loosened(w).startswith(wanted)]
            near = same or begun
            if len(near) != 1 or (not same and len(found) + len(there) < 2):
                return []
            found.append(near[0])
        return (
            found
            if said_in_parts(self.game, self.world, self.turn.moves, found) is not None
            else []
        )

    def _other_name(self, word: str) -> str:
        """The word as the game itself would say it, where it stands for a move of one word."""
        try:
            parts = parts_in(self.game, self.world, self.game.read_in(self.world, word))
        except MoveError:
            return ""
        return loosened(parts[0]) if len(parts) == 1 else ""

    def _object(self, text: str) -> None:
        for form in (text, text.lower(), "".join(text.lower().split())):
            try:
                why = self.game.objection(self.world, self.game.read_in(self.world, form))
            except MoveError:
                continue
            print(wrapped(f"'{printable(text)}' is not legal: {why}"))
            return

    def _guide(self) -> Guide | None:
        current = self.human.current
        return None if current is None else current.table.offer.read_guide()

    def help(self, _: str) -> None:
        print(_HELP)
        guide = self._guide()
        if guide is not None:
            print(guide.notation)

    def rules(self, _: str) -> None:
        guide = self._guide()
        print(guide.text if guide is not None else "  the game brings no rules")

    def moves(self, _: str) -> None:
        moves = self.turn.moves
        if len(moves) > _LISTED or any(len(self.game.parts(move)) > 1 for move in moves):
            said = self.pending if self._more() else []
            words = " ".join(onward(self.game, self.world, moves, said))
            text = f"{len(moves)} moves; next may come: {words}"
        else:
            text = "  ".join(
                f"{n})\N{NO-BREAK SPACE}{self.game.write_in(self.world, move)}"
                for n, move in enumerate(moves, 1)
            )
        print(wrapped(text).replace("\N{NO-BREAK SPACE}", " "))

    def look(self, _: str) -> None:
        print()
        show(self.game, self.turn.view)

    def hint(self, _: str) -> None:
        current = self.human.current
        if current is not None:
            print(current.hint(self.turn))

    def why(self, of: str) -> None:
        current = self.human.current
        if of and (not of.isdecimal() or int(of) >= self.game.players):
            print(f"  '{printable(of)}' is no seat: say 'why', or 'why 2' for seat 2's last move")
        elif current is not None:
            print(current.why(self.turn.seat, int(of) if of else None))

    def undo(self, _: str) -> None:
        current, seat = self.human.current, self.turn.seat
        if current is None:
            return
        try:
            ply = undo_point(self.game, [ply.seat for ply in current.live.plies], seat)
        except MpsearchError as error:
            print(f"  {error}")
            return
        undone = [
            f"{'your' if past.seat == seat else f'seat {past.seat}:'} "
            f"{self.game.write_in(past.before, past.move)}"
            for past in current.live.plies[ply:]
        ]
        print(wrapped(f"taken back: {', '.join(undone)}"))
        raise TakenBackError(ply, seat=seat)

    def save(self, path: str) -> None:
        current = self.human.current
        try:
            if not path:
                print("  say where: save game.jsonl")
            elif current is not None:
                current.live.save(Path(path))
                print(f"  saved; 'mpsearch play --resume {printable(path)}' goes on from here")
        except MpsearchError as error:
            print(f"  {error}")

    def resign(self, _: str) -> None:
        answer = self.prompt.ask("  resign, really? (yes or no): ", lambda: ("yes", "no"))
        if answer.lower() in ("y", "yes"):
            if self.human.current is not None:
                self.human.current.live.mark(RESIGN, self.turn.seat)
            raise LeftError(f"seat {self.turn.seat} resigned")

    def quit(self, _: str) -> None:
        raise LeftError("you left the game")


HUMAN = PlayerOffer(
    name="human",
    summary="a person at the terminal",
    make=Human,
    options=(
        Option(name="confirm", kind=bool, default=True, help="ask before playing a move"),
        Option(name="forced", kind=bool, default=True, help="play the only legal move unasked"),
    ),
)


def seat_people(players: Iterable[Player], game: TerminalGame) -> bool:
    """Give the people among the players their game; whether there are any."""
    people = [player for player in players if isinstance(player, Human)]
    for human in people:
        human.current = game
    return bool(people)
