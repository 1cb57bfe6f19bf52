"""Commands whose standard error is a terminal, so that they show how far they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from support.processes import START


class Running:
    """A command that was begun, in a session of its own."""

    def __init__(self, *arguments: str, **settings: Any) -> None:
        self._terminal, theirs = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=theirs,
            start_new_session=True,
            **settings,
        )
        os.close(theirs)
        #: What it has said on its terminal so far.
        self.said = ""

    def wait_for(self, text: str) -> None:
        """Until the terminal has shown a text."""
        while text not in self.said:
            assert self._read(), f"it ended before it said {text!r}: {self.said}"

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C as from a terminal, to the whole group, and once more while it reports."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.wait_for("results are partial")
        os.killpg(self.process.pid, signal.SIGINT)
        return self.finish()

    def finish(self) -> tuple[int, str]:
        """Its exit code and what it printed, once it has ended by itself."""
        assert self.process.stdout is not None
        # Both are read at once: a terminal that nobody reads fills up, and the command would wait.
        with self.process.stdout as stream, ThreadPoolExecutor(1) as reader:
            out = reader.submit(stream.read)
            while self._read():
                pass
        os.close(self._terminal)
        return self.process.wait(timeout=300), out.result().decode()

    def workers(self) -> list[int]:
        """The processes that it has started to play games."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [pid for pid in map(int, children.read_text().split()) if is_worker(pid)]

    def _read(self) -> bool:
        try:
            more = os.read(self._terminal, 4096)
        except OSError:  # the other end is closed
            return False
        self.said += more.decode()
        return bool(more)


def is_worker(pid: int) -> bool:
    """Whether a process is one of multiprocessing's, and no zombie."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return b"spawn_main" in words and state != "Z"
