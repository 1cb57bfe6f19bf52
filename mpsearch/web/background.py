"""Background searches: those of analyses, which run when no game needs the processor.

They share the threads of the agents, which interrupt them; an interrupted search starts again
later. Each client has a budget of seconds for all of its analyses.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable
from typing import TypeVar

from mpsearch.errors import UsageError
from mpsearch.search import AbortedError, Interrupt, interruptible
from mpsearch.web.budget import Engines

T = TypeVar("T")

_SPENT = "your processor time for analyses is used up; try again in a minute"


class SpentError(UsageError):
    """A client has used up its processor time for analyses."""


class Background:
    """The background searches of one window."""

    def __init__(self, engines: Engines, *, client: str, table: str) -> None:
        self._engines, self._client, self._table = engines, client, table

    async def run(self, work: Callable[[], T], *, seconds: float) -> T:
        """Run a search; AbortedError if it takes longer than so many seconds.

        SpentError if the client has no time left.
        """
        while True:
            used = self._engines.analyses.of(self._client, time.monotonic())
            left = self._engines.limits.analysis_seconds - used
            if left <= 0:
                raise SpentError(_SPENT)
            interrupt = Interrupt(min(seconds, left))
            gave_way = False

            def give_way(interrupt: Interrupt = interrupt) -> None:
                nonlocal gave_way
                gave_way = True
                interrupt.stop()

            future = self._engines.agents.submit(
                functools.partial(self._timed, work, interrupt),
                client=self._client,
                table=self._table,
                give_way=give_way,
            )
            try:
                found: T = await asyncio.wrap_future(future)
            except AbortedError:
                if not gave_way and left < seconds:
                    raise SpentError(_SPENT) from None
                if not gave_way:
                    raise
            else:
                if not gave_way:
                    return found
            finally:
                interrupt.stop()  # the window may have been closed, or moved on

    def _timed(self, work: Callable[[], T], interrupt: Interrupt) -> T:
        began = time.thread_time()
        try:
            with interruptible(interrupt):
                return work()
        finally:
            spent = time.thread_time() - began
            self._engines.analyses.add(self._client, spent, time.monotonic())
