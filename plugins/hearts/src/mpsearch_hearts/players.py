"""Rule-based players: WRT of the MP-Mix paper, and one that knows about moons."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import Compiled, Decision, Memory, Player, Turn, compiled
from mpsearch.gamekit import below
from mpsearch_hearts.cards import LANE, SUIT_SHIFT
from mpsearch_hearts.careful import careful
from mpsearch_hearts.game import Hearts, View
from mpsearch_hearts.text import rank_of, suit_of


@compiled
def wrt(s: Any, moves: Any, count: int, stream: Any) -> int:
    """Wrt's choice as its policy."""
    rids = s.count < 0
    if s.count & 3 != 0:
        for i in range(count):
            rids = rids or moves[i] >> SUIT_SHIFT != s.best >> SUIT_SHIFT
    wanted = moves[0] % LANE
    equal = 0
    for i in range(count):
        rank = moves[i] % LANE
        if (rank > wanted) if rids else (rank < wanted):
            wanted = rank
            equal = 0
        if rank == wanted:
            equal += 1
    left = below(stream, equal)
    for i in range(count):
        if moves[i] % LANE == wanted:
            if left == 0:
                return i
            left -= 1
    return count


class Wrt(Player):
    """The lowest card when leading or following, the highest when void.

    Chosen where the paper is silent: equal ranks are equally likely, and it passes its highest
    cards.
    """

    policy: Compiled | None = wrt

    def __init__(self, game: Hearts) -> None:
        self.game = game

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        ranks = [rank_of(card) for card in turn.moves]
        wanted = max(ranks) if self._gets_rid(turn) else min(ranks)
        best = [card for card, rank in zip(turn.moves, ranks, strict=True) if rank == wanted]
        return Decision(move=best[int(rng.integers(len(best)))])

    def _gets_rid(self, turn: Turn) -> bool:
        """Whether the card is passed, or discarded because the seat cannot follow suit."""
        view: View = turn.view
        s = self.game.record(view.known)
        leads = s.count & 3 == 0
        follows = all(suit_of(card) == suit_of(int(s.best)) for card in turn.moves)
        return bool(s.count < 0 or not (leads or follows))


class Careful(Player):
    """Ducks tricks, throws off what costs, stops a moon and shoots one if the hand is there."""

    policy: Compiled | None = careful

    def __init__(self, game: Hearts) -> None:
        self.game = game

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        view: View = turn.view
        index = careful.plain(self.game.record(view.known), turn.moves, len(turn.moves), None)
        return Decision(move=turn.moves[int(index)])
