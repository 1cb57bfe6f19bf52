"""A decision: search one world or many, side by side, and choose a move."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.game import Move, State
from mpsearch.contracts.propagator import Stance
from mpsearch.search.deepen import Outcome, Watch, search_world
from mpsearch.search.engine import Engine, SearchSpace, make_engine
from mpsearch.search.plan import Plan, make_plan
from mpsearch.search.report import Limits, Report, RootMove

#: How often deadlines are looked at, in seconds.
_TICK = 0.01


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
    threads: int = 1,
    engine: Engine | None = None,
) -> Report:
    """Choose a move for the seat to move in every one of `worlds`.

    With `rng`, ties at the root are broken uniformly; without, by the branching's order.
    `pool` is `vote` (the move chosen in most worlds) or `mean` (the best mean value). The
    result does not depend on `threads`.
    """
    started = time.monotonic()
    engine = engine or make_engine(space)
    plan = make_plan(
        stance.matrix, space.evaluator.bounds, lists_chance=space.game.lists_chance, prune=prune
    )
    priority = _priority(space, worlds, rng)
    exact = exact or (pool == "mean" and len(worlds) > 1)
    outcomes = _search_all(
        engine, worlds, plan, limits=limits, priority=priority, exact=exact, threads=threads
    )
    root = space.game.mover(worlds[0])
    moves, move = _pool(outcomes, plan, priority, root, pool=pool)
    chosen = next(m for m in moves if m.move == move)
    return Report(
        move=move,
        value=chosen.value,
        moves=moves,
        line=(move, *chosen.line),
        stance=stance,
        pruning=plan.kind,
        nodes=sum(outcome.nodes for outcome in outcomes),
        depth=min(outcome.depth for outcome in outcomes),
        worlds=len(worlds),
        seconds=time.monotonic() - started,
    )


def _priority(
    space: SearchSpace, worlds: Sequence[State], rng: np.random.Generator | None
) -> dict[Move, float]:
    """Which of two equal root moves is taken: the one with the lesser number."""
    listing = space.game.moves if space.branching is None else space.branching.moves
    union = list(dict.fromkeys(move for world in worlds for move in listing(world)))
    ranks = np.arange(len(union)) if rng is None else rng.permutation(len(union))
    return dict(zip(union, ranks.tolist(), strict=True))


def _search_all(
    engine: Engine,
    worlds: Sequence[State],
    plan: Plan,
    *,
    limits: Limits,
    priority: dict[Move, float],
    exact: bool,
    threads: int,
) -> list[Outcome]:
    """Search every world in worker threads, so that this one can keep time and be interrupted."""
    watch = Watch()
    rounds = math.ceil(len(worlds) / threads)
    seconds = None if limits.seconds is None else limits.seconds / rounds

    def one(world: State) -> Outcome:
        return search_world(
            engine.workspace(),
            world,
            plan,
            limits=limits,
            priority=priority,
            watch=watch,
            exact=exact,
            seconds=seconds,
        )

    executor = _executor(min(threads, len(worlds)))
    futures: list[Future[Outcome]] = [executor.submit(one, world) for world in worlds]
    pending = set(futures)
    try:
        while pending:
            tick = 1.0 if seconds is None else _TICK
            _, pending = wait(pending, timeout=tick, return_when=FIRST_COMPLETED)
            watch.check()
        return [future.result() for future in futures]
    except BaseException:
        for future in futures:
            future.cancel()
        watch.abort()
        wait(futures)
        raise


@functools.cache
def _executor(threads: int) -> ThreadPoolExecutor:
    """Worker threads, kept for all searches: starting one takes longer than a shallow search."""
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix="mpsearch")


def _pool(
    outcomes: Sequence[Outcome],
    plan: Plan,
    priority: dict[Move, float],
    root: int,
    *,
    pool: str,
) -> tuple[tuple[RootMove, ...], Move]:
    """Root moves with values averaged over worlds, and the chosen move."""
    entries: dict[Move, list[RootMove]] = {}
    votes: dict[Move, int] = {}
    for outcome in outcomes:
        for entry in outcome.moves:
            entries.setdefault(entry.move, []).append(entry)
        best = outcome.moves[outcome.best].move
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
    if len(outcomes) == 1:
        return moves, outcomes[0].moves[outcomes[0].best].move
    row = plan.matrix[root]
    merit = {m.move: float(m.votes) if pool == "vote" else float(row @ m.value) for m in moves}
    return moves, min(merit, key=lambda move: (-merit[move], priority[move]))


def _mean(values: Sequence[Array]) -> Array:
    mean: Array = np.mean(values, axis=0)
    return mean
