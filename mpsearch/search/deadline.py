"""Deadlines: running searches are stopped from another thread, at their time or all at once."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Iterator

from mpsearch.search.tree.engine import Workspace


class Watch:
    """Stops running searches from another thread: at their deadline, or all at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, tuple[Workspace, float, bool]] = {}
        self.aborted = False

    def guard(self, workspace: Workspace, deadline: float, *, patient: bool) -> None:
        """Stop this search, which has been loaded, when its deadline has passed.

        If `patient`, not before some depth is complete, so that there is always a move.
        """
        with self._lock:
            self._running[id(workspace)] = (workspace, deadline, patient)
            if self.aborted:
                workspace.context.stop = 1

    def release(self, workspace: Workspace) -> None:
        """Forget a search that has ended."""
        with self._lock:
            self._running.pop(id(workspace), None)

    def check(self) -> None:
        """Stop what is past its deadline; called every few milliseconds."""
        now = time.monotonic()
        with self._lock:
            for workspace, deadline, patient in self._running.values():
                if now >= deadline and (workspace.context.completed or not patient):
                    workspace.context.stop = 1

    def abort(self) -> None:
        """Stop everything at once."""
        with self._lock:
            self.aborted = True
            for workspace, _, _ in self._running.values():
                workspace.context.stop = 1


class Interrupt:
    """Stops the searches that one thread makes, from another thread or when their time is over.

    The clock starts with the first search: whatever is compiled before does not count.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        #: Whether searches were stopped, and those to come will be.
        self.stopped = False
        self._seconds = seconds
        self._lock = threading.Lock()
        self._watch: Watch | None = None
        self._timer: threading.Timer | None = None

    def begin(self, watch: Watch) -> None:
        """A search begins, which this watch can stop."""
        with self._lock:
            self._watch = watch
            self.stopped = self.stopped or self._seconds <= 0
            if self.stopped:
                watch.abort()
            elif self._timer is None and self._seconds < math.inf:
                self._timer = threading.Timer(self._seconds, self.stop)
                self._timer.daemon = True
                self._timer.start()

    def stop(self) -> None:
        """Stop what is searched now, and all that would be searched after it."""
        with self._lock:
            self.stopped = True
            if self._watch is not None:
                self._watch.abort()

    def end(self) -> None:
        """Stop nothing any more."""
        with self._lock:
            self._watch = None
            if self._timer is not None:
                self._timer.cancel()


_of_thread = threading.local()


@contextlib.contextmanager
def interruptible(interrupt: Interrupt) -> Iterator[None]:
    """Let `interrupt` stop what this thread searches meanwhile; AbortedError says that it did."""
    before = current_interrupt()
    _of_thread.interrupt = interrupt
    try:
        yield
    finally:
        _of_thread.interrupt = before
        interrupt.end()


def current_interrupt() -> Interrupt | None:
    """What stops the searches of this thread, if anything does."""
    found: Interrupt | None = getattr(_of_thread, "interrupt", None)
    return found
