"""Deadlines: running searches are stopped from another thread, at their time or all at once."""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Iterator

from mpsearch.search.tree.engine import Workspace


class Watch:
    """Stops running searches from another thread: at their deadline, or all at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, tuple[Workspace, float, float]] = {}
        self.aborted = False
        #: Whether some search has a result, so that others need not have one.
        self.answered = False

    def guard(
        self, workspace: Workspace, deadline: float = math.inf, latest: float = math.inf
    ) -> None:
        """Stop this search, which has been loaded, after its deadline once a depth is complete.

        After `latest` it is stopped as soon as there is a move: one that it has tried, or one that
        another search has found.
        """
        with self._lock:
            self._running[id(workspace)] = (workspace, deadline, latest)
            if self.aborted:
                workspace.context.stop = 1

    def release(self, workspace: Workspace) -> None:
        """Forget a search that has ended."""
        with self._lock:
            self._running.pop(id(workspace), None)

    def until_next(self, longest: float, shortest: float) -> float:
        """The seconds until the next deadline, within these two."""
        with self._lock:
            nearest = min((deadline for _, deadline, _ in self._running.values()), default=math.inf)
        return min(max(nearest - time.monotonic(), shortest), longest)

    def check(self) -> None:
        """Stop what is past its deadline; called every few milliseconds."""
        now = time.monotonic()
        with self._lock:
            for workspace, deadline, latest in self._running.values():
                late = now >= latest and (self.answered or workspace.tried)
                if late or (now >= deadline and workspace.context.completed):
                    workspace.context.stop = 1

    def abort(self) -> None:
        """Stop everything at once."""
        with self._lock:
            self.aborted = True
            for workspace, _, _ in self._running.values():
                workspace.context.stop = 1


class TimeShare:
    """The time of a decision, shared by its worlds: each gets an equal part of what is left.

    So whoever takes longer than its part takes it from those to come, and the whole is kept.
    """

    def __init__(self, seconds: float | None, *, parts: int, threads: int) -> None:
        #: When the time of the whole decision is over.
        self.end = math.inf if seconds is None else time.monotonic() + seconds
        #: The seconds of one part if all take as long; None without a limit.
        self.part = None if seconds is None else seconds / math.ceil(parts / threads)
        self._parts = self._left = parts
        self._threads = threads
        self._lock = threading.Lock()

    def take(self) -> float | None:
        """The seconds of the next world, none of them if time is over; None without a limit."""
        if self.part is None:
            return None
        with self._lock:
            rounds = math.ceil(self._left / self._threads)
            self._left -= 1
        return max(self.end - time.monotonic(), 0.0) / rounds

    @property
    def over(self) -> bool:
        """Whether some world was begun and there is no time for another."""
        return self._left < self._parts and time.monotonic() >= self.end


NO_TIME_LIMIT = TimeShare(None, parts=1, threads=1)

_switching = threading.Lock()
#: How many searches want to be interrupted soon, and Python's own interval before the first.
_wanted, _usual = 0, 0.0


@contextlib.contextmanager
def switching_every(seconds: float) -> Iterator[None]:
    """Threads of plain Python let others go on after so many seconds meanwhile, or sooner.

    Whoever keeps time would wait for a search in Python for 5 ms otherwise, in every world anew.
    """
    global _wanted, _usual
    with _switching:
        if _wanted == 0:
            _usual = sys.getswitchinterval()
        _wanted += 1
        sys.setswitchinterval(min(sys.getswitchinterval(), seconds))
    try:
        yield
    finally:
        with _switching:
            _wanted -= 1
            if _wanted == 0:
                sys.setswitchinterval(_usual)


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


class _OfThread(threading.local):
    """What stops the searches of this thread, if anything does."""

    interrupt: Interrupt | None = None


_of_thread = _OfThread()


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
    return _of_thread.interrupt
