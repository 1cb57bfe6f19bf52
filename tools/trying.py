"""Trying mutations: a plugin of pytest that runs chosen tests again and again, in forked processes.

pytest imports and collects once. Every test, or try of a mutation, then has a process of its own
that begins there, so that nothing is imported twice and nothing stays behind.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import attrs
import pytest

#: Seconds of processor time; a test that takes longer is of no use where hundreds of mutations
#: are tried.
LIMIT = 5.0
#: Seconds of tests that a mutation is tried with: one that hundreds of quick tests do not notice
#: is worth a look, whatever a slow one would say.
MOST = 15.0
#: How much longer than usual tests may take before they are said to go on for ever.
PATIENCE = 5.0


@attrs.frozen
class Known:
    """A test, as it runs without any mutation."""

    seconds: float
    #: Functions of the core that it calls, each as `folder/file.py name`.
    calls: frozenset[str]


class Trying:
    """The plugin: learns what each test calls, then does what it is made for."""

    def __init__(self, core: Path, kept: Path, then: Callable[[Trying], None]) -> None:
        self.core = core
        self.kept = kept
        self.then = then
        self.known: dict[str, Known] = {}
        self._items: dict[str, pytest.Item] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._items = {item.nodeid: item for item in session.items}
        self._learn()
        self.then(self)
        return True

    def _learn(self) -> None:
        """Run every test that is not known yet, once; a changed file is no longer known."""
        changed = {item.path: item.path.stat().st_mtime_ns for item in self._items.values()}
        lines = self.kept.read_text(encoding="utf-8").splitlines() if self.kept.exists() else []
        for entry in map(json.loads, lines):
            item = self._items.get(entry["test"])
            if item is not None and changed[item.path] == entry["changed"]:
                self.known[entry["test"]] = Known(entry["seconds"], frozenset(entry["calls"]))
        new = [name for name in self._items if name not in self.known]
        if new:
            print(f"seeing what {len(new)} tests call", flush=True)
        with self.kept.open("a", encoding="utf-8") as out:
            file = self.core / "called.json"
            for name in new:
                code = _in_a_fork(functools.partial(self._called, name, file), LIMIT)
                found: dict[str, Any] = {"seconds": 0.0, "calls": []}
                if code == 0:
                    found = json.loads(file.read_text(encoding="utf-8"))
                self.known[name] = Known(found["seconds"], frozenset(found["calls"]))
                entry = {"test": name, "changed": changed[self._items[name].path], **found}
                print(json.dumps(entry), file=out, flush=True)

    def _called(self, name: str, file: Path) -> int:
        called: set[CodeType] = set()
        sys.addaudithook(_stay_alone)

        def profile(frame: FrameType, event: str, argument: Any) -> None:
            called.add(frame.f_code)

        started = time.process_time()
        threading.setprofile(profile)
        sys.setprofile(profile)
        passed = self._passes(name)
        sys.setprofile(None)
        seconds = round(time.process_time() - started, 3)
        calls = sorted(filter(None, (self._function(code) for code in called)))
        file.write_text(json.dumps({"seconds": seconds, "calls": calls}), encoding="utf-8")
        return int(not passed)

    def _function(self, code: CodeType) -> str | None:
        path = Path(code.co_filename)
        if not path.is_relative_to(self.core):
            return None
        return f"{path.relative_to(self.core).as_posix()} {code.co_qualname}"

    def _passes(self, name: str) -> bool:
        item = self._items[name]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not item.session.testsfailed

    def tests_of(self, path: str, function: str) -> list[str]:
        """The tests that call a function, or else anything of its file; the quickest first."""
        exact = f"{path} {function}"
        found = [name for name, test in self.known.items() if exact in test.calls]
        if not found:
            for name, test in self.known.items():
                if any(call.startswith(f"{path} ") for call in test.calls):
                    found.append(name)
        return sorted(found, key=lambda name: self.known[name].seconds)

    def _some(self, tests: list[str], most: float) -> list[str]:
        """As many tests as take so many seconds together, but for the last of them."""
        taken = itertools.accumulate(self.known[test].seconds for test in tests)
        return tests[: 1 + sum(seconds < most for seconds in taken)]

    def outcome(self, path: str, function: str, before: str, after: str) -> str:
        """`killed`, `stopped` (tests went on for ever), `survived`, or `untested`."""
        tests = self._some(self.tests_of(path, function), MOST)
        if not tests:
            return "untested"
        limit = 2 * LIMIT + PATIENCE * sum(self.known[test].seconds for test in tests)
        file = self.core / path
        pairs = _pairs(file, before, after) if function else None
        if pairs:

            def run() -> int:
                # Some files are imported only when they are needed: that is now.
                importlib.import_module(
                    ".".join((self.core.name, *Path(path).with_suffix("").parts))
                )
                _exchange(file, pairs)
                return int(not all(map(self._passes, tests)))

            code = _in_a_fork(run, limit)
        else:
            code = _with_source(file, before, after, self._some(tests, LIMIT), limit)
        return {0: "survived", None: "stopped"}.get(code, "killed")


def _in_a_fork(run: Callable[[], int], limit: float) -> int | None:
    """What `run` returns in a process of its own; None if it takes too long."""
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        code = 3
        with contextlib.suppress(BaseException):
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            # Their usual answer: the process ends.
            for number in (signal.SIGPROF, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_REAL, 60 + 10 * limit)
            code = run()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return None if code in (-signal.SIGPROF, -signal.SIGALRM) else code


def _stay_alone(event: str, arguments: tuple[Any, ...]) -> None:
    """A test that starts other processes is of no use either: nobody knows what they call."""
    if event == "subprocess.Popen":
        os._exit(4)


def _pairs(file: Path, before: str, after: str) -> dict[tuple[str, int], CodeType] | None:
    """The new code of every function of a file, by name and line of the old one.

    None if they do not correspond.
    """
    old, new = (_codes(compile(text, file, "exec", dont_inherit=True)) for text in (before, after))
    pairs = {}
    for name, codes in old.items():
        if len(codes) == len(new[name]):
            for one, other in zip(codes, new[name], strict=True):
                if one.co_freevars != other.co_freevars:
                    return None
                pairs[name, one.co_firstlineno] = other
    return pairs


def _codes(code: CodeType) -> dict[str, list[CodeType]]:
    """Every function within a code, by its name."""
    found = defaultdict(list)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found[inner.co_qualname].append(inner)
            for name, codes in _codes(inner).items():
                found[name] += codes
    return found


def _exchange(file: Path, pairs: dict[tuple[str, int], CodeType]) -> None:
    """Give every function of a file that there is its new code."""
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == str(file):
            code = function.__code__
            function.__code__ = pairs.get((code.co_qualname, code.co_firstlineno), code)


def _with_source(
    file: Path, before: str, after: str, tests: Sequence[str], limit: float
) -> int | None:
    """pytest's exit code with another source of a file; None if it takes too long.

    For what runs when a module is imported.
    """
    words = ["-q", "-x", "-n0", "--assert=plain", "-p", "no:cacheprovider", *tests]
    _write(file, after)
    try:
        return subprocess.run(
            [sys.executable, "-m", "pytest", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60 + 10 * limit,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return None
    finally:
        _write(file, before)


def _write(file: Path, source: str) -> None:
    file.write_text(source, encoding="utf-8")
    # Python does not tell sources of one second and one size apart: its own copy is removed.
    for copied in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        copied.unlink()
