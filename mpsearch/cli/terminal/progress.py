"""Progress of long work: one line, rewritten, on a terminal; elsewhere a line a minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Annotated

import typer

ProgressLines = Annotated[
    bool, typer.Option("--progress", help="Report progress once a minute even without a terminal.")
]

#: Seconds between two lines where there is no terminal.
PAUSE = 60.0


class Progress:
    """Writes to standard error: always on a terminal, elsewhere only with `lines`."""

    def __init__(self, *, lines: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._live = sys.stderr.isatty()
        self._lines = lines
        self._clock = clock
        self._last = clock()
        self._open = False

    def show(self, text: str) -> None:
        """Report progress; called as often as anything was done."""
        if self._live:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            self._open = True
        elif self._lines and self._clock() - self._last >= PAUSE:
            print(text, file=sys.stderr, flush=True)
            self._last = self._clock()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._open:
            print(file=sys.stderr, flush=True)
