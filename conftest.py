"""For all tests, of the core and of plugins: bytecode is kept, and no processor is idle.

The tests start hundreds of processes. Where `PYTHONDONTWRITEBYTECODE` is set, as in many
containers, each of them would read numpy, numba and mpsearch from source: 1.3 seconds of processor
time instead of 0.5 (18 November 2026). So bytecode goes to a folder of this run, and nowhere else.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import pytest


def pytest_configure(config: pytest.Config) -> None:
    if sys.dont_write_bytecode:
        folder = tempfile.mkdtemp(prefix="mpsearch-bytecode-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        sys.dont_write_bytecode = False
        sys.pycache_prefix = folder


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: tests also wait, for processes, servers and browsers."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="module")
def natively() -> Iterator[None]:
    """Whoever has a policy is played natively from the first ply, however little is played."""
    from mpsearch.match import natively_at_once

    with natively_at_once():
        yield
