"""A decision: search one world or many, side by side, and choose a move."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

import numpy as np

from mpsearch._util import Array
from mpsearch.contracts import MOST_LEVELS, Limits, Move, Report, Rules, SearchSpace, Stance, State
from mpsearch.errors import MpsearchError
from mpsearch.jit import compiling_elsewhere, stopped_by_signals
from mpsearch.search.aggregate import choose_move, root_moves
from mpsearch.search.deadline import (
    NO_TIME_LIMIT,
    TimeShare,
    Watch,
    current_interrupt,
    switching_every,
)
from mpsearch.search.pruning.local_plan import LOCAL_TECHNIQUES
from mpsearch.search.pruning.plan import Plan, make_plan
from mpsearch.search.ties import Ties
from mpsearch.search.tree.batch import Batch
from mpsearch.search.tree.engine import Engine, Goal, asks_for_boxes, make_engine
from mpsearch.search.tree.move_ordering import ORDERINGS
from mpsearch.search.world_search import (
    AbortedError,
    WorldResult,
    goal_of,
    search_move,
    search_world,
)

#: How often deadlines are looked at, in seconds, and how often at most where they are near.
_TICK = 0.01
_SHORTEST_TICK = 0.0005

#: How often it is looked whether machine code is there, in seconds.
_CHANGE_TICK = 0.05

#: What of Python's stack is left to whatever a search calls: rules, evaluators, pictures of both.
_SPARE_LEVELS = 100

#: What a thread does at a time, and what comes of it.
Part = TypeVar("Part")
Result = TypeVar("Result")


def search(
    space: SearchSpace,
    worlds: Sequence[State],
    stance: Stance,
    limits: Limits,
    *,
    rng: np.random.Generator | None = None,
    pool: str = "vote",
    exact: bool = False,
    prune: bool = True,
    local: frozenset[str] = LOCAL_TECHNIQUES,
    ordering: frozenset[str] = ORDERINGS,
    threads: int = 1,
    engine: Engine | None = None,
    changes_over: bool = False,
) -> Report:
    """Choose a move for the seat to move in every one of `worlds`.

    With `rng`, ties at the root are broken uniformly; without, by the branching's order.
    `pool` is `vote` (the move chosen in most worlds) or `mean` (the best mean value). The
    result does not depend on `threads`. Where the move that wins the vote has only a bound, it
    is searched again, so that its value is exact; a limit of time may leave it a bound. `local`
    names what is done with the evaluator's boxes, if it has any, and `ordering` how moves are found
    that are tried first; both change only the nodes visited. With `changes_over`, a search as plain
    Python ends in ChangeOverError once machine code for it is there.
    """
    before = time.monotonic()
    team = _team(
        space,
        worlds[0],
        stance,
        depth=limits.depth,
        engine=engine,
        prune=prune,
        local=local,
        ordering=ordering,
        threads=threads,
        changes_over=changes_over,
    )
    plan = team.plan
    started = time.monotonic()
    ties = Ties(rng)
    exact = exact or (pool == "mean" and len(worlds) > 1)
    found = team.search(worlds, limits=limits, ties=ties, exact=exact)
    results = [result for result in found if result is not None]
    if len(results) < len(worlds):
        worlds = [world for world, result in zip(worlds, found, strict=True) if result is not None]
    move = choose_move(results, plan, ties, pool=pool)
    if any(result.is_bound(move) for result in results):
        left = None if limits.seconds is None else limits.seconds + started - time.monotonic()
        results = team.search_move(worlds, results, move, seconds=left)
        move = choose_move(results, plan, ties, pool=pool)
    moves = root_moves(results)
    if len(results) == 1:
        value, sure, line = results[0].behind(results[0].best)
    else:
        chosen = next(m for m in moves if m.move == move)
        value, sure, line = chosen.value, chosen.exact, chosen.line
    return Report(
        move=move,
        value=value,
        exact=sure,
        moves=moves,
        line=(move, *line),
        stance=stance,
        pruning=plan.kind,
        nodes=sum(result.nodes for result in results),
        depth=min(result.depth for result in results),
        worlds=len(worlds),
        seconds=time.monotonic() - started,
        compiling=started - before,
    )


def root_values(
    space: SearchSpace,
    state: State,
    stance: Stance,
    *,
    depth: int,
    engine: Engine | None = None,
) -> Array:
    """The exact values behind every move of the root, for who needs nothing else. Shape (N, P).

    As `search` with `exact` finds them; the moves are in the branching's order.
    """
    team = _team(space, state, stance, depth=depth, engine=engine)
    (result,) = team.search([state], limits=Limits(depth=depth), ties=Ties(), exact=True)
    assert result is not None
    return result.found.values


def _team(
    space: SearchSpace,
    state: State,
    stance: Stance,
    *,
    depth: int | None,
    engine: Engine | None,
    prune: bool = True,
    local: frozenset[str] = LOCAL_TECHNIQUES,
    ordering: frozenset[str] = ORDERINGS,
    threads: int = 1,
    changes_over: bool = False,
) -> _Team:
    """A team that is ready to search."""
    engine = engine or make_engine(space)
    if not (space.evaluator.reaches and asks_for_boxes(depth)):
        local -= LOCAL_TECHNIQUES  # nor are they compiled
    plan = make_plan(
        stance.matrix,
        space.evaluator.bounds,
        lists_chance=space.game.lists_chance,
        prune=prune,
        local=local,
        ordering=ordering,
        short_wins=space.evaluator.short_wins,
        exact_ends=space.solves(stance.matrix),
    )
    if not engine.is_ready_for(plan):
        # In a worker: an exception in the middle of compiling would be lost there, or lose it.
        _compiler().submit(engine.prepare, state, plan).result()
    awaited = space.game.rules if changes_over and space.compilable else None
    return _Team(engine, plan, threads=threads, awaited=awaited)


class ChangeOverError(MpsearchError):
    """Machine code is there: the decision is to be searched again, natively."""


class _Team:
    """The threads of one decision, and the watch over them."""

    def __init__(
        self, engine: Engine, plan: Plan, *, threads: int, awaited: Rules | None = None
    ) -> None:
        self.engine = engine
        self.plan = plan
        self.threads = threads
        #: Rules that it searches as plain Python only until machine code is there.
        self.awaited = awaited if not engine.native and compiling_elsewhere(awaited) else None
        self._interrupt = current_interrupt()
        self._watch_anew()

    def _watch_anew(self) -> None:
        self.watch = Watch()
        if self._interrupt is not None:
            self._interrupt.begin(self.watch)

    @property
    def _interrupted(self) -> bool:
        return self._interrupt is not None and self._interrupt.stopped

    def search(
        self,
        worlds: Sequence[State],
        *,
        limits: Limits,
        ties: Ties,
        exact: bool,
    ) -> Sequence[WorldResult | None]:
        """Search every world: many at a time where that can be, unless somebody must keep time.

        None for those that there was no time for, never all.
        """
        if len(worlds) > 1:
            batch = None if limits.seconds is not None else self.engine.batch(worlds)
            if batch is not None:
                return self._search_batch(batch, limits=limits, ties=ties, exact=exact)
            ties.draw(self._listed(worlds))
        share = self._share(limits.seconds, worlds)
        task = functools.partial(
            search_world, plan=self.plan, limits=limits, ties=ties, exact=exact, share=share
        )
        return self._map(task, worlds, share)

    def _search_batch(
        self, batch: Batch, *, limits: Limits, ties: Ties, exact: bool
    ) -> list[WorldResult]:
        batch.list_moves(ties)
        task = functools.partial(batch.search, plan=self.plan, goal=goal_of(limits, exact=exact))
        self._map(task, batch.shares(self.threads))
        return batch.results()

    def _listed(self, worlds: Sequence[State]) -> Iterator[Move]:
        """The root's moves in every world."""
        workspace = self.engine.borrow()
        for world in worlds:
            yield from workspace.load(world, self.plan, Goal(1, 1))
        self.engine.give_back(workspace)

    def search_move(
        self,
        worlds: Sequence[State],
        results: Sequence[WorldResult],
        move: Move,
        *,
        seconds: float | None,
    ) -> list[WorldResult]:
        """The results with the exact value of `move` where it was a bound, if time allows."""
        if seconds is not None and seconds <= 0:
            return list(results)
        bounds = [index for index, result in enumerate(results) if result.is_bound(move)]
        share = self._share(seconds, bounds)
        task = functools.partial(search_move, plan=self.plan, move=move, share=share)
        parts = [(worlds[index], results[index]) for index in bounds]
        again = dict(zip(bounds, self._map(task, parts, share), strict=True))
        return [again.get(index, result) for index, result in enumerate(results)]

    def _share(self, seconds: float | None, tasks: Sequence[object]) -> TimeShare:
        """The time for all tasks, to be shared by them."""
        if seconds is None:
            return NO_TIME_LIMIT
        return TimeShare(seconds, parts=len(tasks), threads=self.threads)

    def _map(
        self,
        task: Callable[[Any, Part, Watch], Result],
        parts: Sequence[Part],
        share: TimeShare = NO_TIME_LIMIT,
    ) -> list[Result]:
        """Do a task for every part, each within its share of the time.

        With one thread it is this one, unless somebody must keep time or Ctrl-C would not be heard,
        or the search is Python and needs a stack of its own.
        """
        if self.threads > 1 or share.part is not None or self.awaited is not None:
            return self._hand_over(task, parts, share.part)
        if not self.engine.native and _levels_left() >= MOST_LEVELS:
            return list(self._take_turns(task, parts, iter(range(len(parts)))).values())
        if self.engine.native:
            with stopped_by_signals(self.watch.abort) as heard:
                try:
                    todo = iter(range(len(parts) if heard else 0))
                    results = self._take_turns(task, parts, todo)
                except AbortedError:
                    # By a signal. Unless its handler raises something, it is searched again.
                    if not self.watch.aborted or self._interrupted:
                        raise
            if not self.watch.aborted and heard:
                return list(results.values())
            if self._interrupted:
                raise AbortedError
            # A signal that raised nothing; or none would be heard.
            self._watch_anew()
        return self._hand_over(task, parts, share.part)

    def _take_turns(
        self,
        task: Callable[[Any, Part, Watch], Result],
        parts: Sequence[Part],
        todo: Iterator[int],
    ) -> dict[int, Result]:
        """What one thread does: one part after the other, while there are any."""
        workspace = self.engine.borrow()
        results = {}
        for index in todo:
            results[index] = task(workspace, parts[index], self.watch)
        self.engine.give_back(workspace)
        return results

    def _hand_over(
        self,
        task: Callable[[Any, Part, Watch], Result],
        parts: Sequence[Part],
        seconds: float | None,
    ) -> list[Result]:
        """Let workers take turns at the parts; this thread keeps time and can be interrupted."""
        team = min(self.threads, len(parts))
        executor = _executor(team)
        todo = iter(range(len(parts)))
        tick = 1.0 if seconds is None else min(_TICK, max(seconds / 4, _SHORTEST_TICK))
        changes_over = seconds is None and self.awaited is not None
        if changes_over:
            tick = min(tick, _CHANGE_TICK)
        hasty = seconds is not None and not self.engine.native
        futures: list[Future[dict[int, Result]]] = []
        try:
            # Before they begin: a worker might keep the interpreter from then on.
            with switching_every(_SHORTEST_TICK) if hasty else contextlib.nullcontext():
                for _ in range(team):
                    futures.append(executor.submit(self._take_turns, task, parts, todo))
                pending = set(futures)
                while pending:
                    soon = self.watch.until_next(tick, min(tick, _SHORTEST_TICK))
                    _, pending = wait(pending, timeout=soon, return_when=FIRST_EXCEPTION)
                    self.watch.check()
                    if pending and changes_over and not compiling_elsewhere(self.awaited):
                        raise ChangeOverError
            found = {k: v for future in futures for k, v in future.result().items()}
            return [found[index] for index in range(len(parts))]
        except BaseException:
            for _ in todo:
                pass
            self.watch.abort()
            wait(futures)
            raise


def _levels_left() -> int:
    """How many levels deep a search may still go here until Python finds its stack too deep."""
    used, frame = _SPARE_LEVELS, sys._getframe()
    while frame.f_back is not None:
        used, frame = used + 1, frame.f_back
    return sys.getrecursionlimit() - used


_executors = threading.local()


def _executor(threads: int) -> ThreadPoolExecutor:
    """Worker threads, kept for all searches of this thread: starting one takes longer than a
    shallow search, and in common ones the searches of a server would wait for each other.
    """
    kept: dict[int, ThreadPoolExecutor] = _executors.__dict__.setdefault("kept", {})
    if threads not in kept:
        kept[threads] = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="mpsearch")
    return kept[threads]


@functools.cache
def _compiler() -> ThreadPoolExecutor:
    """The thread in which engines are prepared, one at a time."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="mpsearch-compiler")
