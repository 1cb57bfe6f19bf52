"""What rules must not do ends a search of the rivals in one line, wherever they do it."""

from typing import Any

import numpy as np
import pytest

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Bounds,
    CompiledEvaluator,
    CompiledGame,
    Limits,
    Report,
    Rules,
    SearchAlgorithm,
    SearchRequest,
    SearchSpace,
    Stance,
    compiled,
)
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.search.best_reply.search import make_best_reply_search
from mpsearch.search.mcts.search import make_monte_carlo_search
from mpsearch.social import identity

#: Every fault with the words for it; all of them three plies from the root.
FAULTS = {
    "endless chance": "outcomes of chance",
    "a seat that is not there": "mover",
    "no moves": "no move",
    "less than none": "no move",
    "too many moves": "more moves than most_moves",
    "one entry too many": "wrote beyond the end of 'moves'",
}
ENDLESS, ELSEWHERE, NONE, NEGATIVE, MANY, BEYOND = range(1, 7)
STATE = np.dtype([("ply", "i8"), ("fault", "i8")], align=True)


@compiled
def mover(s: Any) -> int:
    if s.ply >= 3 and s.fault == ENDLESS:
        return CHANCE
    if s.ply >= 3 and s.fault == ELSEWHERE:
        return 9
    return OVER if s.ply >= 9 else s.ply % 3


@compiled
def moves(s: Any, out: Any) -> int:
    out[0] = 0
    out[1] = 1
    if s.ply >= 3:
        if s.fault == NONE:
            return 0
        if s.fault == NEGATIVE:
            return -1
        if s.fault == MANY:
            return 4
        if s.fault == BEYOND:
            out[2] = 2
    return 2


@compiled
def chance(s: Any, out: Any, probabilities: Any) -> int:
    out[0] = 0
    probabilities[0] = 1.0
    return 1


@compiled
def play(s: Any, move: int) -> None:
    s.ply += 1


@compiled
def payoff(s: Any, out: Any) -> None:
    out[0] = 1.0


@compiled
def evaluate(s: Any, parameters: Any, out: Any) -> None:
    for seat in range(3):
        out[seat] = 10.0 * (s.ply % (seat + 2))


class Faulty(CompiledGame):
    rules = Rules(
        state=STATE,
        mover=mover,
        moves=moves,
        play=play,
        payoff=payoff,
        chance=chance,
        most_moves=2,
    )
    players = 3

    def __init__(self, fault: int) -> None:
        self.fault = fault

    def setup(self, s: Any) -> None:
        s.fault = self.fault

    def read(self, text: str) -> int:
        return int(text)


def decided(rival: str, fault: int) -> Report:
    game = Faulty(fault)
    evaluator = CompiledEvaluator(game, evaluate, bounds=Bounds())
    space = SearchSpace(game=game, evaluator=evaluator)
    searching: SearchAlgorithm = make_best_reply_search(space, {}, others="ordered")
    if rival != "brs":
        cut = 9 if rival == "behind" else 0
        searching = make_monte_carlo_search(space, {}, playout="random", cut=cut, explore=1)
    how: Any = {"pool": "vote", "exact": False, "prune": False, "threads": 1, "shuffle": False}
    return searching.search(
        [game.new()],
        Stance(matrix=identity(3), label="maxn"),
        Limits(depth=5, nodes=None if rival == "brs" else 100),
        SearchRequest(root=0, rng=np.random.default_rng(1), **how),
    )


@pytest.mark.parametrize("rival", ["brs", "tree", "behind"])
def test_a_rival_notices_what_rules_do_wrong(rival: str) -> None:
    """In best-reply search, in the tree of `mcts` and in its play-outs."""
    assert decided(rival, 0).nodes > 20
    for fault, (name, words) in enumerate(FAULTS.items(), start=1):
        if rival == "tree" and fault == ENDLESS:
            assert decided(rival, fault).nodes == 100  # a longer line in every iteration
            continue
        with pytest.raises((ContractError, IndexError)) as error:
            decided(rival, fault)
        if jit_enabled():  # plain functions have their own words
            assert words in str(error.value), name
