"""Execution engines: processes of this machine, or a dask cluster, do the jobs of an experiment.

An engine takes jobs and yields each with its answer as soon as it is there, in any order. Answers
depend on the job alone, so every engine brings the same results. When the process that does a job
is killed the job is done again; one that kills again and again is given up, named, and costs no
other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

import attrs

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments.workers import FailedJob, WorkerPool

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """Whatever does the same work for many jobs."""

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | FailedJob], None, None]:
        """Each job with its answer, as soon as it is there. Closing it ends all processes."""


@attrs.frozen
class Local:
    """So many processes of this machine; one is this process itself."""

    processes: int = 1

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | FailedJob], None, None]:
        """Each job with its answer."""
        if self.processes > 1:
            yield from WorkerPool(work, jobs, self.processes).run()
            return
        for job in jobs:
            try:
                answer: R | FailedJob = work(job)
            except MpsearchError as error:
                answer = FailedJob(f"{job}: {error}", error)
            yield job, answer


def make_engine(name: str, *, processes: int) -> Engine:
    """The engine of that name: `local`, `dask`, or `dask:ADDRESS` of a scheduler."""
    kind, colon, address = name.partition(":")
    if kind == "local" and not colon:
        return Local(processes)
    if kind == "dask" and (address or not colon):
        from mpsearch.experiments.dask_engine import Dask

        return Dask(address or None, processes=processes)
    raise UsageError(f"engine '{name}' is not local, dask or dask:ADDRESS of a scheduler")
