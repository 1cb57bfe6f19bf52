"""Time budgets of agents at a server's tables, and what happens when they are exceeded."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import attrs
import numpy as np

from mpsearch.agents import (
    LIMITS,
    Explanation,
    ProgramPlayer,
    SearchAgent,
    WrappedPlayer,
    read_agent,
)
from mpsearch.api import Table, advisers
from mpsearch.contracts import Decision, Memory, Player, Turn
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.search import AbortedError, Interrupt, interruptible
from mpsearch.web.person import ClosedError
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.scheduler import Scheduler, Usage


@attrs.frozen(kw_only=True)
class Engines:
    """Where searches are made: those of agents, and those that somebody waits for at a window."""

    agents: Scheduler
    #: Searches of agents that take no time worth waiting behind.
    quick: Scheduler
    hints: Scheduler
    limits: RateLimit
    #: What each client has used for analyses.
    analyses: Usage

    @classmethod
    def of(cls, limits: RateLimit) -> Engines:
        return cls(
            agents=Scheduler(limits.agent_workers, "mpsearch-agents"),
            quick=Scheduler(1, "mpsearch-quick"),
            hints=Scheduler(1, "mpsearch-hints"),
            limits=limits,
            analyses=Usage(),
        )

    def close(self) -> None:
        for scheduler in (self.agents, self.quick, self.hints):
            scheduler.close()


def check_agent(player: Player, text: str, limits: RateLimit) -> None:
    """UsageError if an agent's limits are beyond what the server allows."""
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


#: A search was slow itself, and not only its machine, if it used this share of its time.
_BUSY = 0.5
#: If only the machine was slow, the second try may take this many times as long.
_PATIENCE = 4.0


class _TooLongError(MpsearchError):
    """A search took longer than a quick one may."""


class BudgetedAgent(WrappedPlayer):
    """An agent whose searches are scheduled, and cut short after some seconds.

    Every search is tried among the quick ones first, where nobody waits behind a long one. A search
    that takes longer starts again, with the same random numbers, among the slow ones, and the
    agent's next search starts there at once.
    """

    def __init__(
        self,
        agent: Player,
        engines: Engines,
        *,
        client: str,
        table: str,
        hurried: Callable[[int], None],
    ) -> None:
        """`hurried` is called with the seat whose search took too long."""
        self.agent, self.game = agent, agent.game
        self._engines, self._client, self._table = engines, client, table
        own = agent.limits.seconds if isinstance(agent, SearchAgent) else None
        # An agent with a time limit of its own need not be hurried.
        most = engines.limits.agent_seconds
        self._seconds = most if own is None else max(most, 2 * own)
        self._hurried = hurried
        #: Whether its own time limit is too long for the quick ones.
        self._takes_its_time = own is not None and own > engines.limits.quick_seconds
        #: Seconds that its next search will probably take: as long as the last.
        self._expected = own or 0.0
        #: Whether its last search was a slow one.
        self._slow = self._takes_its_time
        self._lock = threading.Lock()
        self._closed = False
        self._cancel: Callable[[], None] = lambda: None

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._cancel()

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        before = rng.bit_generator.state
        seconds = self._engines.limits.quick_seconds
        # If it is not marked slow after a failed try, the processor was busy with other work.
        for quick in (seconds, seconds * _PATIENCE):
            if not self._slow:
                try:
                    return self._choose(turn, memory, rng, quick=quick)
                except _TooLongError:
                    rng.bit_generator.state = before
        return self._choose(turn, memory, rng)

    def _choose(
        self, turn: Turn, memory: Memory, rng: np.random.Generator, *, quick: float | None = None
    ) -> Decision:
        """A decision; with `quick`, among the searches of at most so many seconds."""
        most = self._engines.limits.quick_seconds * _BUSY
        # Only our own agents can be asked twice for the same decision.
        tried = quick is not None and isinstance(self.agent, SearchAgent)
        interrupt = Interrupt(quick if quick is not None and tried else self._seconds)

        def think() -> Decision:
            began, clock = time.thread_time(), time.monotonic()
            try:
                with interruptible(interrupt):
                    decision = self.agent.choose(turn, memory, rng)
                    # Made now: asked for later, it would be searched in another thread.
                    decision = attrs.evolve(decision, report=decision.report)
                if interrupt.stopped:  # with what it had found by then
                    self._give_up(tried=tried)
                    self._hurried(turn.seat)
                return decision
            except AbortedError:
                self._give_up(tried=tried)
                if not isinstance(self.agent, SearchAgent):
                    raise ClosedError from None
                self._hurried(turn.seat)
                return self.agent.hurried.choose(turn, memory, rng)
            finally:
                self._slow = self._takes_its_time or time.thread_time() - began >= most
                self._expected = time.monotonic() - clock

        scheduler = self._engines.agents if quick is None else self._engines.quick
        decision: Decision = self._in_turn(think, interrupt, scheduler)
        return decision

    def _give_up(self, *, tried: bool) -> None:
        """Raise the reason why a stopped search does not continue, if there is one."""
        if self._closed:
            raise ClosedError from None
        if tried:
            raise _TooLongError from None

    def _in_turn(self, work: Callable[[], Any], interrupt: Interrupt, scheduler: Scheduler) -> Any:
        with self._lock:
            if self._closed:
                raise ClosedError
            future = scheduler.submit(
                work, client=self._client, table=self._table, seconds=self._expected
            )

            def cancel() -> None:
                future.cancel()
                interrupt.stop()

            self._cancel = cancel
        try:
            return future.result()
        except CancelledError:
            raise ClosedError from None


def hurried_hints(table: Table, turn: Turn, *, seed: int, seconds: float) -> list[Explanation]:
    """What each adviser would play; one that takes longer looks one ply ahead instead."""
    found = []
    for text in advisers(table):
        try:
            with interruptible(Interrupt(seconds)):
                found.append(table.consider(turn, text, seed=seed))
        except AbortedError:
            one_ply = {**dict.fromkeys(LIMITS), "depth": 1, "worlds": 1}
            quick = read_agent(text).with_settings(one_ply)
            found.append(table.consider(turn, str(quick), seed=seed))
    return found
