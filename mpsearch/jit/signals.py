"""Signals that arrive while native code runs in the main thread.

Python runs a signal's handler in the main thread between two of its own instructions, and native
code has none. So another thread hears of the signal and stops the native code, which returns, and
then the handler runs.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

#: What stops the native code that the main thread is in; the innermost last.
_stops: list[Callable[[], None]] = []
#: Where signals are written to: our own pipe, and one whose reader calls `heard`.
_own = -1
_others = -1


def heard() -> None:
    """A signal has arrived: stop what the main thread runs natively."""
    for stop in tuple(_stops):
        stop()


def heard_by(descriptor: int) -> None:
    """From now on whoever reads from where this descriptor leads calls `heard` at every signal."""
    global _others
    _others = descriptor


class _Stopping:
    """What `stopped_by_signals` gives; a plain class, because a decision may take microseconds."""

    __slots__ = ("_before", "_stop")

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        #: Where signals were written to before, if that was changed.
        self._before: int | None = None

    def __enter__(self) -> bool:
        if threading.current_thread() is not threading.main_thread():
            return True
        if sys.platform == "win32":
            return False
        ear = _ear()
        try:
            self._before = signal.set_wakeup_fd(ear, warn_on_full_buffer=False)
            told = self._before in (-1, _own, _others)
            if self._before not in (-1, _own):
                # Somebody listens already: it stays so.
                signal.set_wakeup_fd(self._before, warn_on_full_buffer=not told)
                self._before = None
            if told:
                _stops.append(self._stop)
        except BaseException:
            self.__exit__()  # the handler of a signal raised
            raise
        return told

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.set_wakeup_fd(self._before, warn_on_full_buffer=False)
        if self._stop in _stops:
            _stops.remove(self._stop)


def stopped_by_signals(stop: Callable[[], None]) -> AbstractContextManager[bool]:
    """While this lasts, a signal calls `stop()` from another thread.

    False where that cannot be: signals are not told to us, because somebody else listens to them.
    In a thread that is not the main one there are none.
    """
    return _Stopping(stop)


def _ear() -> int:
    """The end of a pipe to write signals to; a thread listens at the other, from the first call."""
    global _own
    if _own < 0:
        receiver, sender = os.pipe()
        os.set_blocking(sender, False)
        threading.Thread(target=_listen, args=(receiver,), daemon=True, name="signals").start()
        _own = sender
    return _own


def _listen(receiver: int) -> None:
    while os.read(receiver, 1):
        heard()


def _forget() -> None:
    """A forked child has no thread that listens."""
    global _own
    _own = -1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
