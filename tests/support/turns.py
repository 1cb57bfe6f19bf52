"""Turns of random games, for whoever decides them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsearch.contracts import OVER, Game, Turn


def turns(game: Game, count: int, *, seed: int, share: float) -> Iterator[Turn]:
    """So many turns with a choice: a share of those of random games, one game after the other."""
    rng, state = np.random.default_rng(seed), game.new()
    while count:
        seat = game.mover(state)
        if seat < 0:
            state = game.new() if seat == OVER else game.play(state, game.draw(state, rng))
            continue
        moves = tuple(game.moves(state))
        if len(moves) > 1 and rng.random() < share:
            yield Turn(seat=seat, view=game.view(state, seat), moves=moves)
            count -= 1
        state = game.play(state, moves[int(rng.integers(len(moves)))])
