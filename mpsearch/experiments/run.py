"""Running a design: play the games that its store lacks, look by look."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from mpsearch.errors import MpsearchError
from mpsearch.experiments.analysis import Analysis, analyse
from mpsearch.experiments.design import Design
from mpsearch.experiments.engines import Engine
from mpsearch.experiments.games import GameResult, play_job, read_result
from mpsearch.experiments.plan import STAGES, store_plan
from mpsearch.experiments.resume import Cut, run_jobs
from mpsearch.experiments.store import Store


def play_design(
    design: Design,
    *,
    store: Store,
    engine: Engine,
    games: int | None = None,
    show: Callable[[int], None] = lambda done: None,
) -> None:
    """Play a design up to a number of games per arm; `show` gets the number of finished games."""
    wanted = design.games if games is None else games
    jobs = (job for job in design.jobs() if job.number < wanted)
    count = sum(1 for _, number in store.done() if number < wanted)
    show(count)
    counts = itertools.count(count + 1)
    run_jobs(
        play_job, jobs, store=store, engine=engine, keep=kept_game, show=lambda: show(next(counts))
    )


def run_design(
    design: Design, *, store: Store, engine: Engine, show: Callable[[int], None] = lambda done: None
) -> None:
    """Play a design look by look until everything is decided or all games are played."""
    for look in range(1, design.looks + 1):
        if store.noted("stopped") is not None:
            return
        games = look_games(design, look)
        play_design(design, store=store, engine=engine, games=games, show=show)
        if look < design.looks:
            seen = attrs.evolve(design, games=games)
            found = analyse(seen, played_games(store, seen), look=look).comparisons
            if found and all(comparison.decided for comparison in found):
                store.note("stopped", {"look": look, "games": games})


def run_until_cut(
    design: Design, *, store: Store, engine: Engine, show: Callable[[int], None] = lambda done: None
) -> Cut:
    """The same; returns what interrupted it, or raises that if the store has no game at all."""
    try:
        run_design(design, store=store, engine=engine, show=show)
    except (KeyboardInterrupt, MpsearchError) as cut:
        if len(store) == 0:
            raise
        return cut
    return None


def analyse_store(design: Design, store: Store) -> Analysis:
    """Analyse the games in a store by its plan; with several looks, up to the last look taken."""
    plan = store_plan(store)
    if plan is not None and max(plan.looks, design.looks) > 1:
        design = attrs.evolve(design, looks=plan.looks, games=plan.games)
    if design.looks == 1:
        stages = store.noted(STAGES) or []
        return analyse(design, played_games(store, design), stages=stages)
    stopped = store.noted("stopped")
    look = _last_look(design, store) if stopped is None else min(stopped["look"], design.looks)
    games = look_games(design, max(look, 1)) if stopped is None else stopped["games"]
    seen = attrs.evolve(design, games=games)
    notes = []
    if stopped is None and look < design.looks:
        held = len(store)
        beyond = held - len(design.arms) * games if look else held
        notes.append(
            f"{held} of {design.games * len(design.arms)} games are played; {beyond} of them come "
            f"after look {look} of {design.looks} and decide nothing before the next look"
        )
    return analyse(seen, played_games(store, seen), look=max(look, 1), notes=notes)


def look_games(design: Design, look: int) -> int:
    """The number of games per arm at a look."""
    return -(-design.games * look // design.looks)


def _last_look(design: Design, store: Store) -> int:
    """The last look with all its games in the store; 0 if none."""
    done = store.done()
    missing = [
        n for n in range(design.games) if any((arm.label, n) not in done for arm in design.arms)
    ]
    least = min(missing, default=design.games)
    looks = range(1, design.looks + 1)
    return max((look for look in looks if look_games(design, look) <= least), default=0)


def kept_game(answer: tuple[GameResult, bytes]) -> tuple[Any, bytes]:
    """What a store keeps of a game: the document of its result, and its record."""
    result, record = answer
    return result.document(), record


def played_games(store: Store, design: Design) -> Iterator[GameResult]:
    """The games of a design in a store, by number, then arm."""
    arms = {arm.label for arm in design.arms}
    for arm, number, document in store.rows():
        if arm in arms and number < design.games:
            try:
                yield read_result(arm, number, document)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise store.damaged(f"game {number} of arm '{arm}': {error!r}") from None
