"""Openings: games that would be one and the same game begin with random moves.

Agents that search alike play alike, so in a game without chance hundreds of games may be few
different ones, and count as no more. A random opening makes them different: its moves come from
the game's own stream and are the same in all arms, whoever plays.
"""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import CHANCE, OVER
from mpsearch.table import Table

#: How many openings there must be to choose from. Of 100 games hardly two then begin alike;
#: measured in docs/experiments.md.
OPENINGS = 5000


def usual_opening(table: Table) -> int:
    """How many random moves a game begins with if nobody says otherwise.

    None where there is chance. Else as few for every seat as give enough openings, because random
    moves are bad ones: one each where there are many moves, more where there are few.
    """
    game = table.game
    if game.lists_chance or game.hidden:
        return 0
    rng = np.random.default_rng(0)
    state, openings, moves, enough = game.new(), 1, 0, 0
    while (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            return 0
        if not enough and openings >= OPENINGS and moves % table.players == 0:
            enough = moves
        legal = game.moves(state)
        openings *= len(legal)
        moves += 1
        state = game.play(state, legal[int(rng.integers(len(legal)))])
    # A game that is over before there are enough: a round of it has to do.
    return enough or table.players
