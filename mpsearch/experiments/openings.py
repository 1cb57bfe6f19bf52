"""Random openings: games that would be one and the same begin with random moves.

Agents that search alike play alike, so in a game without chance hundreds of games may be few
different ones, and count as no more. A random opening makes them different: its moves come from
the game's own stream and are the same in all arms, whoever plays.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from mpsearch.api import Table
from mpsearch.contracts import CHANCE, OVER, Game

#: How many openings there must be to choose from. Of 100 games hardly two then begin alike;
#: measured in docs/how-to/experiments.md.
OPENINGS = 5000
#: No opening takes more than one move in so many of a usual game: who plays must matter.
SHARE = 3
#: So many random games tell how long a usual one is.
_GAMES = 5

log = logging.getLogger("mpsearch")


def usual_opening(table: Table) -> int:
    """How many random moves a game begins with if nobody says otherwise.

    None where there is chance. Else as few for every seat as give enough openings, because random
    moves are bad ones: one each where there are many moves, more where there are few, but never
    more than a share of a usual game. If that is fewer than would be enough, it is said.
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
    """How many moves there are at each ply of a random game; None if chance comes up."""
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
    """After how many moves, as many for each seat, there are enough openings."""
    openings = 1
    for moves, count in enumerate(counts):
        if openings >= OPENINGS and moves % players == 0:
            return moves
        openings *= count
    return len(counts)
