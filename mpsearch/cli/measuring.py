"""What commands that measure share: nothing measured is lost, and what is partial says so."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

from mpsearch.cli.interrupt import exit_code
from mpsearch.errors import MpsearchError


@contextlib.contextmanager
def cut_short(cut: KeyboardInterrupt | MpsearchError | None, done: str) -> Iterator[int]:
    """While results are put out: say why they are partial, if they are, and what is `done`.

    Gives the exit code. After one Ctrl-C another would lose them, so it is ignored until they are
    out.
    """
    if cut is None:
        yield 0
        return
    if (
        not isinstance(cut, KeyboardInterrupt)
        or threading.current_thread() != threading.main_thread()
    ):
        _say(cut, done)
        yield 1
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _say(cut, done)
        yield 1
    finally:
        if not exit_code(0):  # else this process is about to end, and printing has yet to
            signal.signal(signal.SIGINT, before)


def _say(cut: KeyboardInterrupt | MpsearchError, done: str) -> None:
    print(
        f"mpsearch: {str(cut) or 'interrupted'}; results are partial: {done}",
        file=sys.stderr,
        flush=True,
    )
