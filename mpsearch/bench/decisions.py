"""Whole decisions of an agent: how much of their time is no search, worlds, threads, memory."""

from __future__ import annotations

import resource
import statistics
import sys
import time

import attrs
import numpy as np

from mpsearch.bench.searches import Subject
from mpsearch.contracts import State, Turn

#: Who decides.
AGENT = "maxn"
#: How many worlds are drawn to see how fast that is.
_WORLDS = 300
_MOST_DECISIONS = 30


@attrs.frozen(kw_only=True)
class DecisionRow:
    """Decisions of an agent in one position."""

    game: str
    players: int
    propagator: str
    depth: int
    nodes: int
    #: Median by the clock, of one decision.
    seconds: float
    #: What of it is not explained by the nodes at the speed of a long search; all of it where
    #: the search itself is Python.
    python_share: float
    #: Where there is hidden information.
    worlds_per_second: float | None
    #: How much faster decisions are with two threads, likewise.
    two_threads: float | None
    #: The most memory this process has used so far, in megabytes.
    memory: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds


def measure_decision(subject: Subject, *, speed: float, seconds: float) -> DecisionRow:
    """`speed`: nodes a second of a long search. `seconds`: how long it may take."""
    game, state = subject.table.game, subject.position.state
    hidden = game.hidden
    share = seconds / 2 if hidden else seconds
    depth, nodes, alone = _decide(subject, state, threads=1, seconds=share)
    both = _decide(subject, state, threads=2, seconds=share)[2] if hidden else None
    return DecisionRow(
        game=subject.table.name,
        players=subject.table.players,
        propagator=AGENT,
        depth=depth,
        nodes=nodes,
        seconds=alone,
        python_share=max(0.0, 1.0 - nodes / speed / alone) if subject.space.compiles else 1.0,
        worlds_per_second=_world_speed(subject, state) if hidden else None,
        two_threads=None if both is None else alone / both,
        memory=_peak_memory(),
    )


def _decide(
    subject: Subject, state: State, *, threads: int, seconds: float
) -> tuple[int, int, float]:
    """Depth and nodes of a decision, and the median of the seconds it takes."""
    game = subject.table.game
    seat = game.mover(state)
    turn = Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))
    agent = subject.table.agent(f"{AGENT}:threads={threads}")
    memory = agent.start(seat, np.random.default_rng(0))
    agent.choose(turn, memory, np.random.default_rng(0))  # what is made once is made now
    deadline = time.monotonic() + seconds
    times: list[float] = []
    while len(times) < _MOST_DECISIONS and (not times or time.monotonic() < deadline):
        began = time.perf_counter()
        decision = agent.choose(turn, memory, np.random.default_rng(1))
        times.append(time.perf_counter() - began)
    return decision.depth, decision.nodes, statistics.median(times)


def _world_speed(subject: Subject, state: State) -> float:
    game, rng = subject.table.game, np.random.default_rng(0)
    view = game.view(state, game.mover(state))
    game.world(view, rng)
    began = time.perf_counter()
    for _ in range(_WORLDS):
        game.world(view, rng)
    return _WORLDS / (time.perf_counter() - began)


def _peak_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
