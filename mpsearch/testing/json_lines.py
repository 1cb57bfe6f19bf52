"""JSON lines on standard output, the reports of a check in a child process."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable


def json_lines() -> Callable[..., None]:
    """A function that prints its keywords as a line of JSON; plugins' prints go to stderr."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(**what: str) -> None:
        print(json.dumps(what), file=lines, flush=True)

    return say


def rarer_collections() -> None:
    """Let a short process that makes many objects spend less time on looking for garbage."""
    gc.set_threshold(50_000, 10, 10)
