"""A plugin of pytest for tools/mutate.py: which functions of the core each test runs.

`--touching FILE` adds one line of JSON for every test that passes within LIMIT seconds of
processor time: its name, its seconds and the functions it called. `--listed FILE` runs only the
tests named there, one in a line, in that order.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

#: A test that takes longer is of no use where hundreds of mutations are tried.
LIMIT = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--touching", type=Path, help="where to write what each test runs")
    parser.addoption("--listed", type=Path, help="the tests to run, in this order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    listed: Path | None = config.getoption("--listed")
    if listed is not None:
        by_name = {item.nodeid: item for item in items}
        names = listed.read_text(encoding="utf-8").splitlines()
        items[:] = [by_name[name] for name in names]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    file: Path | None = item.config.getoption("--touching")
    if file is None:
        return (yield)
    called: set[CodeType] = set()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        called.add(frame.f_code)

    failed = item.session.testsfailed
    started = time.process_time()
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        result = yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        signal.setitimer(signal.ITIMER_PROF, 0)
    if item.session.testsfailed == failed:
        core = item.config.rootpath / "mpsearch"
        with file.open("a", encoding="utf-8") as out:
            seconds = round(time.process_time() - started, 3)
            names = sorted(filter(None, (function_name(code, core) for code in called)))
            print(json.dumps({"test": item.nodeid, "seconds": seconds, "runs": names}), file=out)
    return result


class TooLong(BaseException):
    """No `except Exception` holds it."""


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLong


def function_name(code: CodeType, core: Path) -> str | None:
    """A function of the core as `folder/file.py function`; None for what is not of the core."""
    path = Path(code.co_filename)
    return f"{path.relative_to(core)} {code.co_qualname}" if path.is_relative_to(core) else None
