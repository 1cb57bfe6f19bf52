"""A player around another, which changes how it chooses and hands on everything else."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import Event, Memory, Player


class WrappedPlayer(Player):
    """Observes and remembers as `agent` does; `choose` is the wrapper's own."""

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
