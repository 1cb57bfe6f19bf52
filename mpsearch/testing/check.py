"""A run of the contract over everything that is installed, without pytest.

Every game and search algorithm is checked in a process of its own, so that a plugin that
crashes or hangs is a finding like any other. As many run side by side as there are processors.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

from mpsearch.plugins import Catalog, Problem

#: Seconds without a word from a check, after which it hangs. Compiling is silent too.
PATIENCE = 240.0

#: The child processes of a check that are running.
Children: TypeAlias = set[subprocess.Popen[str]]


def check_catalog(
    catalog: Catalog,
    *,
    quick: bool = False,
    thorough: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> list[Problem]:
    """What breaks the contract: games, played at random in every setting, and search algorithms."""
    children: Children = set()
    done = itertools.count(1)
    ended = 0

    def count(what: str) -> None:
        tell(f"{ended} of {len(checks)} done; {what}")

    told: dict[str, Any] = {"patience": patience, "tell": count, "children": children}
    checks = [
        functools.partial(check_game, catalog, name, quick=quick, thorough=thorough, **told)
        for name in catalog.games
    ] + [
        functools.partial(check_search_algorithm, catalog, name, **told)
        for name in catalog.search_algorithms
    ]

    def run(check: Callable[[], Iterator[Problem]]) -> list[Problem]:
        nonlocal ended
        found = list(check())
        ended = next(done)
        return found

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(run, check) for check in checks]
        try:
            return [problem for future in running for problem in future.result()]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(children):
                child.kill()
            raise
        finally:
            tell("")


def check_game(
    catalog: Catalog,
    name: str,
    *,
    quick: bool = False,
    thorough: bool = False,
    smoke_test_only: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
    children: Children | None = None,
) -> Iterator[Problem]:
    """What is wrong with one game, found by a child process.

    `quick`: only the usual options, with the usual, least and most players. `thorough`: the options
    of evaluators and branchings with every number of players, and every rule with each of them.
    `smoke_test_only`: only whether its functions run at all, not the rules of the contract.
    """
    given = {"quick": quick, "thorough": thorough, "smoke-test-only": smoke_test_only}
    flags = [f"--{name}" for name, wanted in given.items() if wanted]
    yield from _findings(
        ["mpsearch.testing.game_check", name, *flags],
        plugin=catalog.origin[name].name,
        subject=f"game '{name}'",
        patience=patience,
        tell=tell,
        children=set() if children is None else children,
    )


def check_search_algorithm(
    catalog: Catalog,
    name: str,
    *,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
    children: Children | None = None,
) -> Iterator[Problem]:
    """What is wrong with one search algorithm, found by a child process."""
    yield from _findings(
        ["mpsearch.testing.search_algorithm_check", name],
        plugin=catalog.search_algorithm_origin[name],
        subject=f"search algorithm '{name}'",
        patience=patience,
        tell=tell,
        children=set() if children is None else children,
    )


def _findings(
    module: list[str],
    *,
    plugin: str,
    subject: str,
    patience: float,
    tell: Callable[[str], None],
    children: Children,
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
    children.add(child)
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_read, args=(child, lines), daemon=True)
    reader.start()
    last: dict[str, Any] = {"plugin": plugin, "running": subject}
    # Until its first word it imports what everybody needs.
    waits = max(patience, PATIENCE)
    try:
        while line := lines.get(timeout=waits):
            said, waits = json.loads(line), patience
            if "done" in said:
                return
            if "finding" in said:
                yield Problem(plugin=said["plugin"], what=said["finding"])
            else:
                last = said
                tell(said["running"])
        end = _end(child.wait())
    except queue.Empty:
        end = f"no progress for {patience:g} seconds: it hangs"
    finally:
        child.kill()
        child.wait()
        children.discard(child)
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
