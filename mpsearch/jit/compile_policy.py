"""Compile policy: machine code at once, or plain Python until another process has compiled it.

Whoever plays with people does not wait for the compiler: a child process compiles and keeps, and
until it has ended what is not loaded yet runs as plain Python, with the same results.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

#: What other processes compile at this time: the rules of games.
_pending: list[object] = []


def compile_elsewhere(rules: object, wait: Callable[[], object]) -> threading.Thread:
    """Run as plain Python from now on, until `wait` returns, which a thread of its own calls."""
    _pending.append(rules)

    def end() -> None:
        try:
            wait()
        finally:
            _pending.remove(rules)

    thread = threading.Thread(target=end, name="compiling elsewhere", daemon=True)
    thread.start()
    return thread


def compiling_elsewhere(rules: object | None = None) -> bool:
    """Whether machine code is on its way: of these rules, or of any."""
    if not _pending:
        return False
    return rules is None or any(rules is other for other in _pending)
