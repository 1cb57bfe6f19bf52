"""Running: whatever the store lacks is played, and kept as soon as it is finished."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

import attrs

from mpsearch.errors import MpsearchError
from mpsearch.experiments.analysis import Analysis, analyse
from mpsearch.experiments.design import Design
from mpsearch.experiments.engines import Engine
from mpsearch.experiments.games import Played, play_job, read_played
from mpsearch.experiments.store import Store
from mpsearch.experiments.workers import Lost

#: After so many lost jobs it is not the jobs.
MOST_LOST = 10


class Keepable(Protocol):
    """A job that the store can keep the answer of."""

    @property
    def arm(self) -> str: ...

    @property
    def number(self) -> int: ...


J = TypeVar("J", bound=Keepable)
R = TypeVar("R")


def run_jobs(
    work: Callable[[J], R],
    jobs: Iterable[J],
    *,
    store: Store,
    engine: Engine,
    keep: Callable[[R], tuple[Any, bytes | None]],
    show: Callable[[J, R], None] = lambda job, answer: None,
) -> None:
    """Do all jobs that the store lacks; `keep` makes of an answer what the store keeps.

    Jobs that are lost do not stop the others; they are named when the rest is done, and are tried
    again by the next run.
    """
    done = store.done()
    lost: list[str] = []
    left = (job for job in jobs if (job.arm, job.number) not in done)
    with contextlib.closing(engine.run(work, left)) as answers:
        for job, answer in answers:
            if isinstance(answer, Lost):
                lost.append(answer.why)
                if len(lost) == MOST_LOST:
                    break
                continue
            store.add(job.arm, job.number, *keep(answer))
            show(job, answer)
    if lost:
        others = f"\nand {len(lost) - 1} more like it" if len(lost) > 1 else ""
        raise MpsearchError(f"{lost[0]}{others}")


def play_design(
    design: Design,
    *,
    store: Store,
    engine: Engine,
    games: int | None = None,
    show: Callable[[int], None] = lambda done: None,
) -> None:
    """Play a design up to a number of games of each arm; `show` hears how many are finished."""
    wanted = design.games if games is None else games
    jobs = (job for job in design.jobs() if job.number < wanted)
    count = sum(1 for _, number in store.done() if number < wanted)
    show(count)

    def counted(job: Any, answer: Any) -> None:
        nonlocal count
        count += 1
        show(count)

    run_jobs(play_job, jobs, store=store, engine=engine, keep=_kept, show=counted)


def run_design(
    design: Design, *, store: Store, engine: Engine, show: Callable[[int], None] = lambda done: None
) -> None:
    """Play a design, look by look, until everything is decided or all its games are played."""
    for look in range(1, design.looks + 1):
        if store.noted("stopped") is not None:
            return
        games = -(-design.games * look // design.looks)
        play_design(design, store=store, engine=engine, games=games, show=show)
        if look < design.looks:
            seen = attrs.evolve(design, games=games)
            found = analyse(seen, played_games(store, seen), look=look).comparisons
            if found and all(comparison.decided for comparison in found):
                store.note("stopped", {"look": look, "games": games})


def analyse_store(design: Design, store: Store) -> Analysis:
    """What the games of a design say; those before an early stop, if there was one."""
    stopped = store.noted("stopped")
    if stopped is None:
        return analyse(design, played_games(store, design))
    seen = attrs.evolve(design, games=stopped["games"])
    return analyse(seen, played_games(store, seen), look=stopped["look"])


def _kept(answer: tuple[Played, bytes]) -> tuple[Any, bytes]:
    played, record = answer
    return played.document(), record


def played_games(store: Store, design: Design) -> Iterator[Played]:
    """The games of a design that are in the store, by number, then in the order of the arms."""
    arms = {arm.label for arm in design.arms}
    for arm, number, document in store.rows():
        if arm in arms and number < design.games:
            yield read_played(arm, number, document)
