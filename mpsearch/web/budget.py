"""Budgets: what agents at a server's tables may use, and what happens if they use more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import attrs
import numpy as np

from mpsearch.agents import AgentText, Explanation, ProgramPlayer, SearchAgent, read_agent
from mpsearch.api import Table, advisers
from mpsearch.contracts import Decision, Event, Limits, Memory, Player, Turn
from mpsearch.errors import UsageError
from mpsearch.search import AbortedError, Interrupt, interruptible
from mpsearch.web.person import ClosedError
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.scheduler import Scheduler


def check_agent(player: Player, text: str, limits: RateLimit) -> None:
    """UsageError if an agent that a browser asks for is given more than the server allows."""
    if isinstance(player, ProgramPlayer) and player.seconds > limits.agent_seconds:
        raise UsageError(
            f"agent '{text}': {player.seconds:g} s a move are more than this server allows: "
            f"{limits.agent_seconds:g} at most"
        )
    if not isinstance(player, SearchAgent):
        return
    given = {
        "time": (player.limits.seconds, limits.agent_seconds),
        "depth": (player.limits.depth, limits.agent_depth),
        "nodes": (player.limits.nodes, limits.agent_nodes),
        "worlds": (player.worlds, limits.agent_worlds),
        "threads": (player.threads, limits.agent_threads),
    }
    for name, (value, most) in given.items():
        if value is not None and value > most:
            raise UsageError(
                f"agent '{text}': {name}={value:.16g} is more than this server allows: "
                f"{most:.16g} at most"
            )


class BudgetedAgent(Player):
    """An agent that searches when its table's turn has come, and is hurried after some seconds."""

    def __init__(
        self,
        agent: Player,
        scheduler: Scheduler,
        *,
        client: str,
        table: str,
        seconds: float,
        hurried: Callable[[int], None],
    ) -> None:
        """`hurried` is called with the seat whose search took too long."""
        self.agent, self.game = agent, agent.game
        self._scheduler, self._client, self._table = scheduler, client, table
        own = agent.limits.seconds if isinstance(agent, SearchAgent) else None
        # Whoever keeps time needs not be hurried.
        self._seconds = seconds if own is None else max(seconds, 2 * own)
        self._hurried = hurried
        self._lock = threading.Lock()
        self._closed = False
        self._cancel: Callable[[], None] = lambda: None

    @property
    def observes(self) -> bool:
        return self.agent.observes

    def close(self) -> None:
        """Search no more, and break off what is searched."""
        with self._lock:
            self._closed = True
            self._cancel()

    @property
    def observes_chance(self) -> bool:
        return self.agent.observes_chance

    def end(self, memory: Memory) -> None:
        self.agent.end(memory)

    def start(self, seat: int, rng: np.random.Generator) -> Memory:
        return self.agent.start(seat, rng)

    def observe(self, memory: Memory, event: Event, rng: np.random.Generator) -> Memory:
        # At once: it is short, and whoever made the move waits for it.
        return self.agent.observe(memory, event, rng)

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        interrupt = Interrupt(self._seconds)

        def think() -> Decision:
            try:
                with interruptible(interrupt):
                    decision = self.agent.choose(turn, memory, rng)
                    # Made now: whoever asks for it later would search in another thread.
                    decision = attrs.evolve(decision, report=decision.report)
                if interrupt.stopped:  # with what it had found by then
                    if self._closed:
                        raise ClosedError
                    self._hurried(turn.seat)
                return decision
            except AbortedError:
                if self._closed or not isinstance(self.agent, SearchAgent):
                    raise ClosedError from None
                self._hurried(turn.seat)
                quick = attrs.evolve(self.agent, limits=Limits(depth=1), worlds=1)
                return quick.choose(turn, memory, rng)

        decision: Decision = self._in_turn(think, interrupt)
        return decision

    def _in_turn(self, work: Callable[[], Any], interrupt: Interrupt) -> Any:
        with self._lock:
            if self._closed:
                raise ClosedError
            future = self._scheduler.submit(work, client=self._client, table=self._table)

            def cancel() -> None:
                future.cancel()
                interrupt.stop()

            self._cancel = cancel
        try:
            return future.result()
        except CancelledError:
            raise ClosedError from None


def hurried_hints(table: Table, turn: Turn, *, seed: int, seconds: float) -> list[Explanation]:
    """What each adviser would play; who takes longer looks one ply ahead instead."""
    found = []
    for text in advisers(table):
        try:
            with interruptible(Interrupt(seconds)):
                found.append(table.consider(turn, text, seed=seed))
        except AbortedError:
            agent = read_agent(text)
            settings = {k: v for k, v in agent.settings if k not in ("nodes", "time")}
            settings |= {"depth": "1", "worlds": "1"}
            quick = str(AgentText(name=agent.name, settings=tuple(settings.items())))
            found.append(table.consider(turn, quick, seed=seed))
    return found
