"""Commands in processes of their own, ended by signals at chosen instants."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Python's own handling first: where the tests are a background job, SIGINT arrives ignored.
START = """
import signal
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    signal.signal(number, usual)
from mpsearch.cli import main
main()
"""

WORDS = {
    signal.SIGINT: "mpsearch: interrupted",
    signal.SIGTERM: "mpsearch: terminated",
    signal.SIGHUP: "mpsearch: hung up",
}
#: Native code for minutes, whatever the machine.
COUNTING = ["perft", "--game", "scramble", "--option", "length=100", "--depth", "60"]


@contextlib.contextmanager
def stopping(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def start(*arguments: str, **settings: Any) -> subprocess.Popen[str]:
    """A command, begun. It is ready for signals once `wait_until_watching` returns."""
    settings = {"stdin": subprocess.DEVNULL, **settings}
    return subprocess.Popen(
        [sys.executable, "-c", START, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **settings,
    )


def wait_until_watching(process: subprocess.Popen[str]) -> None:
    """Until the process catches SIGTERM, which Python alone does not: our first instant."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        caught = next(x for x in status.read_text().splitlines() if x.startswith("SigCgt"))
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.001)


def ended(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str, list[str]]:
    """Send a signal; the exit code, what was printed, and what was said besides notices."""
    process.send_signal(number)
    # Not a claim about time: without an end of its own the command would go on for hours.
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    out, err = process.communicate()
    watchdog.cancel()
    notices = ("compiling ", "mpsearch: nobody is at the terminal")
    return process.returncode, out, [x for x in err.splitlines() if not x.startswith(notices)]
