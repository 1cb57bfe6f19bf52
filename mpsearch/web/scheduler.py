"""Scheduler: searches in a few threads, in a fair order.

The client that has used least processor time lately goes first, and among its tables the one that
has. The time that a table's search will probably take counts too: a search of a moment does not
wait for fifty of ten seconds each. A client with fifty tables of slow agents waits for them, and
the others hardly do. Background work, such as an analysis, is done when nothing else waits, and
gives way when something does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import attrs

#: Seconds after which used time counts half.
_HALF_LIFE = 60.0
#: Used time below this many seconds is forgotten.
_NOTHING = 0.001


@attrs.define(eq=False)
class _Job:
    work: Callable[[], Any]
    client: str
    table: str
    #: How many seconds it will probably take.
    seconds: float
    #: For background work: called when other work waits for the thread that does it.
    give_way: Callable[[], None] | None = None
    future: Future[Any] = attrs.field(factory=Future)


class Usage:
    """Processor seconds that each client or table has used lately."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[float, float]] = {}
        self._adding = threading.Lock()

    def add(self, name: str, seconds: float, now: float) -> None:
        with self._adding:
            self._used[name] = (self.of(name, now) + seconds, now)
            if len(self._used) > 1000:
                self._used = {n: u for n, u in self._used.items() if self.of(n, now) > _NOTHING}

    def of(self, name: str, now: float) -> float:
        """The seconds used, with exponential decay."""
        seconds, then = self._used.get(name, (0.0, now))
        return float(seconds * 0.5 ** ((now - then) / _HALF_LIFE))


class Scheduler:
    """A pool of threads that do work for tables, in a fair order."""

    def __init__(self, workers: int, name: str) -> None:
        self._workers = workers
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._clients, self._tables = Usage(), Usage()
        self._changed = threading.Condition()
        self._closed = False
        for number in range(workers):
            # Daemons: a long search must not keep the server from ending.
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def submit(
        self,
        work: Callable[[], Any],
        *,
        client: str,
        table: str,
        seconds: float = 0.0,
        give_way: Callable[[], None] | None = None,
    ) -> Future[Any]:
        """Do some work when its turn has come; until then it can be cancelled.

        `seconds` says how long it will probably take. With `give_way` it is background work, which
        must end soon after that is called.
        """
        job = _Job(work, client, table, seconds, give_way)
        with self._changed:
            if self._closed:
                job.future.cancel()
            else:
                self._waiting.append(job)
                self._changed.notify()
                if give_way is None and len(self._running) >= self._workers:
                    ways = (running.give_way for running in self._running)
                    interrupt = next((way for way in ways if way is not None), None)
                    if interrupt is not None:
                        interrupt()
        return job.future

    def close(self) -> None:
        with self._changed:
            self._closed = True
            for job in self._waiting:
                job.future.cancel()
            self._waiting.clear()
            self._changed.notify_all()

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            now = time.monotonic()

            def used(job: _Job) -> tuple[bool, float, float]:
                background = job.give_way is not None
                clients, tables = self._clients.of(job.client, now), self._tables.of(job.table, now)
                return background, clients, tables + job.seconds

            job = min(self._waiting, key=used)  # among equals the one that has waited longest
            self._waiting.remove(job)
            self._running.append(job)
            return job

    def _work(self) -> None:
        while (job := self._next()) is not None:
            began = time.monotonic()
            if not job.future.set_running_or_notify_cancel():
                self._finished(job, began)
                continue
            try:
                result = job.work()
            except BaseException as error:  # raised again where the result is awaited
                job.future.set_exception(error)
            else:
                job.future.set_result(result)
                del result
            self._finished(job, began)
            del job

    def _finished(self, job: _Job, began: float) -> None:
        now = time.monotonic()
        with self._changed:
            self._running.remove(job)
            self._clients.add(job.client, now - began, now)
            self._tables.add(job.table, now - began, now)
