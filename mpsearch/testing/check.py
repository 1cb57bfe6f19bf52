"""A run of the contract over everything that is installed, without pytest.

Every game and search algorithm is checked in a process of its own, so that a plugin that
crashes or hangs is a finding like any other.
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

from mpsearch.plugins import Catalog, Problem

#: Seconds without a word from a check, after which it hangs. Compiling is silent too.
PATIENCE = 240.0


def check_catalog(
    catalog: Catalog,
    *,
    quick: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> list[Problem]:
    """What breaks the contract: games, played at random in every setting, and search algorithms."""
    found = []
    for name in catalog.games:
        found += list(check_game(catalog, name, quick=quick, patience=patience, tell=tell))
    for name in catalog.search_algorithms:
        found += list(check_search_algorithm(catalog, name, patience=patience, tell=tell))
    tell("")
    return found


def check_game(
    catalog: Catalog,
    name: str,
    *,
    quick: bool = False,
    smoke_test_only: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> Iterator[Problem]:
    """What is wrong with one game, found by a child process.

    `quick`: only the usual options, with the usual, least and most players. `smoke_test_only`: only
    whether its functions run at all, not the rules of the contract.
    """
    flags = ["--quick"] * quick + ["--smoke-test-only"] * smoke_test_only
    yield from _findings(
        ["mpsearch.testing.game_check", name, *flags],
        plugin=catalog.origin[name].name,
        subject=f"game '{name}'",
        patience=patience,
        tell=tell,
    )


def check_search_algorithm(
    catalog: Catalog,
    name: str,
    *,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> Iterator[Problem]:
    """What is wrong with one search algorithm, found by a child process."""
    yield from _findings(
        ["mpsearch.testing.search_algorithm_check", name],
        plugin=catalog.search_algorithm_origin[name],
        subject=f"search algorithm '{name}'",
        patience=patience,
        tell=tell,
    )


def _findings(
    module: list[str],
    *,
    plugin: str,
    subject: str,
    patience: float,
    tell: Callable[[str], None],
) -> Iterator[Problem]:
    """What a module finds that prints JSON lines; its crash or silence is a finding too."""
    child = subprocess.Popen(
        [sys.executable, "-m", *module],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "MPSEARCH_CHECK": "1"},
    )
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_read, args=(child, lines), daemon=True)
    reader.start()
    last: dict[str, Any] = {"plugin": plugin, "running": subject}
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
