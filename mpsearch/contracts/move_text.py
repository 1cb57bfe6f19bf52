"""Texts of several moves: lines of play, written and read."""

from __future__ import annotations

from collections.abc import Sequence

from mpsearch.contracts.game import Game, Move, State


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
