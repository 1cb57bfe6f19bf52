"""Move now: a search that a person at the terminal cuts short with Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np

from mpsearch.agents import SearchAgent, WrappedPlayer
from mpsearch.cli.signals import hurrying
from mpsearch.cli.terminal.waiting import elapsed
from mpsearch.contracts import Decision, Limits, Memory, Player, Turn


@attrs.frozen(kw_only=True)
class InterruptibleAgent(WrappedPlayer):
    """A searching agent that looks only one ply ahead when it is interrupted."""

    agent: SearchAgent
    #: Called with the seat whose search is interrupted.
    interrupted: Callable[[int], None]

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        with hurrying():
            try:
                with elapsed(f"seat {turn.seat} is thinking", "; Ctrl-C makes it move now"):
                    return self.agent.choose(turn, memory, rng)
            except KeyboardInterrupt:
                # Still inside `hurrying`: another Ctrl-C must not end the game.
                print(f"  seat {turn.seat} must move now", flush=True)
                self.interrupted(turn.seat)
                quick = attrs.evolve(self.agent, limits=Limits(depth=1))
                return quick.choose(turn, memory, rng)


def interruptible_agent(player: Player, interrupted: Callable[[int], None]) -> Player:
    """The player, made interruptible if it searches."""
    if not isinstance(player, SearchAgent):
        return player
    return InterruptibleAgent(agent=player, interrupted=interrupted)
