"""A person at a terminal of 80 columns and 24 lines: what is typed, and what is seen."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import termios
import time
from typing import ClassVar

from support.forked import fork_at
from support.processes import START

#: Control sequences of a terminal, and what prompt_toolkit writes to move the cursor.
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]")
_PATIENCE = 300


class Person:
    """A command at a pseudo-terminal."""

    #: Those who have not left yet: a test that failed leaves somebody sitting there.
    sitting: ClassVar[list[Person]] = []

    def __init__(self, *arguments: str, term: str = "xterm") -> None:
        self._terminal, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TERM": term, "MPSEARCH_LOG": "WARNING", "NO_COLOR": "1"}
        self.process = fork_at(theirs, START, *arguments, env=environment)
        os.close(theirs)
        Person.sitting.append(self)
        #: Everything that was shown, without control sequences.
        self.seen = ""
        self._read_to = 0

    def waits_for(self, *texts: str) -> str:
        """What is shown up to and with the first of some texts that was not shown before."""
        end = time.monotonic() + _PATIENCE
        while not (found := [t for t in texts if t in self.seen[self._read_to :]]):
            assert time.monotonic() < end, f"no {texts} in {self.seen[self._read_to :]!r}"
            assert self._read(), f"it ended before it showed {texts}: {self.seen!r}"
        at = min(self.seen.index(t, self._read_to) + len(t) for t in found)
        shown, self._read_to = self.seen[self._read_to : at], at
        return shown

    def asks(self, text: str, answer: str, *, then: str) -> str:
        """Type a line; what is shown up to its answer and, after that, to `then`.

        A line editor draws the prompt once more when a line is done, so that seeing the prompt
        alone would say nothing.
        """
        self.types(text)
        return self.waits_for(answer) + self.waits_for(then)

    def types(self, text: str) -> None:
        """A line and Enter."""
        self.presses(text + "\r")

    def presses(self, keys: str) -> None:
        """Keys, as a terminal sends them."""
        os.write(self._terminal, keys.encode())

    def leaves(self) -> int:
        """The exit code, once the command has ended."""
        while self._read():
            pass
        self._stand_up()
        return self.process.wait(timeout=_PATIENCE)

    def is_sent_home(self) -> None:
        """The command is killed."""
        self.process.kill()
        self.process.wait()
        self._stand_up()

    def _stand_up(self) -> None:
        Person.sitting.remove(self)
        os.close(self._terminal)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], 1.0)
        if not ready:
            return self.process.poll() is None
        try:
            more = os.read(self._terminal, 65536)
        except OSError:  # the other end is closed
            return False
        # A line that is rewritten is seen as one line after another.
        shown = more.decode(errors="replace").replace("\r\x1b[K", "\n")
        self.seen += _ESCAPES.sub("", shown).replace("\r", "")
        return bool(more)
