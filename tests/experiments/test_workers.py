"""Workers: the same answers on any number of processes, nothing lost when one is killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.terminal import Running, is_worker

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments import Local
from mpsearch.experiments.workers import FailedJob

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")


def square(number: int) -> int:
    time.sleep(0.002 * (number % 3))
    return number * number


@pytest.mark.parametrize("processes", [1, 2])
def test_every_job_comes_with_its_answer(processes: int) -> None:
    found = sorted(Local(processes).run(square, range(40)))
    assert found == [(number, number * number) for number in range(40)]
    assert list(Local(processes).run(square, [])) == []


def test_one_process_is_this_one() -> None:
    assert list(Local(1).run(pid, [0])) == [(0, os.getpid())]
    assert os.getpid() not in dict(Local(2).run(pid, [0, 1])).values()


def pid(_: int) -> int:
    return os.getpid()


def test_jobs_are_taken_as_they_are_needed() -> None:
    """Of endless jobs no more are begun than there are workers."""
    taken: list[int] = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(len(taken))
            yield len(taken)

    answers = Local(2).run(square, endless())
    next(answers)
    assert len(taken) == 2
    answers.close()


def fail(number: int) -> int:
    if number == 2:
        raise UsageError(f"job {number} is wrong")
    return number


def test_an_error_arrives_as_it_was_raised() -> None:
    found = dict(Local(2).run(fail, range(9)))
    failed = found.pop(2)
    assert found == {number: number for number in range(9) if number != 2}
    assert isinstance(failed, FailedJob)
    assert failed.why == "2: job 2 is wrong"
    assert isinstance(failed.error, UsageError)
    assert any("in fail" in note for note in failed.error.__notes__)


def break_down(number: int) -> int:
    raise ZeroDivisionError(f"job {number}")


def test_an_error_of_our_own_ends_everything() -> None:
    with pytest.raises(ZeroDivisionError, match="job 0"):
        list(Local(2).run(break_down, [0]))


def die_once(job: tuple[int, str]) -> int:
    """The job 3 kills its worker, unless that has happened before."""
    number, flag = job
    if number == 3 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_killed_worker_costs_nothing(tmp_path: Path) -> None:
    jobs = [(number, str(tmp_path / "died")) for number in range(12)]
    assert sorted(answer for _, answer in Local(2).run(die_once, jobs)) == list(range(12))
    assert (tmp_path / "died").exists()


def die(job: str) -> str:
    if job == "game 4":
        os.kill(os.getpid(), signal.SIGSEGV)
    return job


def test_a_job_that_keeps_killing_its_worker_is_named() -> None:
    found = dict(Local(2).run(die, [f"game {number}" for number in range(9)]))
    failed = found.pop("game 4")
    assert len(found) == 8
    assert isinstance(failed, FailedJob)
    assert isinstance(failed.error, MpsearchError)
    assert failed.why.startswith("game 4: crashed its worker 3 times (killed by SIGSEGV)")


def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import mpsearch\nmpsearch.tournament('plunder', 'random', processes=2)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "a script that starts them needs `if __name__ == '__main__':`" in done.stderr


LONG = ["oi", "--game", "plunder", "--option", "cards=2", "--agent", "random"]
LONG += ["--games", "20000", "--processes", "2", "--json"]


def gone(pids: list[int]) -> bool:
    """Whether processes end within seconds; generous, because the machine may be busy."""
    for _ in range(600):
        if not any(map(is_worker, pids)):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_workers_end_with_the_process_that_started_them(number: signal.Signals) -> None:
    running = Running(*LONG)
    running.wait_for("3/20000 games")
    pids = running.workers()
    assert len(pids) == 2
    os.kill(running.process.pid, number)
    assert gone(pids)
    code, _ = running.finish()
    assert code in (-number, 128 + number)


def test_ctrl_c_to_the_parent_alone_ends_everything_and_prints_what_there_is() -> None:
    running = Running(*LONG)
    running.wait_for("3/20000 games")
    pids = running.workers()
    os.kill(running.process.pid, signal.SIGINT)
    code, out = running.finish()
    assert gone(pids)
    assert code == 130
    assert '"partial": true' in out
    assert "interrupted; results are partial: " in running.said


def test_a_killed_worker_of_a_command_is_replaced() -> None:
    running = Running(*LONG[:-5], "--games", "600", "--processes", "2", "--json")
    running.wait_for("3/600 games")
    os.kill(running.workers()[0], signal.SIGKILL)
    code, out = running.finish()
    assert (code, out.count('"games": 600')) == (0, 6)
