"""Keeping: any measurement of many jobs that goes on where it was interrupted.

A measurement says what its jobs are, how to do one, and how to write an answer as JSON and read it
back. Answers come in the order of the jobs, those of an earlier run at once.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import attrs

from mpsearch.experiments.engines import Engine
from mpsearch.experiments.store import Store
from mpsearch.experiments.workers import Lost

T = TypeVar("T")
R = TypeVar("R")


@attrs.frozen
class Keyed(Generic[T]):
    """A job with the arm and the number that its answer is kept by."""

    arm: str
    number: int
    job: T

    def __str__(self) -> str:
        return str(self.job)


@contextlib.contextmanager
def keeping(path: Path | None, about: Mapping[str, Any]) -> Iterator[Store]:
    """The store of a measurement; in memory without a path. Another one's file is refused."""
    with Store(path) as store:
        store.bind(about)
        yield store


def kept_answers(
    work: Callable[[T], R],
    jobs: Sequence[Keyed[T]],
    *,
    store: Store,
    engine: Engine,
    write: Callable[[R], Any],
    read: Callable[[T, Any], R],
) -> Iterator[R]:
    """The answers in the order of the jobs; each is in the store as soon as it is there."""
    known = {(arm, number): document for arm, number, document in store.rows()}
    fresh: dict[tuple[str, int], R | Lost] = {}
    left = [job for job in jobs if (job.arm, job.number) not in known]
    with contextlib.closing(engine.run(functools.partial(_do, work), left)) as answers:
        for job in jobs:
            key = job.arm, job.number
            if key in known:
                yield read(job.job, known.pop(key))
                continue
            while key not in fresh:
                done, answer = next(answers)
                if not isinstance(answer, Lost):
                    store.add(done.arm, done.number, write(answer))
                fresh[done.arm, done.number] = answer
            found = fresh.pop(key)
            if isinstance(found, Lost):
                raise found.error
            yield found


def _do(work: Callable[[T], R], job: Keyed[T]) -> R:
    return work(job.job)
