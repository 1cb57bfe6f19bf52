"""Moves as people type them: in any case, with spaces or hyphens, or word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mpsearch.contracts.game import Game, Move, State
from mpsearch.errors import MoveError

_LOOSE = re.compile(r"[\s_-]+")


def spelled(game: Game, state: State, moves: Sequence[Move], text: str) -> Move | None:
    """The legal move with this text, however spelled; None if it is not among `moves`.

    MoveError if the game cannot read the text in any spelling.
    """
    wanted = loosened(text)
    found = [move for move in moves if loosened(game.write_in(state, move)) == wanted]
    if len(found) == 1:
        return found[0]
    error: MoveError | None = None
    for form in dict.fromkeys((text, text.lower(), "".join(text.lower().split()))):
        try:
            move = game.read_in(state, form)
        except MoveError as problem:
            error = error or problem
            continue
        return move if move in moves else None
    assert error is not None
    raise error


def written_line(game: Game, state: State, line: Sequence[Move]) -> list[str]:
    """The texts of a line of moves from `state`.

    A line found in another world may not be playable here: from there on its moves are written
    without a state.
    """
    texts, reached = [], True
    for move in line:
        reached = reached and game.mover(state) >= 0 and move in game.moves(state)
        texts.append(game.write_in(state, move) if reached else game.write(move))
        state = game.play(state, move) if reached else state
    return texts


def split_moves(text: str) -> list[str]:
    """Split the texts of several moves at semicolons, or at spaces if there are none."""
    if ";" not in text:
        return text.split()
    return [move.strip() for move in text.split(";") if move.strip()]


def parts_in(game: Game, state: State, move: Move) -> tuple[str, ...]:
    """The words of a move in `state`."""
    parts = game.parts(move)
    return parts if len(parts) > 1 else (game.write_in(state, move),)


def onward(game: Game, state: State, moves: Sequence[Move], said: Sequence[str]) -> Iterator[str]:
    """The words that may follow those `said` so far, in the order of the moves."""
    seen: dict[str, None] = {}
    for move in moves:
        parts = parts_in(game, state, move)
        if len(parts) > len(said) and list(parts[: len(said)]) == list(said):
            seen[parts[len(said)]] = None
    return iter(seen)


def said_in_parts(
    game: Game, state: State, moves: Sequence[Move], said: Sequence[str]
) -> Move | None:
    """The legal move made of exactly these words."""
    return next((move for move in moves if parts_in(game, state, move) == tuple(said)), None)


def loosened(text: str) -> str:
    """A text without case, spaces, hyphens and underscores."""
    return _LOOSE.sub("", text).casefold()
