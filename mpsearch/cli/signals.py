"""Ctrl-C, SIGTERM and SIGHUP: any command ends within a second and says so in one line.

Python runs a signal handler between two of its own instructions, which may take long: compiling and
searching are native code, and an exception raised in the middle of an import or a compilation is
printed or swallowed there. So nothing is raised. Whichever notices the signal first ends the
process: the main thread, or a watching thread that waits for it only briefly. Nothing is lost,
because records and logs are written line by line.

A command can do something before it ends in two ways: `last_words` adds to the line, and
`interruptible` turns the signal into a KeyboardInterrupt, as in any other program.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from mpsearch.jit import after_compiling, heard, heard_by, is_compiling

_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
#: Seconds for the main thread to return from native code and to leave `interruptible`.
_GRACE = 0.4
#: The same while it compiles.
_COMPILING = 0.8
#: Seconds for the reader of our output to take the rest of it.
_FLUSH = 0.2
#: Seconds for the main thread to notice a Ctrl-C before its read is interrupted.
_NOTICE = 0.05
#: Ends the process; while a plugin is loaded, `os._exit` itself raises.
_EXIT = os._exit
_PATIENCE = "\n  it is moving as fast as it can; Ctrl-C once more leaves the game\n"


class _Ending:
    """State shared by the handler, the watching thread and the command."""

    def __init__(self) -> None:
        self.received = 0
        self.words: Callable[[], str] = str
        #: Whether the main thread is inside `interruptible`, and whether the exception ended it.
        self.raises = False
        self.unwound = threading.Event()
        #: Whether the exception waits for the compiler, which would print or swallow it.
        self.deferred = False
        #: Held by the thread that ends the process; reentrant, because a second signal may
        #: interrupt that thread.
        self.by_one = threading.RLock()
        self.told = False
        self.restore: Callable[[], None] = _nothing
        #: Whether Ctrl-C only hurries the work under way, and whether it has done so.
        self.hurries = self.hurried = False
        #: The number of Ctrl-C since that work began.
        self.presses = 0
        #: Ctrl-C that only hurried, as counted by the main thread and by the watching thread.
        self.absorbed = self.acknowledged = 0
        #: The pipe that signals are written to.
        self.sender = -1

    def handle(self, number: int, _frame: Any) -> None:
        """Runs in the main thread, as soon as it returns from native code."""
        if self.hurries and number == signal.SIGINT:
            self.absorbed += 1
            if self.hurried:
                return  # it cannot go faster; the watching thread says so
            self.hurried = True
            raise KeyboardInterrupt
        if self.received or not self.raises:
            self.end(number)
        self.received = number
        if is_compiling():
            self.deferred = True
            return
        raise KeyboardInterrupt

    def compiled(self) -> None:
        """Runs in a thread that has finished compiling."""
        if self.deferred and threading.current_thread() is threading.main_thread():
            self.deferred = False
            raise KeyboardInterrupt

    def watch(self, pipe: int) -> None:
        """Runs in a thread of its own, which native code does not block."""
        while True:
            number = os.read(pipe, 1)[0]
            if number == signal.SIGURG:
                continue  # our own, see _interrupt_read
            heard()
            if number == signal.SIGINT and self._only_hurries():
                continue
            left = self.unwound.wait(_GRACE)
            if left or (self.deferred and self.unwound.wait(_COMPILING - _GRACE)):
                number = os.read(pipe, 1)[0]  # the command is saving until a second signal
            self.end(number)

    def _only_hurries(self) -> bool:
        """Whether a Ctrl-C hurries the work; the second is answered, the third ends the process."""
        if not self.hurries:
            late = self.absorbed > self.acknowledged  # the main thread was faster
            self.acknowledged += late
            return late
        self.acknowledged += 1
        self.presses += 1
        if self.presses == 1:
            self._interrupt_read()
        if self.presses == 2:
            with contextlib.suppress(OSError):
                os.write(2, _PATIENCE.encode())
        return self.presses < 3

    def _interrupt_read(self) -> None:
        """Wake the main thread if it waits for input and has not noticed the signal.

        A signal just before the system call does not interrupt it, nor does one that the kernel
        delivers to another thread.
        """
        time.sleep(_NOTICE)
        if self.hurries and not self.hurried:
            main = threading.main_thread().ident
            assert main is not None
            signal.pthread_kill(main, signal.SIGURG)

    def end(self, number: int) -> NoReturn:
        if not self.by_one.acquire(blocking=False):
            while True:  # another thread is ending the process
                time.sleep(60)
        with contextlib.suppress(Exception):
            if not self.told:
                start = "\n" if os.isatty(2) else ""
                line = f"{start}mpsearch: {_WORDS[signal.Signals(number).name]}{self.words()}\n"
                os.write(2, line.encode(errors="backslashreplace"))
                self.told = True
        flush = threading.Thread(target=_flush, daemon=True)
        flush.start()
        _end_children()
        flush.join(_FLUSH)
        self.restore()
        _EXIT(128 + number)


def _nothing() -> None:
    pass


_ENDING = _Ending()


def watch() -> None:
    """Let signals end this process. A signal that its parent ignores stays ignored."""
    if sys.platform == "win32":
        return  # Python's own handling must do
    receiver, _ENDING.sender = os.pipe()
    os.set_blocking(_ENDING.sender, False)
    heard_by(_ENDING.sender)
    after_compiling(_ENDING.compiled)
    watch_again()
    _ENDING.restore = _terminal()
    threading.Thread(target=_ENDING.watch, args=(receiver,), daemon=True).start()
    # Unlike SIG_IGN this interrupts a system call, after which Python runs all pending handlers.
    signal.signal(signal.SIGURG, lambda _number, _frame: None)
    for name in _WORDS:
        number = getattr(signal, name)
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _ENDING.handle)


def watch_again() -> None:
    """Watch signals again, after an event loop has taken them over."""
    if _ENDING.sender >= 0:
        signal.set_wakeup_fd(_ENDING.sender, warn_on_full_buffer=False)


def interrupt_now() -> NoReturn:
    """End as after Ctrl-C, which a terminal in raw mode delivers as a key."""
    if _ENDING.sender < 0:
        raise KeyboardInterrupt
    _ENDING.end(signal.SIGINT)


def exit_code(code: int) -> int:
    """The exit code of a command: its own, or that of the signal that interrupted it."""
    return 128 + _ENDING.received if _ENDING.received else code


@contextlib.contextmanager
def last_words(words: Callable[[], str]) -> Iterator[None]:
    """While this lasts, the line printed after a signal ends with `words()`."""
    before, _ENDING.words = _ENDING.words, words
    try:
        yield
    finally:
        _ENDING.words = before


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """While this lasts, the first signal raises KeyboardInterrupt, so that results can be saved.

    After that the command has as long as it needs, until a second signal. If the block is not left
    in time, because native code runs on or something caught the exception, the process ends.
    """
    _ENDING.raises = True
    try:
        yield
    finally:
        _ENDING.raises = False
        if _ENDING.received:
            _ENDING.unwound.set()


@contextlib.contextmanager
def hurrying() -> Iterator[None]:
    """While this lasts, Ctrl-C only raises KeyboardInterrupt; other signals end the process.

    Native code (a search, or its compilation) runs to its end. A second Ctrl-C is told so, and a
    third does not wait.
    """
    _ENDING.hurried, _ENDING.presses = False, 0
    _ENDING.hurries = True
    try:
        yield
    finally:
        _ENDING.hurries = False


def _flush() -> None:
    with contextlib.suppress(Exception):
        sys.stdout.flush()


def _end_children() -> None:
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        with contextlib.suppress(Exception):
            for child in active_children():
                child.kill()


def _terminal() -> Callable[[], None]:
    """Restores the terminal's present settings, which line editing changes."""
    try:
        import termios
    except ImportError:
        return _nothing
    try:
        kept = termios.tcgetattr(0)
    except (OSError, ValueError, termios.error):
        return _nothing

    def restore() -> None:
        with contextlib.suppress(Exception):
            termios.tcsetattr(0, termios.TCSANOW, kept)

    return restore
