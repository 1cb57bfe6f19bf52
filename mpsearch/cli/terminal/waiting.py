"""Waiting at the terminal: the elapsed seconds, on a line that is rewritten."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

#: Seconds after which the line appears.
_PATIENCE = 1.0


@contextlib.contextmanager
def elapsed(doing: str, advice: str = "") -> Iterator[None]:
    """Show how long the block has taken so far, and what the person can do about it."""
    if not sys.stdout.isatty():
        yield
        return
    done = threading.Event()
    watch = threading.Thread(target=_tell, args=(done, doing, advice), daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        watch.join()


def _tell(done: threading.Event, doing: str, advice: str) -> None:
    began = time.monotonic()
    shown = False
    while not done.wait(_PATIENCE):
        seconds = time.monotonic() - began
        print(f"\r\x1b[K  {doing}: {seconds:.0f} s{advice}", end="", flush=True)
        shown = True
    if shown:
        print("\r\x1b[K", end="", flush=True)
