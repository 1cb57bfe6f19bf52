"""Execution engines: local processes or a dask cluster run the jobs of an experiment.

An engine yields each job with its answer as soon as it is ready, in any order. Answers depend on
the job alone, so every engine gives the same results. A job whose process dies is retried; one
that keeps crashing is reported and skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

import attrs

from mpsearch.errors import UsageError
from mpsearch.experiments.workers import FailedJob, WorkerPool, attempt

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """Runs the same work for many jobs."""

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | FailedJob], None, None]:
        """Each job with its answer as soon as it is ready; closing ends all processes."""


@attrs.frozen
class Local:
    """Local processes; a single one is this process itself."""

    processes: int = 1

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | FailedJob], None, None]:
        """Each job with its answer."""
        if self.processes > 1:
            yield from WorkerPool(work, jobs, self.processes).run()
            return
        for job in jobs:
            yield job, attempt(work, job)


def make_engine(name: str, *, processes: int) -> Engine:
    """An engine by name: `local`, `dask`, or `dask:ADDRESS` of a scheduler."""
    kind, colon, address = name.partition(":")
    if kind == "local" and not colon:
        return Local(processes)
    if kind == "dask" and (address or not colon):
        from mpsearch.experiments.dask_engine import Dask

        return Dask(address or None, processes=processes)
    raise UsageError(f"engine '{name}' is not local, dask or dask:ADDRESS of a scheduler")
