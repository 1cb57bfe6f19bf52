"""Agents that a person at the terminal can hurry with Ctrl-C."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

import attrs
import numpy as np

from mpsearch.agent import SearchAgent
from mpsearch.cli.interrupt import hurrying
from mpsearch.contracts import Decision, Event, Memory, Player, Turn
from mpsearch.search import Limits

#: Seconds after which somebody who waits for an agent is told what can be done about it.
_PATIENCE = 3.0


@attrs.frozen(kw_only=True)
class Hurried(Player):
    """A searching agent that looks one ply ahead once it is hurried."""

    agent: SearchAgent
    #: Told of the seat that is hurried.
    tell: Callable[[int], None]

    @property
    def observes(self) -> bool:
        return self.agent.observes

    def start(self, seat: int, rng: np.random.Generator) -> Memory:
        return self.agent.start(seat, rng)

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        return self.agent.observe(memory, event, rng)

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        try:
            with hurrying(), _telling(turn.seat):
                return self.agent.choose(turn, memory, rng)
        except KeyboardInterrupt:
            print(f"  seat {turn.seat} is hurried", flush=True)
            self.tell(turn.seat)
            quick = attrs.evolve(self.agent, limits=Limits(depth=1))
            return quick.choose(turn, memory, rng)


def hurried(player: Player, tell: Callable[[int], None]) -> Player:
    """A player that can be hurried, if there is anything to hurry."""
    return Hurried(agent=player, tell=tell) if isinstance(player, SearchAgent) else player


@contextlib.contextmanager
def _telling(seat: int) -> Iterator[None]:
    """Say how to hurry an agent, if it takes long."""
    words = f"  seat {seat} thinks; Ctrl-C hurries it"
    timer = threading.Timer(_PATIENCE, lambda: print(words, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
