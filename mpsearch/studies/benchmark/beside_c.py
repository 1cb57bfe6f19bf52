"""The ratio to hand-written C, if the repository's benchmarks and a C compiler are present."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mpsearch

#: Programs of `benchmarks/` that print rows with `ratio_to_c`, with arguments for short runs.
PROGRAMS = {
    "scramble": ("--depth", "9", "--deep", "11", "--pairs", "3"),
    "risk_lite": ("--depth", "4", "--repeats", "3"),
    "hearts": ("--depth", "8", "--deals", "2", "--rounds", "3", "--search-only"),
    "quoridor": ("--repeats", "3"),
}
_COLUMNS = ("game", "propagator", "depth", "nodes", "seconds", "nodes_per_second", "ratio_to_c")


def find_programs() -> Path | None:
    """The folder of the benchmarks if they can run."""
    folder = Path(mpsearch.__file__).parents[1] / "benchmarks"
    return folder if (folder / "harness.py").exists() and shutil.which("gcc") else None


def compare_with_c(
    folder: Path, games: Sequence[str], *, seconds: float, quick: bool
) -> tuple[list[dict[str, Any]], list[str]]:
    """Rows of the programs that finish in time, and the games whose programs do not.

    `quick` runs only the first.
    """
    rows: list[dict[str, Any]] = []
    left_out = []
    deadline = time.monotonic() + seconds
    for name in [name for name in PROGRAMS if name in games][: 1 if quick else None]:
        command = [sys.executable, str(folder / f"{name}.py"), "--json", *PROGRAMS[name]]
        left = max(deadline - time.monotonic(), 0.0)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=left, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            left_out.append(name)
            continue
        rows += [{column: row[column] for column in _COLUMNS} for row in json.loads(done.stdout)]
    return rows, left_out
