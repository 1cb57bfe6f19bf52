"""Contract checks of everything that is installed, without pytest.

Every game and search algorithm is checked in its own process, one per processor at a time, so that
a plugin that crashes or hangs is a finding like any other.
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

from mpsearch.contracts import SearchAlgorithmOffer
from mpsearch.plugins import Catalog, Problem

#: Seconds without output after which a check hangs; compiling is silent too.
PATIENCE = 240.0

#: Running child processes.
Children: TypeAlias = set[subprocess.Popen[str]]


def check_catalog(
    catalog: Catalog,
    *,
    quick: bool = False,
    thorough: bool = False,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
) -> list[Problem]:
    """Check all games, by random play in every setting, and all search algorithms."""
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
    **run: Any,
) -> Iterator[Problem]:
    """Check one game in a child process; `run` is passed to `_findings`.

    `quick`: only default options, with the default, least and most players, and few worlds but with
    the default. `thorough`: options of evaluators and branchings with every number of players and
    in every random game, and every rule with each number.
    `smoke_test_only`: only whether its functions run.
    """
    given = {"quick": quick, "thorough": thorough, "smoke-test-only": smoke_test_only}
    flags = [f"--{name}" for name, wanted in given.items() if wanted]
    yield from _findings(
        ["mpsearch.testing.game_check", name, *flags],
        plugin=catalog.origin[name].name,
        subject=f"game '{name}'",
        **run,
    )


def check_search_algorithm(catalog: Catalog, name: str, **run: Any) -> Iterator[Problem]:
    """Check one search algorithm in a child process; `run` is passed to `_findings`."""
    yield from _findings(
        ["mpsearch.testing.search_algorithm_check", name],
        plugin=catalog.owners[SearchAlgorithmOffer.kind, name],
        subject=f"search algorithm '{name}'",
        **run,
    )


def _findings(
    module: list[str],
    *,
    plugin: str,
    subject: str,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda what: None,
    children: Children | None = None,
) -> Iterator[Problem]:
    """The findings of a module that prints JSON lines; a crash or silence is one too."""
    children = set() if children is None else children
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
    # Imports come before the first line.
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
        code = child.wait()
        how = f"ended with exit code {code}"
        end = f"the process {how if code >= 0 else f'was ended by {signal.Signals(-code).name}'}"
    except queue.Empty:
        end = f"no progress for {patience:g} seconds: it hangs"
    finally:
        child.kill()
        child.wait()
        children.discard(child)
        reader.join()
    yield Problem(plugin=last["plugin"], what=f"{last['running']}: {end}")


def _read(child: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Pass on the child's lines, and an empty one at the end."""
    assert child.stdout is not None
    with child.stdout as stdout:
        for line in stdout:
            lines.put(line)
    lines.put("")
