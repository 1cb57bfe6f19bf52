"""The agents of the paper, as texts that the core can read.

The paper's agents play minimax, which is Paranoid with two players. Its human insights are
not part of these texts.
"""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import Decision, Memory, Player, PlayerOffer, Turn
from mpsearch_quoridor.game import Quoridor

#: Name, what it is, and its text; `{seat}` becomes the seat it sits on.
TEXTS = {
    "basic": (
        "path difference, all moves, depth 2",
        "paranoid:depth=2,evaluator=path_difference,branching=all",
    ),
    "incomplete": (
        "path difference, walls within radius 1, depth 4",
        "paranoid:depth=4,evaluator=path_difference,branching=near,radius=1",
    ),
    "incomplete_no_walls": (
        "path difference, own walls within radius 1, depth 6",
        "paranoid:depth=6,evaluator=path_difference,branching=near_no_opponent_walls,"
        "radius=1,seat={seat}",
    ),
    "genetic100": (
        "tuned features, all moves, depth 2",
        "paranoid:depth=2,evaluator=features,branching=all",
    ),
    "genetic3": (
        "tuned features, all moves, depth 3",
        "paranoid:depth=3,evaluator=features,branching=all",
    ),
}


def read_text(game: Quoridor, text: str) -> Player:
    """The searching agent that a text stands for."""
    # The core's agents are a layer above the contracts: loaded only when one plays.
    from mpsearch.agent import make_agent
    from mpsearch.catalog import load_catalog

    return make_agent(load_catalog(), "quoridor", game, text)


class SeatedAgent(Player):
    """An agent whose text names its own seat, made when it knows it."""

    def __init__(self, game: Quoridor, text: str) -> None:
        self.game = game
        self.text = text
        self._made: dict[int, Player] = {}

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        if turn.seat not in self._made:
            self._made[turn.seat] = read_text(self.game, self.text.format(seat=turn.seat))
        agent = self._made[turn.seat]
        return agent.choose(turn, agent.start(turn.seat, rng), rng)


def _offer(name: str, summary: str, text: str) -> PlayerOffer:
    def make(game: Quoridor) -> Player:
        return SeatedAgent(game, text) if "{seat}" in text else read_text(game, text)

    return PlayerOffer(name=name, summary=summary, make=make)


AGENTS = tuple(_offer(name, summary, text) for name, (summary, text) in TEXTS.items())
