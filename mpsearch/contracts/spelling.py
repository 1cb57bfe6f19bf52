"""Moves as people spell them: in any case, with spaces or hyphens, or word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mpsearch.contracts.game import Game, Move
from mpsearch.errors import MoveError

_LOOSE = re.compile(r"[\s_-]+")


def spelled(game: Game, moves: Sequence[Move], text: str) -> Move | None:
    """The one of the legal `moves` that a text stands for; None if it is not legal.

    MoveError if the game cannot read the text however it is spelled.
    """
    wanted = loosened(text)
    found = [move for move in moves if loosened(game.write(move)) == wanted]
    if len(found) == 1:
        return found[0]
    error: MoveError | None = None
    for form in dict.fromkeys((text, text.lower(), "".join(text.lower().split()))):
        try:
            move = game.read(form)
        except MoveError as problem:
            error = error or problem
            continue
        return move if move in moves else None
    assert error is not None
    raise error


def onward(game: Game, moves: Sequence[Move], said: Sequence[str]) -> Iterator[str]:
    """The words that may follow those `said` so far, each once, in the order of the moves."""
    seen: dict[str, None] = {}
    for move in moves:
        parts = game.parts(move)
        if len(parts) > len(said) and list(parts[: len(said)]) == list(said):
            seen[parts[len(said)]] = None
    return iter(seen)


def said_in_parts(game: Game, moves: Sequence[Move], said: Sequence[str]) -> Move | None:
    """The legal move made of exactly these words."""
    return next((move for move in moves if list(game.parts(move)) == list(said)), None)


def loosened(text: str) -> str:
    """A text without what people spell differently."""
    return _LOOSE.sub("", text).casefold()
