"""Workers: who does the jobs of an experiment, this process or several of this machine.

A worker has one job at a time, so that when one is killed it is known which job it had. That job
goes to a new worker; one that ends its worker again and again is named and given up. Workers end
with the process that started them, however that one ends.
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
from typing import Any, Generic, Protocol, TypeVar

import attrs

from mpsearch.errors import MpsearchError

T = TypeVar("T")
R = TypeVar("R")

#: How many workers a job may end before it is given up.
DEATHS = 3
#: By how many jobs for each worker the others may be ahead of the slowest.
AHEAD = 8


class Workers(Protocol):
    """Whatever does the same work for many jobs, and answers in the order of the jobs."""

    def run(self, work: Callable[[T], R], jobs: Iterable[T]) -> Iterator[R]:
        """The answers, each as soon as all before it are there."""


@attrs.frozen
class Lost:
    """A job without an answer: which and why in words, and the error itself."""

    why: str
    error: BaseException


class OwnProcess:
    """This process: one job after the other."""

    def run(self, work: Callable[[T], R], jobs: Iterable[T]) -> Iterator[R]:
        """The answers, one by one."""
        return map(work, jobs)

    def finished(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[int, R | Lost], None, None]:
        """The answers by the number of the job; a job that fails is lost, and no other."""
        for number, job in enumerate(jobs):
            try:
                answer: R | Lost = work(job)
            except MpsearchError as error:
                answer = Lost(f"{job}: {error}", error)
            yield number, answer


@attrs.frozen
class Processes:
    """So many processes of this machine."""

    count: int

    def run(self, work: Callable[[T], R], jobs: Iterable[T]) -> Iterator[R]:
        """The answers; they do not depend on the number of processes."""
        crew: _Crew[T, R] = _Crew(work, jobs, self.count)
        try:
            while crew.busy():
                for _, answer in crew.answers():
                    # Raised when its turn comes, so that no answer before it is lost.
                    if isinstance(answer, Lost):
                        raise answer.error
                    yield answer
        finally:
            crew.end()

    def finished(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[int, R | Lost], None, None]:
        """The answers by the number of the job, each at once; a job that fails is lost alone."""
        crew: _Crew[T, R] = _Crew(work, jobs, self.count, ordered=False)
        try:
            while crew.busy():
                for number, answer in crew.answers():
                    if isinstance(answer, Lost) and not isinstance(answer.error, MpsearchError):
                        raise answer.error
                    yield number, answer
        finally:
            crew.end()


def workers(processes: int) -> OwnProcess | Processes:
    """The workers for so many processes; one is this process itself."""
    return OwnProcess() if processes == 1 else Processes(processes)


@attrs.define
class _Errand(Generic[T]):
    """A job, its number in the order of the jobs, and how many workers it has ended."""

    number: int
    job: T
    deaths: int = 0


class _Crew(Generic[T, R]):
    """The workers of one run, what is still to be done and what is done."""

    def __init__(
        self, work: Callable[[T], R], jobs: Iterable[T], count: int, *, ordered: bool = True
    ) -> None:
        self._ordered = ordered
        self._work = work
        self._count = count
        self._fresh = (_Errand(number, job) for number, job in enumerate(jobs))
        self._again: list[_Errand[T]] = []
        self._idle: list[_Worker[T]] = []
        self._busy: list[_Worker[T]] = []
        #: What was answered, or went wrong, by number.
        self._done: dict[int, R | Lost] = {}
        self._handed = 0
        #: The number of the answer that is given next.
        self._due = 0

    def busy(self) -> bool:
        """Hand out what can be handed out; whether anybody has something to do."""
        while len(self._busy) < self._count and (errand := self._next()) is not None:
            worker = self._idle.pop() if self._idle else _Worker(self._work)
            self._busy.append(worker)
            worker.give(errand)
        return bool(self._busy)

    def answers(self) -> Iterator[tuple[int, R | Lost]]:
        """Wait until some worker has something to say, and give the answers that are due.

        In order they are due when all before them are; else at once.
        """
        ready = wait([worker.pipe for worker in self._busy])
        for worker in [worker for worker in self._busy if worker.pipe in ready]:
            self._hear(worker)
        if not self._ordered:
            for number in list(self._done):
                yield number, self._done.pop(number)
        while self._due in self._done:
            self._due += 1
            yield self._due - 1, self._done.pop(self._due - 1)

    def end(self) -> None:
        """End every worker at once, whatever it is doing."""
        for worker in self._idle + self._busy:
            worker.end()

    def _next(self) -> _Errand[T] | None:
        if self._again:
            return self._again.pop()
        if self._ordered and self._handed - self._due >= AHEAD * self._count:
            return None
        errand = next(self._fresh, None)
        self._handed += errand is not None
        return errand

    def _hear(self, worker: _Worker[T]) -> None:
        errand = worker.errand
        try:
            kind, answer = worker.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self._busy.remove(worker)
            worker.end()
            errand.deaths += 1
            if errand.deaths == DEATHS or worker.stillborn:
                why = _obituary(errand, worker)
                self._done[errand.number] = Lost(why, MpsearchError(why))
            else:
                self._again.append(errand)
            return
        if kind == "ready":
            worker.started = True
            return
        self._busy.remove(worker)
        self._idle.append(worker)
        if kind == "error":
            answer = Lost(f"{errand.job}: {answer}", answer)
        self._done[errand.number] = answer


class _Worker(Generic[T]):
    """A process that does one job after the other until it is told to end."""

    errand: _Errand[T]

    def __init__(self, work: Callable[[T], Any]) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        spawn = multiprocessing.get_context("spawn")
        self.process = spawn.Process(target=_serve, args=(theirs, work), daemon=True)
        #: Whether it has got as far as to say so.
        self.started = False
        with _interrupts_held():
            self.process.start()
        theirs.close()

    @property
    def stillborn(self) -> bool:
        """Whether it failed before it could begin: so would the next."""
        return not self.started and (self.process.exitcode or 0) > 0

    def give(self, errand: _Errand[T]) -> None:
        self.errand = errand
        # If it has gone, that is noticed when it is listened to.
        with contextlib.suppress(OSError):
            self.pipe.send(errand.job)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """A process started meanwhile never hears of Ctrl-C: whoever started it decides.

    The signal mask is inherited, also by what Python does before a worker could ignore anything.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The first process starts Python's own tracker, which lets the signal through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _obituary(errand: _Errand[Any], worker: _Worker[Any]) -> str:
    code = worker.process.exitcode or 0
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    if worker.stillborn:
        return (
            f"worker processes end before they begin ({how}); a script that starts some needs "
            "`if __name__ == '__main__':`"
        )
    return f"{errand.job}: it ended its process {DEATHS} times ({how}) and is given up"


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """What a worker does."""
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
    os._exit(1)


def _portable(error: BaseException) -> BaseException:
    """An error that can be raised in another process, with the place where it happened."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return MpsearchError(f"{type(error).__name__}: {error}")
    return error
