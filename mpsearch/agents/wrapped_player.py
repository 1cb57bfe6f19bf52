"""WrappedPlayer: a player around another, with another way to choose."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import Event, Memory, Player


class WrappedPlayer(Player):
    """Delegates everything but `choose` to `agent`."""

    agent: Player

    @property
    def observes(self) -> bool:
        return self.agent.observes

    @property
    def observes_chance(self) -> bool:
        return self.agent.observes_chance

    def start(self, seat: int, rng: np.random.Generator) -> Memory:
        return self.agent.start(seat, rng)

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        return self.agent.observe(memory, event, rng)

    def end(self, memory: Memory) -> None:
        self.agent.end(memory)
