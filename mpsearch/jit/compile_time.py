"""Compile time: how long this process compiled and loaded machine code instead of running it.

Compiling, loading what was compiled before and importing the compiler happen wherever a function
is first called, in the middle of a game too. Whoever says how long playing takes leaves it out.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Callable, Iterator


class _Inside(threading.local):
    """Whether this thread is being counted already."""

    compiling = False


class _Garbage:
    """How often Python looks for garbage, while any thread compiles.

    The compiler makes so much that lives on that looking as often as usual takes a tenth of its
    time. Not looking at all would take a third more memory.
    """

    RARELY = (50_000, 20, 20)

    def __init__(self) -> None:
        self._compiling = 0
        self._before = gc.get_threshold()

    def look_rarely(self) -> None:
        """A thread begins to compile."""
        with _lock:
            if self._compiling == 0:
                self._before = gc.get_threshold()
                if 0 < self._before[0] < self.RARELY[0]:
                    gc.set_threshold(*self.RARELY)
            self._compiling += 1

    def look_as_before(self) -> None:
        """A thread has compiled."""
        with _lock:
            self._compiling -= 1
            if self._compiling == 0:
                gc.set_threshold(*self._before)


_inside = _Inside()
_lock = threading.Lock()
_garbage = _Garbage()
_seconds = 0.0
#: Called by a thread that has come out of the compiler.
_after: Callable[[], None] | None = None


def compile_seconds() -> float:
    """The seconds so far, of all threads."""
    return _seconds


def is_compiling() -> bool:
    """Whether this thread is at it now."""
    return _inside.compiling


def after_compiling(call: Callable[[], None]) -> None:
    """From now on a thread that comes out of the compiler calls this; it may raise."""
    global _after
    _after = call


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Count what happens meanwhile, once if it happens within another."""
    global _seconds
    if _inside.compiling:
        yield
        return
    started = time.perf_counter()
    _inside.compiling = True
    _garbage.look_rarely()
    try:
        yield
    finally:
        _inside.compiling = False
        _garbage.look_as_before()
        with _lock:
            _seconds += time.perf_counter() - started
    if _after is not None:
        _after()


class PlayClock:
    """Measures seconds without those that went into machine code."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """From now on."""
        self._compiled = compile_seconds()
        self._started = time.perf_counter()

    def seconds(self) -> float:
        """Since the start. Never less than nothing: another thread may have compiled meanwhile."""
        elapsed = time.perf_counter() - self._started
        return max(elapsed - (compile_seconds() - self._compiled), 0.0)
