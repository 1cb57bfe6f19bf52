"""Processes are really killed: no finished game is lost, none is counted twice, all end equal."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.processes import stopping

from mpsearch.cli import run
from mpsearch.experiments.design_file import read_design
from mpsearch.experiments.engines import Local
from mpsearch.experiments.games import GameResult
from mpsearch.experiments.run import play_design, played_games
from mpsearch.experiments.store import Store
from mpsearch.plugins.catalog import installed

DESIGN = """\
game = "scramble"
players = 3
games = 24
seed = 11
baseline = "maxn"
others = ["oriented:row={row}", "random"]
options = { length = 14 }

[arms]
maxn = "maxn:depth=2"
sos = "sos:depth=2"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "d.toml"
    file.write_text(DESIGN)
    return file


def games(path: Path, store: Path) -> list[GameResult]:
    with Store(store, read_only=True) as kept:
        return list(played_games(kept, read_design(path, installed())))


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[GameResult]:
    folder = tmp_path_factory.mktemp("whole")
    file = folder / "d.toml"
    file.write_text(DESIGN)
    with Store(folder / "d.db") as store:
        play_design(read_design(file, installed()), store=store, engine=Local(1))
    found = games(file, folder / "d.db")
    assert [(p.arm, p.number) for p in found] == [
        (arm, number) for number in range(24) for arm in ("maxn", "sos")
    ]
    return found


MAIN = "from mpsearch.cli import main; main()"
RUN = ["experiment", "run"]
#: Without compiling: the games are the same, and processes start in a fraction of the time.
PLAIN = {**os.environ, "MPSEARCH_JIT": "0"}


def start(path: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", MAIN, *RUN, str(path), *more]
    with (path.parent / "errors").open("wb") as errors:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=PLAIN)


def count(store: Path) -> int:
    if not store.exists():
        return 0
    try:
        with Store(store, read_only=True) as kept:
            return len(kept)
    except Exception:
        return 0  # not begun yet


def children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def workers_of(pid: int) -> list[int]:
    """Its playing processes; Python's own helper that watches shared memory is none."""
    return [
        child
        for child in children(pid)
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def test_the_runner_is_killed_again_and_again(path: Path, uninterrupted: list[GameResult]) -> None:
    store = path.with_suffix(".db")
    chooser = random.Random(7)
    before = kills = 0
    for attempt in range(40):
        process = start(path, "--processes", str(1 + attempt % 2))
        # At a random instant after some more games, so that every attempt gets further.
        wanted = before + chooser.randrange(1, 16)
        while process.poll() is None and count(store) < wanted:
            time.sleep(0.01)
        time.sleep(chooser.random() * 0.03)
        if process.poll() is not None:
            assert process.returncode == 0
            break
        process.kill()
        process.wait()
        kills += 1
        assert count(store) >= wanted  # what was there before the kill is there after it
        before = count(store)
    assert kills >= 3
    assert games(path, store) == uninterrupted


def test_workers_of_a_killed_runner_end_with_it(path: Path) -> None:
    store = path.with_suffix(".db")
    process = start(path, "--processes", "2", "--games", "2000")
    while count(store) < 2:
        time.sleep(0.02)
    playing = workers_of(process.pid)
    assert len(playing) == 2
    process.kill()
    process.wait()
    for _ in range(500):
        if not any(Path(f"/proc/{pid}").exists() for pid in playing):
            break
        time.sleep(0.02)
    assert not any(Path(f"/proc/{pid}").exists() for pid in playing)


def test_workers_are_killed(path: Path, uninterrupted: list[GameResult]) -> None:
    store = path.with_suffix(".db")
    process = start(path, "--processes", "2")
    killed: set[int] = set()
    for wanted in (3, 9, 17):
        while process.poll() is None and count(store) < wanted:
            time.sleep(0.01)
        for pid in workers_of(process.pid)[:1]:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
    assert process.wait() == 0
    assert len(killed) == 3
    assert games(path, store) == uninterrupted


def test_two_runners_on_one_file_count_nothing_twice(
    path: Path, uninterrupted: list[GameResult]
) -> None:
    store = path.with_suffix(".db")
    first = start(path, "--games", "100000")
    while count(store) < 2:
        time.sleep(0.01)
    second = start(path)
    assert second.wait() == 1
    *_, line = (path.parent / "errors").read_text().splitlines()
    assert (
        line == f"mpsearch: {store} is in use by another run; wait for it, or choose another file"
    )
    first.kill()
    first.wait()
    assert start(path).wait() == 0
    assert games(path, store) == uninterrupted


@pytest.mark.slow
def test_every_engine_brings_the_same_games(path: Path, uninterrupted: list[GameResult]) -> None:
    assert start(path, "--engine", "dask", "--processes", "2").wait() == 0
    assert games(path, path.with_suffix(".db")) == uninterrupted


@pytest.mark.slow
def test_a_dask_worker_is_killed(path: Path, uninterrupted: list[GameResult]) -> None:
    store = path.with_suffix(".db")
    process = start(path, "--engine", "dask", "--processes", "2")
    while process.poll() is None and count(store) < 3:
        time.sleep(0.01)
    # The processes below the cluster's nannies play; the nannies are threads of the runner.
    playing = workers_of(process.pid)
    assert len(playing) >= 2
    os.kill(playing[0], signal.SIGKILL)
    assert process.wait() == 0
    assert games(path, store) == uninterrupted


@contextlib.contextmanager
def cluster(path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a scheduler with one worker, and its process."""
    names: dict[str, Any] = {"cwd": path.parent, "stdout": subprocess.DEVNULL, "env": PLAIN}
    with (path.parent / "scheduler").open("wb") as errors:
        scheduler = subprocess.Popen(
            [
                sys.executable, "-m", "distributed.cli.dask_scheduler",
                "--port", "0", "--no-dashboard", "--host", "127.0.0.1",
            ],
            stderr=errors,
            **names,
        )  # fmt: skip
    with stopping(scheduler):
        address = None
        while address is None:
            time.sleep(0.1)
            said = (path.parent / "scheduler").read_text()
            address = re.search(r"Scheduler at:\s+(tcp://\S+)", said)
        worker = subprocess.Popen(
            [
                sys.executable, "-m", "distributed.cli.dask_worker", address[1],
                "--nthreads", "1", "--no-dashboard",
            ],
            stderr=subprocess.DEVNULL,
            **names,
        )  # fmt: skip
        with stopping(worker):
            yield address[1], scheduler


@pytest.mark.slow
def test_the_cluster_of_a_running_scheduler_plays(
    path: Path, uninterrupted: list[GameResult]
) -> None:
    """As in docs/how-to/cluster.md: a scheduler, workers that join it, and the command."""
    with cluster(path) as (address, _):
        assert start(path, "--engine", f"dask:{address}").wait() == 0
    assert games(path, path.with_suffix(".db")) == uninterrupted


@pytest.mark.slow
def test_a_killed_dask_scheduler_is_said_in_one_line(
    path: Path, uninterrupted: list[GameResult]
) -> None:
    store = path.with_suffix(".db")
    with cluster(path) as (address, scheduler):
        process = start(path, "--engine", f"dask:{address}")
        while count(store) < 4:
            time.sleep(0.01)
        scheduler.kill()
        assert process.wait() == 1
    plan, *said = (path.parent / "errors").read_text().splitlines()
    assert plan.startswith("mpsearch: 24 games of each of 2 arms")
    kept = count(store)
    assert 4 <= kept < 48
    assert said == [
        f"mpsearch: dask: the scheduler at {address} is gone; results are partial: {kept} of 48 "
        f"games; run the command again to continue from {store}"
    ]
    assert start(path).wait() == 0
    assert games(path, store) == uninterrupted


def test_a_disk_without_room_ends_in_one_line_and_loses_nothing(
    path: Path, uninterrupted: list[GameResult]
) -> None:
    """No file may grow beyond 60 kB: to SQLite as to us a disk that takes no more."""
    store = path.with_suffix(".db")
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 60; exec "$@"', "-", sys.executable, "-c", MAIN, *RUN, str(path)],
        env=PLAIN,
        capture_output=True,
        text=True,
        check=False,
    )
    assert limited.returncode == 1
    *_, line = limited.stderr.splitlines()
    assert line.startswith(f"mpsearch: {store} cannot be used: ")
    assert "games finished before are kept; results are partial:" in line
    kept = games(path, store)
    assert 0 < len(kept) < 48
    assert kept == [game for game in uninterrupted if game in kept]
    assert start(path).wait() == 0
    assert games(path, store) == uninterrupted


#: A script of a user's own, with work that one job does not survive.
DEADLY = """
import os, signal, sys
from pathlib import Path
from mpsearch.plugins.catalog import installed
from mpsearch.experiments.design_file import read_design
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.resume import run_jobs
from mpsearch.experiments.store import Store

def deadly(job):
    if job.number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return job.number

if __name__ == "__main__":
    jobs = [job for job in read_design(Path("d.toml"), installed()).jobs() if job.arm == "maxn"]
    engine = make_engine(sys.argv[1], processes=2)
    with Store(Path("d.db")) as store:
        run_jobs(deadly, jobs, store=store, engine=engine, keep=lambda answer: (answer, None))
"""


@pytest.mark.parametrize("engine", ["local", pytest.param("dask", marks=pytest.mark.slow)])
def test_a_job_that_kills_its_worker_is_named_and_costs_no_other(engine: str, path: Path) -> None:
    (path.parent / "deadly.py").write_text(DEADLY)
    command = [sys.executable, "deadly.py", engine]
    done = subprocess.run(
        command, cwd=path.parent, env=PLAIN, capture_output=True, text=True, check=False
    )
    assert re.fullmatch(
        r"mpsearch.errors.MpsearchError: arm 'maxn', game 5 \(seed \d+\): "
        r"crashed its worker 3 times.*; skipped",
        done.stderr.splitlines()[-1],
    )
    with Store(path.with_suffix(".db"), read_only=True) as store:
        assert [row[1:] for row in store.rows()] == [(n, n) for n in range(24) if n != 5]


def test_the_dask_engine_says_what_is_missing(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["experiment", "run", str(path), "--engine", "dask"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "mpsearch: engine dask needs the package distributed: pip install 'mpsearch[dask]'"
    )
    assert run(["experiment", "run", str(path), "--engine", "ray"]) == 2
    assert "engine 'ray' is not local, dask or dask:ADDRESS" in capsys.readouterr().err
