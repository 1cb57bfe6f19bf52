"""JSON lines on standard output, by which a check in a child process reports."""

from __future__ import annotations

import json
import os
from collections.abc import Callable


def json_lines() -> Callable[..., None]:
    """A function that prints its keywords as a line of JSON.

    What plugins print goes to standard error; our lines have standard output to themselves.
    """
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(**what: str) -> None:
        print(json.dumps(what), file=lines, flush=True)

    return say
