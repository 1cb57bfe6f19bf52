"""A decision: search one world or many, side by side, and choose a move."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

import attrs
import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.game import Move, State
from mpsearch.contracts.propagator import Stance
from mpsearch.search.deepen import Watch, WorldResult, search_move, search_world
from mpsearch.search.engine import Engine, SearchSpace, make_engine
from mpsearch.search.limits import Limits
from mpsearch.search.local import LOCAL_TECHNIQUES
from mpsearch.search.plan import Plan, make_plan
from mpsearch.search.report import Report, RootMove

#: How often deadlines are looked at, in seconds.
_TICK = 0.01

T = TypeVar("T")


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
    threads: int = 1,
    engine: Engine | None = None,
) -> Report:
    """Choose a move for the seat to move in every one of `worlds`.

    With `rng`, ties at the root are broken uniformly; without, by the branching's order.
    `pool` is `vote` (the move chosen in most worlds) or `mean` (the best mean value). The
    result does not depend on `threads`. Where the move that wins the vote has only a bound, it
    is searched again, so that its value is exact; a limit of time may leave it a bound. `local`
    names what is done with the evaluator's boxes, if it has any; it changes only the nodes visited.
    """
    engine = engine or make_engine(space)
    plan = make_plan(
        stance.matrix,
        space.evaluator.bounds,
        lists_chance=space.game.lists_chance,
        prune=prune,
        local=local if space.evaluator.reaches else frozenset(),
    )
    before = time.monotonic()
    # In a worker: an exception in the middle of compiling would be lost there, or lose it.
    _executor(1).submit(engine.prepare, worlds[0], plan).result()
    started = time.monotonic()
    priority = _priority(space, worlds, rng)
    exact = exact or (pool == "mean" and len(worlds) > 1)
    team = _Team(engine, plan, threads=threads)
    results = team.search(worlds, limits=limits, priority=priority, exact=exact)
    root = space.game.mover(worlds[0])
    moves, move = _pool(results, plan, priority, root, pool=pool)
    if not all(m.exact for m in moves if m.move == move):
        left = None if limits.seconds is None else limits.seconds + started - time.monotonic()
        results = team.search_move(worlds, results, move, seconds=left)
        moves, move = _pool(results, plan, priority, root, pool=pool)
    chosen = next(m for m in moves if m.move == move)
    return Report(
        move=move,
        value=chosen.value,
        exact=chosen.exact,
        moves=moves,
        line=(move, *chosen.line),
        stance=stance,
        pruning=plan.kind,
        nodes=sum(result.nodes for result in results),
        depth=min(result.depth for result in results),
        worlds=len(worlds),
        seconds=time.monotonic() - started,
        compiling=started - before,
    )


def _priority(
    space: SearchSpace, worlds: Sequence[State], rng: np.random.Generator | None
) -> dict[Move, float]:
    """Which of two equal root moves is taken: the one with the lesser number."""
    listing = space.game.moves if space.branching is None else space.branching.moves
    union = list(dict.fromkeys(move for world in worlds for move in listing(world)))
    ranks = np.arange(len(union)) if rng is None else rng.permutation(len(union))
    return dict(zip(union, ranks.tolist(), strict=True))


class _Team:
    """Worker threads for one decision, so that this one can keep time and be interrupted."""

    def __init__(self, engine: Engine, plan: Plan, *, threads: int) -> None:
        self.engine = engine
        self.plan = plan
        self.threads = threads
        self.watch = Watch()

    def search(
        self,
        worlds: Sequence[State],
        *,
        limits: Limits,
        priority: dict[Move, float],
        exact: bool,
    ) -> list[WorldResult]:
        """Search every world."""
        seconds = self._share(limits.seconds, worlds)

        def one(world: State) -> WorldResult:
            return search_world(
                self.engine.workspace(),
                world,
                self.plan,
                limits=limits,
                priority=priority,
                watch=self.watch,
                exact=exact,
                seconds=seconds,
            )

        return self._map(one, worlds, timed=seconds is not None)

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
        bounds = [
            index
            for index, result in enumerate(results)
            if any(entry.move == move and not entry.exact for entry in result.moves)
        ]
        share = self._share(seconds, bounds)

        def one(index: int) -> WorldResult:
            result = results[index]
            found, nodes = search_move(
                self.engine.workspace(),
                worlds[index],
                self.plan,
                move,
                depth=result.depth,
                watch=self.watch,
                seconds=share,
            )
            moves = result.moves
            if found is not None:
                moves = tuple(found if entry.move == move else entry for entry in moves)
            return attrs.evolve(result, moves=moves, nodes=result.nodes + nodes)

        again = dict(zip(bounds, self._map(one, bounds, timed=share is not None), strict=True))
        return [again.get(index, result) for index, result in enumerate(results)]

    def _share(self, seconds: float | None, tasks: Sequence[object]) -> float | None:
        """The time for each task, when threads do them one after the other."""
        return None if seconds is None else seconds / math.ceil(len(tasks) / self.threads)

    def _map(
        self, function: Callable[[T], WorldResult], tasks: Sequence[T], *, timed: bool
    ) -> list[WorldResult]:
        executor = _executor(min(self.threads, len(tasks)))
        futures = [executor.submit(function, task) for task in tasks]
        pending: set[Future[WorldResult]] = set(futures)
        try:
            while pending:
                tick = _TICK if timed else 1.0
                _, pending = wait(pending, timeout=tick, return_when=FIRST_COMPLETED)
                self.watch.check()
            return [future.result() for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
            self.watch.abort()
            wait(futures)
            raise


@functools.cache
def _executor(threads: int) -> ThreadPoolExecutor:
    """Worker threads, kept for all searches: starting one takes longer than a shallow search."""
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix="mpsearch")


def _pool(
    results: Sequence[WorldResult],
    plan: Plan,
    priority: dict[Move, float],
    root: int,
    *,
    pool: str,
) -> tuple[tuple[RootMove, ...], Move]:
    """Root moves with values averaged over worlds, and the chosen move."""
    entries: dict[Move, list[RootMove]] = {}
    votes: dict[Move, int] = {}
    for result in results:
        for entry in result.moves:
            entries.setdefault(entry.move, []).append(entry)
        best = result.moves[result.best].move
        votes[best] = votes.get(best, 0) + 1
    moves = tuple(
        RootMove(
            move=move,
            value=_mean([entry.value for entry in found]),
            exact=all(entry.exact for entry in found),
            line=found[0].line,
            votes=votes.get(move, 0),
        )
        for move, found in entries.items()
    )
    if len(results) == 1:
        return moves, results[0].moves[results[0].best].move
    merit = {m.move: m.votes if pool == "vote" else plan.merit(root, m.value) for m in moves}
    return moves, min(merit, key=lambda move: (-merit[move], priority[move]))


def _mean(values: Sequence[Array]) -> Array:
    mean: Array = np.mean(values, axis=0)
    return mean
