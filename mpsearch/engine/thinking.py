"""Thinking: one decision of an agent that can be stopped, and what it finds while it grows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np

from mpsearch.agents import SearchAgent
from mpsearch.contracts import GREATEST_DEPTH, Decision, Limits, Memory, Player, Report, Turn
from mpsearch.search import AbortedError, Interrupt, interruptible

#: The parts of its time that a sampling search spends on growing: an eighth, an eighth, a quarter,
#: and half of it on the search that decides.
_PARTS = (1 / 8, 1 / 8, 1 / 4)
#: Nodes of the first search of one that goes on growing by sampling, and how often they double.
_FEWEST, _DOUBLINGS = 500, 40


def think(
    agent: Player,
    turn: Turn,
    memory: Memory,
    rng: np.random.Generator,
    *,
    interrupt: Interrupt,
    grow: Callable[[Report], None] | None,
) -> Decision:
    """The agent's decision; with `grow`, shallower searches come first and each is reported.

    The last search is the agent's own, with the random numbers that it would have without them. All
    of them share its time limit. A search that is stopped early leaves the result of the one
    before, or a search of one ply.
    """
    if not isinstance(agent, SearchAgent):
        return agent.choose(turn, memory, rng)
    found: Decision | None = None
    before = rng.bit_generator.state
    started = time.monotonic()
    with interruptible(interrupt):
        try:
            for limits in _steps(agent, started) if grow is not None else [agent.limits]:
                rng.bit_generator.state = before
                step = attrs.evolve(agent, limits=limits)
                decision = step.choose(turn, memory, rng)
                if found is not None and grow is not None and found_no_more(decision, found):
                    break  # there is nothing more to find
                found = decision
                if decision.report is None:
                    break  # the move was known without a search
                if grow is not None:
                    grow(decision.report)
                if interrupt.stopped:
                    break
        except AbortedError:
            pass
    if found is None:
        rng.bit_generator.state = before
        found = agent.hurried.choose(turn, memory, rng)
    return found


def _steps(agent: SearchAgent, started: float) -> Iterator[Limits]:
    """The limits of the deepening searches; the last are the agent's own, less the time used."""
    limits = agent.limits
    if agent.algorithm.samples:
        for part in _PARTS:
            yield _part(limits, part)
        left = None if limits.seconds is None else limits.seconds - (time.monotonic() - started)
        yield limits if left is None else attrs.evolve(limits, seconds=max(left, 1e-6))
        return
    deepest = limits.depth or GREATEST_DEPTH
    for depth in range(1, deepest + 1):
        if depth == limits.depth and not limits.deepens:
            yield limits
            return
        left = math.inf if limits.seconds is None else limits.seconds + started - time.monotonic()
        if left <= 0 and depth > 1:
            return
        seconds = None if limits.seconds is None else max(left, 1e-6)
        yield attrs.evolve(limits, depth=depth, seconds=seconds)


def growing_limits(agent: SearchAgent) -> Iterator[Limits]:
    """The limits of endlessly deepening searches, whatever limits the agent has."""
    if agent.algorithm.samples:
        yield from (Limits(nodes=_FEWEST << step) for step in range(_DOUBLINGS))
    else:
        yield from (Limits(depth=depth) for depth in range(1, GREATEST_DEPTH + 1))


def _part(limits: Limits, part: float) -> Limits:
    return attrs.evolve(
        limits,
        seconds=None if limits.seconds is None else limits.seconds * part,
        nodes=None if limits.nodes is None else max(1, int(limits.nodes * part)),
    )


def found_no_more(decision: Decision, other: Decision) -> bool:
    """Whether a search was no deeper than the one before: there is nothing more to find."""
    report: Any = decision.report
    sampled = report is not None and bool(report.sampled)
    return not sampled and decision.depth <= other.depth
