"""Timer: a call after some seconds, unless what it watches is done by then."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def alarm(seconds: float, call: Callable[[], object]) -> Iterator[None]:
    """Call something in another thread unless the block ends within so many seconds."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
