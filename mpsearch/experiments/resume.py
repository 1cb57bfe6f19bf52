"""Resuming: run the jobs that a store lacks, and store every answer as soon as it is ready.

A measurement defines its jobs, how to run one, and what the store keeps of an answer. An
interrupted run resumes because stored jobs are not run again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from mpsearch.errors import MpsearchError
from mpsearch.experiments.engines import Engine
from mpsearch.experiments.store import Store
from mpsearch.experiments.workers import FailedJob

#: After so many failed jobs the run stops.
MOST_FAILED = 10

#: What interrupted a measurement; None if nothing did.
Cut: TypeAlias = KeyboardInterrupt | MpsearchError | None


class Keyed(Protocol):
    """A job with arm and number, the key of its answer in a store."""

    @property
    def arm(self) -> str: ...

    @property
    def number(self) -> int: ...


J = TypeVar("J", bound=Keyed)
R = TypeVar("R")


def missing_answers(
    work: Callable[[J], R],
    jobs: Iterable[J],
    *,
    store: Store,
    engine: Engine,
    keep: Callable[[R], tuple[Any, bytes | None]],
) -> Generator[tuple[J, R | FailedJob], None, None]:
    """Run the jobs that the store lacks; each with its answer once that is stored.

    `keep` turns an answer into what is stored: a document and an optional record.
    """
    done = store.done()
    left = (job for job in jobs if (job.arm, job.number) not in done)
    with contextlib.closing(engine.run(work, left)) as answers:
        for job, answer in answers:
            if not isinstance(answer, FailedJob):
                store.add(job.arm, job.number, *keep(answer))
            yield job, answer


def run_jobs(
    work: Callable[[J], R],
    jobs: Iterable[J],
    *,
    store: Store,
    engine: Engine,
    keep: Callable[[R], tuple[Any, bytes | None]],
    show: Callable[[], None] = lambda: None,
) -> None:
    """Run all jobs that the store lacks; `show` is called after each.

    A job that fails does not stop the others. Failures are reported at the end, and the next run
    tries them again.
    """
    failed: list[str] = []
    answers = missing_answers(work, jobs, store=store, engine=engine, keep=keep)
    with contextlib.closing(answers):
        for _, answer in answers:
            if not isinstance(answer, FailedJob):
                show()
                continue
            failed.append(answer.why)
            if len(failed) == MOST_FAILED:
                break
    if failed:
        others = f"\nand {len(failed) - 1} more" if len(failed) > 1 else ""
        raise MpsearchError(f"{failed[0]}{others}")


def ordered_answers(
    work: Callable[[J], R],
    jobs: Sequence[J],
    *,
    store: Store,
    engine: Engine,
    write: Callable[[R], Any],
    read: Callable[[J, Any], R],
) -> Iterator[R]:
    """All answers in the order of the jobs, from the store or fresh.

    `write` turns an answer into a document and `read` reads it. A failed job raises its error when
    its turn comes.
    """
    known = {(arm, number): document for arm, number, document in store.rows()}
    fresh: dict[tuple[str, int], R | FailedJob] = {}
    answers = missing_answers(
        work, jobs, store=store, engine=engine, keep=lambda answer: (write(answer), None)
    )
    with contextlib.closing(answers):
        for job in jobs:
            key = job.arm, job.number
            if key in known:
                yield read(job, known.pop(key))
                continue
            while key not in fresh:
                done, answer = next(answers)
                fresh[done.arm, done.number] = answer
            found = fresh.pop(key)
            if isinstance(found, FailedJob):
                raise found.error
            yield found


def collect(
    answers: Iterable[R], show: Callable[[int, R], None] = lambda number, answer: None
) -> tuple[list[R], Cut]:
    """All answers, or those before an interruption, and what interrupted.

    Neither Ctrl-C nor an error loses earlier answers. `show` is called with the number of answers
    and the latest.
    """
    found: list[R] = []
    try:
        for answer in answers:
            found.append(answer)
            show(len(found), answer)
    except (KeyboardInterrupt, MpsearchError) as cut:
        if not found:
            raise
        return found, cut
    return found, None
