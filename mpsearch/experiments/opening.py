"""Openings: games that would be one and the same game begin with random moves.

Agents that search alike play alike, so in a game without chance hundreds of games may be few
different ones, and count as no more. A random opening makes them different: its moves come from
the game's own stream and are the same in all arms, whoever plays.
"""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import CHANCE, OVER
from mpsearch.table import Table

#: Random moves of each seat before its own, in games without chance. Measured: docs/experiments.md.
ROUNDS = 1


def usual_opening(table: Table) -> int:
    """How many random moves a game begins with if nobody says otherwise."""
    return 0 if has_chance(table) else ROUNDS * table.players


def has_chance(table: Table) -> bool:
    """Whether dice, cards or other chance decide anything; one random game is played to see."""
    game = table.game
    if game.lists_chance or game.hidden:
        return True
    rng = np.random.default_rng(0)
    state = game.new()
    while (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            return True
        moves = game.moves(state)
        state = game.play(state, moves[int(rng.integers(len(moves)))])
    return False
