"""Agents of mpsearch as bots of OpenSpiel, for `pyspiel.evaluate_bots` and whatever takes bots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from mpsearch.contracts import Player, Turn
from mpsearch_openspiel.game import OpenSpielGame
from mpsearch_openspiel.position import Inner, Position


class MpsearchBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """A player of mpsearch in one seat of a game that OpenSpiel runs.

        place = mpsearch.table("os_leduc_poker")
        bot = MpsearchBot(place.game, place.agent("maxn:depth=2"), seat=0, seed=1)

    The bot is handed OpenSpiel's whole state, and hands on the seat's view of it alone. Opponent
    models hear of nothing: OpenSpiel tells its bots of others' actions, but not from which state.
    """

    def __init__(self, game: OpenSpielGame, player: Player, *, seat: int, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        self.game, self.player, self.seat, self.seed = game, player, seat, seed
        self._begin()

    def _begin(self) -> None:
        self._rng = np.random.default_rng([self.seed, self.seat])
        self._memory: Any = self.player.start(self.seat, self._rng)

    def restart(self) -> None:
        self._memory = self.player.start(self.seat, self._rng)

    def restart_at(self, state: Inner) -> None:
        self.restart()

    def step(self, state: Inner) -> int:
        position = Position.of(state.clone())
        turn = Turn(
            seat=self.seat,
            view=self.game.view(position, self.seat),
            moves=tuple(self.game.moves(position)),
        )
        return int(self.player.choose(turn, self._memory, self._rng).move)
