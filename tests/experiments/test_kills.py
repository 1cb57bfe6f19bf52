"""Processes are really killed: no finished game is lost, none is counted twice, all end equal."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpsearch.catalog import installed
from mpsearch.cli import run
from mpsearch.experiments.design_file import read_design
from mpsearch.experiments.engines import Engine, Local, make_engine
from mpsearch.experiments.games import Job, Played
from mpsearch.experiments.run import play_design, played_games, run_jobs
from mpsearch.experiments.store import Store
from mpsearch.experiments.workers import Lost

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


def games(path: Path, store: Path) -> list[Played]:
    with Store(store, read_only=True) as kept:
        return list(played_games(kept, read_design(path, installed())))


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
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


def start(path: Path, *more: str) -> subprocess.Popen[bytes]:
    main = "from mpsearch.cli import main; main()"
    command = [sys.executable, "-c", main, "experiment", "run", str(path), *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


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


def test_the_runner_is_killed_again_and_again(path: Path, uninterrupted: list[Played]) -> None:
    store = path.with_suffix(".db")
    chooser = random.Random(7)
    before = kills = 0
    for attempt in range(40):
        process = start(path, "--processes", str(1 + attempt % 2))
        # At a random instant after some more games, so that every attempt gets further.
        wanted = before + chooser.randrange(1, 12)
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


def test_workers_are_killed(path: Path, uninterrupted: list[Played]) -> None:
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
    path: Path, uninterrupted: list[Played]
) -> None:
    store = path.with_suffix(".db")
    first = start(path)
    while count(store) < 2:
        time.sleep(0.01)
    second = start(path)
    assert second.wait() == 1
    assert second.stderr is not None
    *_, line = second.stderr.read().decode().splitlines()
    assert (
        line == f"mpsearch: {store} is in use by another run; wait for it, or choose another file"
    )
    assert first.wait() == 0
    assert games(path, store) == uninterrupted


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_every_engine_brings_the_same_games(
    engine: str, path: Path, uninterrupted: list[Played], capfd: pytest.CaptureFixture[str]
) -> None:
    assert start(path, "--engine", engine, "--processes", "2").wait() == 0
    assert games(path, path.with_suffix(".db")) == uninterrupted


def test_a_dask_worker_is_killed(path: Path, uninterrupted: list[Played]) -> None:
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


def test_the_cluster_of_a_running_scheduler_plays(path: Path, uninterrupted: list[Played]) -> None:
    """As docs/experiments.md shows it: a scheduler, workers that join it, and the command."""
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = subprocess.Popen(
        [*dask, "--port", "0", "--no-dashboard", "--host", "127.0.0.1"], **settings
    )
    try:
        assert scheduler.stderr is not None
        address = ""
        while not address:
            found = re.search(r"Scheduler at:\s+(tcp://\S+)", scheduler.stderr.readline())
            address = found[1] if found else ""
        worker = subprocess.Popen(
            [
                sys.executable, "-m", "distributed.cli.dask_worker", address,
                "--nthreads", "1", "--no-dashboard",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert start(path, "--engine", f"dask:{address}").wait() == 0
        finally:
            worker.terminate()
            worker.wait()
    finally:
        scheduler.terminate()
        scheduler.wait()
    assert games(path, path.with_suffix(".db")) == uninterrupted


def deadly(job: Job) -> int:
    """Work that one job does not survive."""
    if job.number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return job.number


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_a_job_that_kills_its_worker_is_named_and_costs_no_other(engine: str, path: Path) -> None:
    crew: Engine = make_engine(engine, processes=2)
    jobs = [job for job in read_design(path, installed()).jobs() if job.arm == "maxn"]
    found = {job.number: answer for job, answer in crew.run(deadly, jobs)}
    lost = found.pop(5)
    assert isinstance(lost, Lost)
    assert re.fullmatch(
        r"arm 'maxn', game 5 \(seed \d+\): it ended its process 3 times.* and is given up", lost.why
    )
    assert found == {number: number for number in range(24) if number != 5}


def test_lost_jobs_are_named_after_the_rest_is_kept(path: Path) -> None:
    with Store(None) as store:
        jobs = [job for job in read_design(path, installed()).jobs() if job.arm == "maxn"]
        with pytest.raises(Exception, match=r"arm 'maxn', game 5 .* is given up"):
            run_jobs(deadly, jobs, store=store, engine=Local(2), keep=lambda answer: (answer, None))
        assert len(store) == 23


def test_the_dask_engine_says_what_is_missing(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["experiment", "run", str(path), "--engine", "dask"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "mpsearch: engine dask needs the package distributed: pip install 'mpsearch[dask]'"
    )
    assert run(["experiment", "run", str(path), "--engine", "ray"]) == 2
    assert "engine 'ray' is neither local nor dask" in capsys.readouterr().err
