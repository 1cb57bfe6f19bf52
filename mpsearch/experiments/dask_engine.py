"""The dask engine: a running scheduler with workers anywhere, or a local cluster.

Jobs go out in batches of about BATCH seconds, because short games would wait for the network
longer than they take. A worker that dies takes a whole batch with it, and dask may blame the wrong
one: what it gives up is retried job by job, with nothing else running.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any, TypeVar

import mpsearch
from mpsearch._util import optional_import
from mpsearch.errors import MpsearchError
from mpsearch.experiments.workers import MOST_CRASHES, FailedJob, attempt

T = TypeVar("T")
R = TypeVar("R")

#: Target seconds of a batch.
BATCH = 0.2
#: Batches in flight per thread of the cluster.
AHEAD = 2
#: Seconds to wait for a scheduler and for its first worker.
TIMEOUT = 30
#: Seconds to wait for the answer of a finished batch.
FETCH = 5


class Dask:
    """A cluster given by its scheduler's address, or else local processes."""

    def __init__(self, address: str | None, *, processes: int) -> None:
        self.address, self.processes = address, processes
        self._distributed = optional_import("distributed", by="engine dask", extra="dask")

    def run(
        self, work: Callable[[T], R], jobs: Iterable[T]
    ) -> Generator[tuple[T, R | FailedJob], None, None]:
        """Each job with its answer, a batch at a time."""
        with self._told_if_gone(), self._client() as client:
            self._check(client)
            suspects: list[T] = []
            yield from self._batches(client, work, iter(jobs), suspects)
            for job in suspects:
                yield job, self._retry(client, work, job)

    def _batches(
        self, client: Any, work: Callable[[T], R], jobs: Iterator[T], suspects: list[T]
    ) -> Iterator[tuple[T, R | FailedJob]]:
        batches = _BatchSize()
        sent: dict[Any, list[T]] = {}
        while True:
            room = AHEAD * max(sum(client.nthreads().values()), 1)
            while len(sent) < room and (batch := batches.batch(jobs)):
                # Not pure: dask would merge equal batches.
                sent[client.submit(_work_through, work, batch, pure=False)] = batch
            if not sent:
                return
            for future in self._done(client, list(sent)):
                try:
                    seconds, answers = future.result(timeout=FETCH)
                except TimeoutError:
                    continue  # lost with its worker; dask runs it again
                except self._distributed.KilledWorker:
                    suspects += sent.pop(future)
                else:
                    batch = sent.pop(future)
                    batches.took(seconds, len(batch))
                    yield from zip(batch, answers, strict=True)

    def _retry(self, client: Any, work: Callable[[T], R], job: T) -> R | FailedJob:
        """One job with nothing else running, so that a crash is its own."""
        future = client.submit(_work_through, work, [job], pure=False)
        while True:
            self._done(client, [future])
            try:
                answer: R | FailedJob = future.result(timeout=FETCH)[1][0]
                return answer
            except TimeoutError:
                continue
            except self._distributed.KilledWorker:
                why = f"{job}: crashed its worker {MOST_CRASHES} times; skipped"
                return FailedJob(why, MpsearchError(why))

    def _done(self, client: Any, futures: list[Any]) -> list[Any]:
        """The finished futures, as soon as there is one; MpsearchError if no worker is left."""
        alone_since = time.monotonic()
        wait = self._distributed.wait
        while True:
            try:
                done = wait(futures, timeout=1, return_when="FIRST_COMPLETED").done
                return [future for future in futures if future in done]
            except TimeoutError:
                if client.nthreads():
                    alone_since = time.monotonic()
                elif time.monotonic() - alone_since > TIMEOUT:
                    raise MpsearchError(f"dask: no worker for {TIMEOUT} seconds") from None

    @contextlib.contextmanager
    def _told_if_gone(self) -> Iterator[None]:
        """Report a lost scheduler in one line, instead of what dask logs and raises."""
        log = logging.getLogger("distributed.client")
        before = log.level
        log.setLevel(logging.CRITICAL + 1)
        try:
            yield
        except (CancelledError, self._distributed.comm.CommClosedError):
            where = "" if self.address is None else f" at {self.address}"
            raise MpsearchError(f"dask: the scheduler{where} has stopped") from None
        finally:
            log.setLevel(before)

    @contextlib.contextmanager
    def _client(self) -> Iterator[Any]:
        import dask

        settings = {
            "distributed.scheduler.allowed-failures": MOST_CRASHES - 1,
            "distributed.comm.timeouts.connect": f"{TIMEOUT}s",
            # On a busy machine a restart may take longer than a local cluster waits.
            "distributed.deploy.lost-worker-timeout": "1h",
        }
        with dask.config.set(settings), contextlib.ExitStack() as stack:
            target = self.address
            if target is None:
                target = stack.enter_context(
                    self._distributed.LocalCluster(
                        n_workers=self.processes,
                        threads_per_worker=1,
                        dashboard_address=":0",
                        silence_logs="CRITICAL",
                    )
                )
            try:
                client = self._distributed.Client(target, timeout=TIMEOUT)
            except (OSError, TimeoutError, ValueError) as error:
                raise MpsearchError(f"dask: no scheduler at {self.address}: {error}") from None
            except TypeError as error:  # what dask raises for an address that needs a certificate
                raise MpsearchError(
                    f"dask: {self.address} requires a certificate, but dask's configuration "
                    f"names none: {error}"
                ) from None
            yield stack.enter_context(client)

    def _check(self, client: Any) -> None:
        """Fail if a worker has another version of mpsearch."""
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
        except TimeoutError:
            raise MpsearchError(f"dask: the scheduler at {self.address} has no worker") from None
        for worker, version in client.run(_version).items():
            if version != mpsearch.__version__:
                raise MpsearchError(
                    f"dask: worker {worker} has mpsearch {version}, but this is "
                    f"{mpsearch.__version__}; results would differ"
                )


class _BatchSize:
    """The batch size, from the times of the jobs so far."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._jobs = 0

    def took(self, seconds: float, jobs: int) -> None:
        self._seconds += seconds
        self._jobs += jobs

    def batch(self, jobs: Iterator[T]) -> list[T]:
        size = 1
        if self._jobs:
            size = max(1, round(BATCH / max(self._seconds / self._jobs, 1e-6)))
        return [job for _, job in zip(range(size), jobs, strict=False)]


def _work_through(work: Callable[[T], R], batch: list[T]) -> tuple[float, list[R | FailedJob]]:
    """Run a batch in a worker: the seconds it took, and its answers."""
    started = time.perf_counter()
    answers = [attempt(work, job) for job in batch]
    return time.perf_counter() - started, answers


def _version() -> str:
    return mpsearch.__version__
