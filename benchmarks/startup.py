"""Start-up time of `mpsearch games` and of the first move of a game.

Every command runs in a process of its own, all of them in turn, beside the bare imports that
no command can be faster than. Cold: with an empty cache of machine code.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from harness import arguments, print_result

#: A line that shows a move, such as '   0  seat 0  +3        maxn  expects ...'.
MOVE = re.compile(r"\s*\d+  seat \d")
SCRIPT = str(Path(sysconfig.get_path("scripts")) / "mpsearch")


@attrs.frozen(kw_only=True)
class Task:
    """A command, and whether it is over with its first move or only at its end."""

    name: str
    command: tuple[str, ...]
    until_move: bool = False
    #: Whether the cache of machine code is emptied before.
    cold: bool = False


IMPORTS = (
    Task(name="import numpy", command=(sys.executable, "-c", "import numpy")),
    Task(name="import numba", command=(sys.executable, "-c", "import numba")),
)


def commands(script: str, *, where: str = "") -> tuple[Task, ...]:
    """What is measured of one installation of mpsearch."""
    play = (script, "play", "--seed", "1", "--game")
    hearts = (*play, "hearts", *("--seat", "maxn:depth=1,worlds=1") * 4)
    return (
        Task(name=f"games{where}", command=(script, "games")),
        Task(name=f"first move, warm{where}", command=(*play, "scramble"), until_move=True),
        Task(name=f"first move of hearts, warm{where}", command=hearts, until_move=True),
        Task(
            name=f"first move, cold{where}",
            command=(*play, "scramble"),
            until_move=True,
            cold=True,
        ),
    )


@attrs.frozen(kw_only=True)
class Time:
    """One run, in seconds."""

    wall: float
    #: Processor time of the process, up to a little after the end of the task.
    processor: float


def environment(cache: Path) -> dict[str, str]:
    """As a user has it: byte code is kept. Lines arrive when they are printed."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONUNBUFFERED": "1", "MPSEARCH_CACHE": str(cache)}


def run(task: Task, env: Mapping[str, str]) -> Time:
    """Run a task once."""
    started = time.perf_counter()
    process = subprocess.Popen(
        task.command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout as lines:
        seen = any(MOVE.match(line) for line in lines) if task.until_move else bool(lines.read())
        wall = time.perf_counter() - started
        if task.until_move:
            process.kill()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if task.until_move and not seen:
        raise SystemExit(f"{task.name}: no move was shown")
    if not task.until_move and process.returncode != 0:
        raise SystemExit(f"{task.name}: exit code {process.returncode}")
    return Time(wall=wall, processor=used.ru_utime + used.ru_stime)


def measure(tasks: Sequence[Task], runs: int) -> list[dict[str, Any]]:
    """The medians of all tasks, run in turn after one round that does not count."""
    times: dict[str, list[Time]] = {task.name: [] for task in tasks}
    with tempfile.TemporaryDirectory() as folder:
        warm, cold = Path(folder) / "warm", Path(folder) / "cold"
        for k in range(runs + 1):
            for task in tasks:
                shutil.rmtree(cold, ignore_errors=True)
                found = run(task, environment(cold if task.cold else warm))
                if k > 0:
                    times[task.name].append(found)
    numpy = statistics.median(t.processor for t in times["import numpy"])
    return [
        {
            "what": name,
            "wall": statistics.median(t.wall for t in found),
            "least_wall": min(t.wall for t in found),
            "processor": statistics.median(t.processor for t in found),
            "processor_to_numpy": statistics.median(t.processor for t in found) / numpy,
            "runs": len(found),
        }
        for name, found in times.items()
    ]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--runs", type=int, default=7, help="how often each command runs")
    parser.add_argument("--beside", help="the mpsearch of another environment, to compare with")
    given = parser.parse_args()
    tasks = [*IMPORTS, *commands(SCRIPT)]
    if given.beside:
        tasks += commands(given.beside, where=", beside")
    print_result(measure(tasks, given.runs), as_json=given.json)


if __name__ == "__main__":
    main()
