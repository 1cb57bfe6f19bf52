"""Game pictures: a position of each game for the lobby, drawn by its plugin."""

from __future__ import annotations

import functools
import logging

import numpy as np

from mpsearch.api import picture
from mpsearch.contracts import CHANCE, OVER, Game, State
from mpsearch.plugins import Catalog

log = logging.getLogger("mpsearch.web")

#: The number of random plies before the position shown.
_PLIES = 21
_SEED = 7
_EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>'


@functools.lru_cache(maxsize=64)
def game_picture(catalog: Catalog, name: str) -> str:
    """An SVG picture of a game as seat 0 sees it; UsageError if there is no such game."""
    offer = catalog.game_offer(name)
    try:
        players = offer.people_players or offer.default_players
        game = offer.new_game(players=players, options=offer.people_options)
        state = _some_position(game)
        return picture(game, game.view(state, 0))
    except Exception:  # a plugin's; the other games can still be chosen
        log.exception("%s: no picture", name)
        return _EMPTY


def _some_position(game: Game) -> State:
    """A position after a few random plies, always the same, with a seat to move."""
    rng = np.random.default_rng(_SEED)
    state = shown = game.new()
    for _ in range(_PLIES):
        mover = game.mover(state)
        if mover == OVER:
            break
        if mover == CHANCE:
            state = game.play(state, game.draw(state, rng))
        else:
            moves = game.moves(state)
            state = game.play(state, moves[int(rng.integers(len(moves)))])
        shown = state if game.mover(state) >= 0 else shown
    return shown
