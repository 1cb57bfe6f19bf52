"""The ratio to hand-written C, where the repository's benchmarks and a C compiler are there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpsearch

#: Programs of `benchmarks/` that print rows with `ratio_to_c`, and arguments for short runs.
PROGRAMS = {
    "scramble": ("--depth", "9", "--deep", "11", "--pairs", "3"),
    "risk_lite": ("--depth", "4", "--repeats", "3"),
    "hearts": ("--depth", "8", "--deals", "2", "--rounds", "3", "--search-only"),
    "quoridor": ("--repeats", "3"),
}
_COLUMNS = ("game", "propagator", "depth", "nodes", "seconds", "nodes_per_second", "ratio_to_c")


def find_programs() -> Path | None:
    """The folder of the benchmarks, if they can run."""
    folder = Path(mpsearch.__file__).parents[1] / "benchmarks"
    return folder if (folder / "harness.py").exists() and shutil.which("gcc") else None


def compare_with_c(folder: Path, *, seconds: float, quick: bool) -> Iterator[dict[str, Any]]:
    """Rows of the programs that end in time, the first only if it must be quick."""
    deadline = time.monotonic() + seconds
    for name, arguments in list(PROGRAMS.items())[: 1 if quick else None]:
        left = deadline - time.monotonic()
        if left <= 0:
            return
        command = [sys.executable, str(folder / f"{name}.py"), "--json", *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=left, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            # A slow machine, or a game that is not installed.
            continue
        for row in json.loads(done.stdout):
            yield {column: row[column] for column in _COLUMNS}
