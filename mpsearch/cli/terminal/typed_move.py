"""Reading moves that people type: abbreviated, loosely spelled, word by word, or by number."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from mpsearch.contracts import Game, Move, State
from mpsearch.errors import MoveError

_LOOSE = re.compile(r"[\s_-]+")


@attrs.frozen(kw_only=True)
class MoveReader:
    """Reads the moves of one position, each as the words it consists of."""

    game: Game
    #: The state by which moves are written and objected to.
    world: State
    moves: Sequence[Move]

    def next_words(self, said: Sequence[str]) -> list[str]:
        """The words that can follow."""
        found = (self._words(move) for move in self.moves)
        there = (w[len(said)] for w in found if len(w) > len(said) and w[: len(said)] == [*said])
        return list(dict.fromkeys(there))

    def move(self, words: Sequence[str]) -> Move | None:
        """The legal move that consists of these words."""
        return next((move for move in self.moves if self._words(move) == list(words)), None)

    def read(self, text: str, pending: Sequence[str] = ()) -> list[str]:
        """The words of the legal move that a text stands for, as the next of `pending` if it can.

        MoveError says why it stands for none.
        """
        # A number is a move's place in the list before it is the beginning of a word: `2` is not
        # the two of hearts. A word that is just this number goes before both.
        for said in ([*pending, text], [text]):
            found = self._word_by_word(said, whole=text.isdecimal())
            if found:
                return found
        try:
            move = self.spelled(text)
        except MoveError:
            if not text.isdecimal():
                raise
            number = int(text)
            if not 1 <= number <= len(self.moves):
                raise MoveError(
                    f"there is no move {number}: they are numbered 1 to {len(self.moves)}"
                ) from None
            move = self.moves[number - 1]
        if move is None:
            raise MoveError(self._objection(text))
        return self._words(move)

    def spelled(self, text: str) -> Move | None:
        """The legal move with this text, in any case, with spaces or hyphens; None if it is none.

        MoveError if the game cannot read the text in any spelling.
        """
        wanted = _loosened(text)
        found = [m for m in self.moves if _loosened(self.game.write_in(self.world, m)) == wanted]
        if len(found) == 1:
            return found[0]
        error: MoveError | None = None
        for form in _forms(text):
            try:
                move = self.game.read_in(self.world, form)
            except MoveError as problem:
                error = error or problem
                continue
            return move if move in self.moves else None
        assert error is not None
        raise error

    def read_several(self, text: str) -> tuple[list[str], list[str]]:
        """The first of several moves in one line, and the texts of the others."""
        first, *rest = text.split()
        for word in rest:
            self.game.read_in(self.world, word)
        return self.read(first), rest

    def _words(self, move: Move) -> list[str]:
        """The words that a move consists of here."""
        parts = self.game.parts(move)
        return list(parts) if len(parts) > 1 else [self.game.write_in(self.world, move)]

    def _word_by_word(self, said: Sequence[str], *, whole: bool) -> list[str]:
        """The words of the legal move that a person's words stand for; none if there is none.

        The last may be the beginning of a word, unless it must be a `whole` one.
        """
        found: list[str] = []
        for word in said:
            there = self.next_words(found)
            wanted = _loosened(word)
            same = [w for w in there if _loosened(w) in (wanted, self._other_name(word))]
            begun = [] if whole else [w for w in there if _loosened(w).startswith(wanted)]
            near = same or begun
            if len(near) != 1 or (not same and len(found) + len(there) < 2):
                return []
            found.append(near[0])
        return found if self.move(found) is not None else []

    def _other_name(self, word: str) -> str:
        """The word as the game itself writes it, if it is a move of one word."""
        try:
            parts = self._words(self.game.read_in(self.world, word))
        except MoveError:
            return ""
        return _loosened(parts[0]) if len(parts) == 1 else ""

    def _objection(self, text: str) -> str:
        for form in _forms(text):
            try:
                why = self.game.objection(self.world, self.game.read_in(self.world, form))
            except MoveError:
                continue
            return f"'{text}' is not legal: {why}"
        return f"'{text}' is not legal"


def _loosened(text: str) -> str:
    """A text without case, spaces, hyphens and underscores."""
    return _LOOSE.sub("", text).casefold()


def _forms(text: str) -> tuple[str, ...]:
    """The spellings of a text in which a game may know it."""
    return text, text.lower(), "".join(text.lower().split())
