"""Random openings: random first moves vary games that would otherwise be equal.

Deterministic agents repeat themselves, so in a game without chance hundreds of games may contain
few distinct ones. Opening moves come from the game's own random stream and are the same in all
arms.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from mpsearch.api import Table
from mpsearch.contracts import CHANCE, OVER, Game

#: The wanted number of different openings; docs/explanation/statistics.md has the measurement.
OPENINGS = 5000
#: An opening takes at most this fraction, 1 / SHARE, of a usual game: the players must matter.
SHARE = 3
#: Random games that determine the length of a usual one.
_GAMES = 5

log = logging.getLogger("mpsearch")


def usual_opening(table: Table) -> int:
    """The default number of random opening moves.

    0 in games with chance. Otherwise as few per seat as give enough openings, because random moves
    are bad moves, and at most a third of a usual game, with a warning if that is too few.
    """
    game = table.game
    if game.lists_chance or game.hidden:
        return 0
    wanted, lengths = 0, []
    for seed in range(_GAMES):
        counts = _random_game(game, np.random.default_rng(seed))
        if counts is None:
            return 0
        lengths.append(len(counts))
        if seed == 0:
            wanted = _enough(counts, table.players)
    usual = int(np.median(lengths))
    most = usual // SHARE
    if most > table.players:
        most -= most % table.players  # as many for everybody
    if wanted <= most:
        return wanted
    log.warning(
        "%s: %d random opening moves, a third of a usual game of %d; %d would make all games "
        "different: see --opening",
        *(table.name, most, usual, wanted),
    )
    return most


def _random_game(game: Game, rng: np.random.Generator) -> list[int] | None:
    """The number of legal moves at each ply of a random game; None if it meets chance."""
    state = game.new()
    counts: list[int] = []
    while (mover := game.mover(state)) != OVER and len(counts) < game.most_plies:
        if mover == CHANCE:
            return None
        legal = game.moves(state)
        counts.append(len(legal))
        state = game.play(state, legal[int(rng.integers(len(legal)))])
    return counts


def _enough(counts: Sequence[int], players: int) -> int:
    """The least number of moves, equal for all seats, that gives enough openings."""
    openings = 1
    for moves, count in enumerate(counts):
        if openings >= OPENINGS and moves % players == 0:
            return moves
        openings *= count
    return len(counts)
