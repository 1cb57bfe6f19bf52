"""Engines: who does the jobs of an experiment. Processes of this machine, or a dask cluster.

An engine takes jobs and yields each with its answer as soon as it is there, in any order. Answers
depend on the job alone, so every engine brings the same results. When the process that does a job
is killed the job is done again; one that kills again and again is given up, named, and costs no
other.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Protocol, TypeVar

import attrs

from mpsearch.errors import UsageError
from mpsearch.experiments.workers import Lost, workers

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """Whatever does the same work for many jobs."""

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """Each job with its answer, as soon as it is there. Closing it ends all processes."""


@attrs.frozen
class Local:
    """So many processes of this machine; one is this process itself."""

    processes: int = 1

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """Each job with its answer."""
        handed: dict[int, T] = {}

        def noted() -> Iterator[T]:
            for number, job in enumerate(jobs):
                handed[number] = job
                yield job

        with contextlib.closing(workers(self.processes).finished(work, noted())) as answers:
            for number, answer in answers:
                yield handed.pop(number), answer


def make_engine(name: str, *, processes: int) -> Engine:
    """The engine of that name: `local`, `dask`, or `dask:ADDRESS` of a scheduler."""
    kind, colon, address = name.partition(":")
    if kind == "local" and not colon:
        return Local(processes)
    if kind == "dask" and (address or not colon):
        from mpsearch.experiments.dask_engine import Dask

        return Dask(address or None, processes=processes)
    raise UsageError(f"engine '{name}' is neither local nor dask nor dask:ADDRESS of a scheduler")
