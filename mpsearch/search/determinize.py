"""Determinization: worlds drawn from what a seat knows, each a state that its view allows.

The view stands for an information set; every world is one state of it. Games without hidden
information have one world, the state itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mpsearch.contracts import Event, Game, State, View

#: How many worlds are drawn for each one wanted in which a move that was seen is possible.
_TRIES = 8


def draw_worlds(
    game: Game,
    view: View,
    count: int,
    rng: np.random.Generator,
    *,
    over: Callable[[], bool] | None = None,
) -> list[State]:
    """So many worlds that agree with a view; fewer, but one, when the time for it is `over`."""
    if not game.hidden:
        return [view]
    if over is None:
        return game.worlds(view, count, rng)
    worlds = game.worlds(view, 1, rng)
    while len(worlds) < count and not over():
        worlds += game.worlds(view, 1, rng)
    return worlds


def draw_worlds_with(game: Game, event: Event, count: int, rng: np.random.Generator) -> list[State]:
    """Worlds before a move that was seen, from those in which it was possible; perhaps fewer."""
    if not game.hidden:
        return [event.before]
    drawn = (game.world(event.before, rng) for _ in range(_TRIES * count))
    return [world for world in drawn if event.move in game.moves(world)][:count]
