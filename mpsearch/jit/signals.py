"""Signals that arrive while native code runs in the main thread.

Python runs a signal's handler in the main thread between two of its own instructions, and native
code has none. So another thread hears of the signal and stops the native code, which returns, and
then the handler runs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

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


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[bool]:
    """While this lasts, a signal calls `stop()` from another thread.

    False where that cannot be: signals are not told to us, because somebody else listens to them.
    In a thread that is not the main one there are none.
    """
    if threading.current_thread() is not threading.main_thread():
        yield True
        return
    if sys.platform == "win32":
        yield False
        return
    before = signal.set_wakeup_fd(_ear(), warn_on_full_buffer=False)
    try:
        if before in (-1, _own):
            _stops.append(stop)
            yield True
        elif before == _others:
            signal.set_wakeup_fd(before, warn_on_full_buffer=False)
            _stops.append(stop)
            yield True
        else:
            yield False
    finally:
        signal.set_wakeup_fd(before, warn_on_full_buffer=before not in (-1, _own, _others))
        if stop in _stops:
            _stops.remove(stop)


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
