"""A run of the contract over everything that is installed, without pytest.

Every game is checked in a process of its own, so that a plugin that crashes or hangs is a
finding like any other.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from mpsearch.catalog import Catalog
from mpsearch.loading import Problem

#: Seconds without a word from the check of a game, after which it hangs. Compiling is silent too.
PATIENCE = 240.0


def check_catalog(
    catalog: Catalog,
    *,
    quick: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> list[Problem]:
    """What breaks the contract when games are made and played at random, in every setting."""
    found = []
    for name in catalog.games:
        found += list(check_game(catalog, name, quick=quick, patience=patience, tell=tell))
    tell("")
    return found


def check_game(
    catalog: Catalog,
    name: str,
    *,
    quick: bool = False,
    tours_only: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> Iterator[Problem]:
    """What is wrong with one game, found by a child process.

    `quick`: only the usual options, with the usual, least and most players. `tours_only`: only
    whether its functions run at all, not the rules of the contract.
    """
    flags = ["--quick"] * quick + ["--tours-only"] * tours_only
    command = [sys.executable, "-m", "mpsearch.testing.child", name, *flags]
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "MPSEARCH_CHECK": "1"},
    )
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_read, args=(child, lines), daemon=True)
    reader.start()
    last: dict[str, Any] = {"plugin": catalog.origin[name].name, "running": f"game '{name}'"}
    try:
        while line := lines.get(timeout=patience):
            said = json.loads(line)
            if "done" in said:
                return
            if "finding" in said:
                yield Problem(plugin=said["plugin"], what=said["finding"])
            else:
                last = said
                tell(said["running"])
        end = _end(child.wait())
    except queue.Empty:
        end = f"nothing happened for {patience:g} seconds: it hangs"
    finally:
        child.kill()
        child.wait()
        reader.join()
    yield Problem(plugin=last["plugin"], what=f"{last['running']}: {end}")


def _read(child: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Pass on the child's lines, and an empty one when there will be no more."""
    assert child.stdout is not None
    with child.stdout as stdout:
        for line in stdout:
            lines.put(line)
    lines.put("")


def _end(code: int) -> str:
    if code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    return f"the process ended with exit code {code}"
