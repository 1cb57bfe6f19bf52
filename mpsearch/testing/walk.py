"""Seeded random games, and failures that can be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import attrs
import numpy as np

from mpsearch.contracts import CHANCE, OVER, Game, Move, State
from mpsearch.errors import ContractError


@attrs.frozen(kw_only=True)
class Step:
    """A state on the way, who moves there, and the move that was made (None at the end)."""

    state: State
    mover: int
    move: Move | None
    #: Texts of all moves up to here.
    moves: tuple[str, ...]
    seed: int

    def fail(self, what: str) -> NoReturn:
        """Break off with all that is needed to come here again."""
        shown = " ".join(self.moves) or "none"
        raise ContractError(f"{what} (seed {self.seed}, after moves: {shown})")


def walk(game: Game, seed: int, *, plies: int) -> Iterator[Step]:
    """A random game, at most `plies` long; the last step has no move."""
    rng = np.random.default_rng(seed)
    state = game.new()
    texts: tuple[str, ...] = ()
    for number in range(plies + 1):
        mover = game.mover(state)
        move: Move | None = None
        if number < plies and mover != OVER:
            if mover == CHANCE:
                move = game.draw(state, rng)
            else:
                moves = game.moves(state)
                if len(moves) == 0:
                    Step(state=state, mover=mover, move=None, moves=texts, seed=seed).fail(
                        f"seat {mover} is to move and has no moves"
                    )
                move = moves[int(rng.integers(len(moves)))]
        yield Step(state=state, mover=mover, move=move, moves=texts, seed=seed)
        if move is None:
            return
        texts = (*texts, _text(game, move))
        state = game.play(state, move)


def _text(game: Game, move: Move) -> str:
    try:
        return game.write(move)
    except Exception:  # a broken `write` is reported by its own rule
        return repr(move)
