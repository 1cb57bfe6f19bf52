"""One process compiles what several need at the same time; the others wait and load it.

Only the function that was called is locked, not those it calls: whoever holds a lock never waits
for another, so no two processes can wait for each other. A lock ends with its process, and nobody
waits for ever: at worst something is compiled twice.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: everybody compiles
    fcntl = None  # type: ignore[assignment]

#: Seconds that another process is waited for.
_LONGEST = 120.0
_POLL = 0.02

#: The lock that this process holds, and its file. numba compiles in one thread at a time.
_held: tuple[Path, int] | None = None


def acquire(entry: Path) -> bool:
    """Take the lock of an entry unless one is held; whether another process had it before."""
    global _held
    if _held is not None or fcntl is None:
        return False
    path = entry.with_suffix(".lock")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return False
    until = time.monotonic() + _LONGEST
    waited = False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            waited = True
            if time.monotonic() >= until:
                os.close(handle)
                return True
            time.sleep(_POLL)
        else:
            _held = path, handle
            return waited


def release() -> None:
    """Let go of the lock, if one is held."""
    global _held
    if _held is not None:
        path, handle = _held
        _held = None
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)


def release_after(entry: Path) -> None:
    """Let go of the lock of an entry that has been written."""
    if _held is not None and _held[0] == entry.with_suffix(".lock"):
        release()


if hasattr(os, "register_at_fork"):
    # A fork shares the lock with its parent: to let go of it is the parent's affair.
    def _forget() -> None:
        global _held
        _held = None

    os.register_at_fork(after_in_child=_forget)
