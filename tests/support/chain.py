"""Games without end, and chance without end."""

from typing import Any

import numpy as np

from mpsearch.contracts import (
    CHANCE,
    Bounds,
    CompiledEvaluator,
    CompiledGame,
    Rules,
    SearchSpace,
    compiled,
)

CHAIN = np.dtype([("ply", "i8"), ("period", "i8")], align=True)


@compiled
def chain_mover(s: Any) -> int:
    return 0 if s.ply % s.period == 0 else CHANCE


@compiled
def chain_moves(s: Any, out: Any) -> int:
    out[0] = 0
    return 1


@compiled
def chain_chance(s: Any, out: Any, probabilities: Any) -> int:
    out[0] = 0
    probabilities[0] = 1.0
    return 1


@compiled
def chain_play(s: Any, move: int) -> None:
    s.ply += 1


@compiled
def chain_payoff(s: Any, out: Any) -> None:
    out[0] = 0.0


@compiled
def chain_values(s: Any, parameters: Any, out: Any) -> None:
    out[0] = 50.0
    out[1] = 50.0


class Chain(CompiledGame):
    """A game without end and without choice: one ply in so many is a move, the rest is chance."""

    rules = Rules(
        state=CHAIN,
        mover=chain_mover,
        moves=chain_moves,
        play=chain_play,
        payoff=chain_payoff,
        chance=chain_chance,
        most_moves=1,
    )
    players = 2

    def __init__(self, period: int) -> None:
        self.period = period

    def setup(self, s: Any) -> None:
        s.period = self.period

    def read(self, text: str) -> int:
        return int(text)


def endless(period: int = 1) -> SearchSpace:
    """A game of two in which one ply in `period` is a move."""
    game = Chain(period)
    return SearchSpace(game=game, evaluator=CompiledEvaluator(game, chain_values, bounds=Bounds()))
