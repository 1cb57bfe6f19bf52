"""A pool of worker processes on this machine.

A worker has one job at a time, so the job of a killed worker is known and goes to a new one; a job
that keeps crashing its worker is reported and skipped. Workers end with the process that started
them, however it ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

import attrs

from mpsearch.errors import ContractError, MpsearchError
from mpsearch.plugins import plugin_fault

T = TypeVar("T")
R = TypeVar("R")

#: Workers that a job may crash before it is skipped.
MOST_CRASHES = 3
#: Kept from here because `os._exit` raises while plugins are loaded.
_EXIT = os._exit


@attrs.frozen
class FailedJob:
    """A job without an answer: a message that names it, and the error."""

    why: str
    error: BaseException


def attempt(work: Callable[[T], R], job: T) -> R | FailedJob:
    """The answer of a job; an MpsearchError makes it a failed one."""
    try:
        return work(job)
    except MpsearchError as error:
        return FailedJob(f"{job}: {error}", error)


@attrs.define
class _Task(Generic[T]):
    """A job, and how many workers it has crashed."""

    job: T
    crashes: int = 0


class WorkerPool(Generic[T, R]):
    """Processes that run the same work for many jobs."""

    def __init__(self, work: Callable[[T], R], jobs: Iterable[T], processes: int) -> None:
        self._work, self._processes = work, processes
        self._fresh = map(_Task, jobs)
        self._again: list[_Task[T]] = []
        self._idle: list[_Worker[T]] = []
        self._busy: list[_Worker[T]] = []

    def run(self) -> Generator[tuple[T, R | FailedJob], None, None]:
        """Each job with its answer as soon as it is ready; closing ends every worker."""
        try:
            while self._assign():
                ready = wait([worker.pipe for worker in self._busy])
                heard = [self._receive(w) for w in list(self._busy) if w.pipe in ready]
                for job, answer in filter(None, heard):
                    if isinstance(answer, FailedJob) and not isinstance(
                        answer.error, MpsearchError
                    ):
                        raise answer.error
                    yield job, answer
        finally:
            for worker in self._idle + self._busy:
                worker.end()

    def _assign(self) -> bool:
        """Give every idle worker a job; whether any worker is busy."""
        while len(self._busy) < self._processes:
            task = self._again.pop() if self._again else next(self._fresh, None)
            if task is None:
                break
            worker = self._idle.pop() if self._idle else _Worker(self._work)
            self._busy.append(worker)
            worker.give(task)
        return bool(self._busy)

    def _receive(self, worker: _Worker[T]) -> tuple[T, R | FailedJob] | None:
        """A job with its answer from a worker; None if it has only started or is to be retried."""
        task = worker.task
        try:
            kind, answer = worker.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self._busy.remove(worker)
            worker.end()
            task.crashes += 1
            if task.crashes == MOST_CRASHES or worker.failed_to_start:
                why = _crash_message(task, worker)
                return task.job, FailedJob(why, MpsearchError(why))
            self._again.append(task)
            return None
        if kind == "ready":
            worker.started = True
            return None
        self._busy.remove(worker)
        self._idle.append(worker)
        return task.job, FailedJob(f"{task.job}: {answer}", answer) if kind == "error" else answer


class _Worker(Generic[T]):
    """A process that runs one job after the other."""

    task: _Task[T]

    def __init__(self, work: Callable[[T], Any]) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        spawn = multiprocessing.get_context("spawn")
        self.process = spawn.Process(target=_serve, args=(theirs, work), daemon=True)
        #: Whether it has reported that it is ready.
        self.started = False
        with _interrupts_held():
            self.process.start()
        theirs.close()

    @property
    def failed_to_start(self) -> bool:
        """Whether it exited before it was ready, as the next one would."""
        return not self.started and (self.process.exitcode or 0) > 0

    def give(self, task: _Task[T]) -> None:
        self.task = task
        # A dead worker is noticed on receiving.
        with contextlib.suppress(OSError):
            self.pipe.send(task.job)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Block Ctrl-C in processes started meanwhile: their parent decides.

    The inherited signal mask also covers Python's start-up, where a handler would be too late.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The first process starts Python's resource tracker, which unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _crash_message(task: _Task[Any], worker: _Worker[Any]) -> str:
    code = worker.process.exitcode or 0
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    if worker.failed_to_start:
        return (
            f"worker processes exit before they start ({how}); a script that starts them needs "
            "`if __name__ == '__main__':`"
        )
    return f"{task.job}: crashed its worker {MOST_CRASHES} times ({how}); skipped"


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """The loop of a worker."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    pipe.send(("ready", None))
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(("answer", work(job)))
        except BaseException as error:
            pipe.send(("error", _portable(error)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    _EXIT(1)


def _portable(error: BaseException) -> BaseException:
    """An error that can be pickled, with its traceback as a note."""
    if not isinstance(error, MpsearchError) and (fault := plugin_fault(error)):
        error = ContractError(fault).with_traceback(error.__traceback__)
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return MpsearchError(f"{type(error).__name__}: {error}")
    return error
