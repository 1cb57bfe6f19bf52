"""Whole decisions of an agent: how much of their time is no search, worlds, threads, memory."""

from __future__ import annotations

import resource
import statistics
import sys
import time

import attrs
import numpy as np

from mpsearch.bench.searches import Subject
from mpsearch.contracts import Decision, State, Turn

#: Who decides.
AGENT = "maxn"
_MOST_DECISIONS = 30
#: No decision takes less, in seconds.
_LEAST = 1e-9


@attrs.frozen(kw_only=True)
class DecisionRow:
    """Decisions of an agent in one position."""

    game: str
    players: int
    propagator: str
    depth: int
    nodes: int
    #: Processor time of one decision, the median of several.
    seconds: float
    #: What of it is not explained by the nodes at the speed of a long search; all of it where
    #: the search itself is Python.
    python_share: float
    #: Where there is hidden information.
    worlds_per_second: float | None
    #: How much faster decisions are with two threads by the clock, likewise.
    two_threads: float | None
    #: The most memory this process has used so far, in megabytes.
    memory: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds


def warm_up(subject: Subject) -> None:
    """Compile what decisions need beyond a search, or load it: worlds, the usual branching."""
    _decide(subject, subject.position.state, threads=1, seconds=0.0)


def measure_decision(subject: Subject, *, speed: float, seconds: float) -> DecisionRow:
    """`speed`: nodes a second of a long search. `seconds`: how long it may take."""
    game, state = subject.table.game, subject.position.state
    hidden = game.hidden
    share = seconds / 3 if hidden else seconds
    decision, alone = _decide(subject, state, threads=1, seconds=share)
    both = _decide(subject, state, threads=2, seconds=share)[1] if hidden else None
    searching = decision.nodes / speed / alone.processor
    return DecisionRow(
        game=subject.table.name,
        players=subject.table.players,
        propagator=AGENT,
        depth=decision.depth,
        nodes=decision.nodes,
        seconds=alone.processor,
        python_share=max(0.0, 1.0 - searching) if subject.space.compiles else 1.0,
        worlds_per_second=_world_speed(subject, state, seconds=share) if hidden else None,
        two_threads=None if both is None else alone.clock / both.clock,
        memory=_peak_memory(),
    )


@attrs.frozen
class _Times:
    """Medians, in seconds."""

    processor: float
    clock: float


def _decide(
    subject: Subject, state: State, *, threads: int, seconds: float
) -> tuple[Decision, _Times]:
    """A decision, and what it takes when it is made again and again."""
    game = subject.table.game
    seat = game.mover(state)
    turn = Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))
    agent = subject.table.agent(f"{AGENT}:threads={threads}")
    memory = agent.start(seat, np.random.default_rng(0))
    deadline = time.monotonic() + seconds
    times: list[_Times] = []
    while len(times) < 2 or (len(times) <= _MOST_DECISIONS and time.monotonic() < deadline):
        busy, began = time.process_time(), time.perf_counter()
        decision = agent.choose(turn, memory, np.random.default_rng(1))
        times.append(_Times(time.process_time() - busy, time.perf_counter() - began))
    again = times[1:]  # what is made once was made by the first one
    # Some machines count processor time in ticks, of which a short decision may see none.
    processor = max(statistics.median(taken.processor for taken in again), _LEAST)
    return decision, _Times(processor, max(statistics.median(t.clock for t in again), _LEAST))


#: As many worlds as an agent usually draws for a decision.
_AT_ONCE = 30


def _world_speed(subject: Subject, state: State, *, seconds: float) -> float:
    game, rng = subject.table.game, np.random.default_rng(0)
    view = game.view(state, game.mover(state))
    game.worlds(view, 1, rng)
    began, drawn = time.perf_counter(), 0
    while drawn == 0 or time.perf_counter() < began + seconds:
        drawn += len(game.worlds(view, _AT_ONCE, rng))
    return drawn / (time.perf_counter() - began)


def _peak_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
