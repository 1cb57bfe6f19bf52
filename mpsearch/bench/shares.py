"""Who gets how much of the time: equal shares of what is left, and no depth that would not fit."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import attrs

from mpsearch.search import Limits, Report

Part = TypeVar("Part")

#: No part is measured for longer, in seconds.
LONGEST = 1.5
#: A depth is searched twice, and the first time all lesser ones are too.
_TIMES = 3.0


@attrs.frozen(kw_only=True)
class Clock:
    """What is planned by, and what is measured with; both in seconds."""

    now: Callable[[], float] = time.monotonic
    busy: Callable[[], float] = time.process_time


CLOCK = Clock()


def share_out(
    parts: Sequence[Part],
    measure: Callable[[Part, float], None],
    *,
    deadline: float,
    clock: Clock,
    later: int = 0,
) -> list[Part]:
    """Let `measure(part, seconds)` do one part after the other; those that no time was left for.

    Each gets an equal share of the time that is left to it, to those behind it and to as many as
    come `later`. What one does not need is everybody's.
    """
    for done, part in enumerate(parts):
        left = deadline - clock.now()
        if left <= 0:
            return list(parts[done:])
        measure(part, min(left / (len(parts) - done + later), LONGEST))
    return []


class Growth:
    """How long the next depth will take, by how the last ones grew."""

    def __init__(self) -> None:
        self._nodes: list[int] = []
        self._seconds = 0.0

    def note(self, nodes: int, seconds: float) -> None:
        """The next depth has been searched."""
        self._nodes.append(nodes)
        self._seconds = seconds

    def expected(self) -> float:
        """By the greater of the last two factors: with pruning every other depth is cheap.

        All that is known after depth 1 is how many moves there are.
        """
        if not self._nodes:
            return 0.0
        last = self._nodes[-3:]
        factors = [after / before for before, after in itertools.pairwise(last)]
        return self._seconds * max([1.0, *factors] if factors else [last[0]])


@attrs.frozen(kw_only=True)
class Step:
    """One depth that was searched."""

    depth: int
    nodes: int
    #: Processor time.
    seconds: float


def climb(look: Callable[[Limits], Report], *, seconds: float, clock: Clock) -> Iterator[Step]:
    """Search to depth 1, 2, ... up to the end of the game, as far as the time will suffice.

    No depth is begun that is expected to take longer than what is left. Growth can be sudden, and
    nothing ends a search to a fixed depth: so each is first tried within a time.
    """
    deadline = clock.now() + seconds
    growth = Growth()
    depth = 1
    while True:
        left = deadline - clock.now()
        if depth > 1:
            if left <= 0 or _TIMES * growth.expected() > left:
                return
            if look(Limits(depth=depth, seconds=left / 2)).depth < depth:
                return
        began, busy = clock.now(), clock.busy()
        nodes = look(Limits(depth=depth)).nodes
        growth.note(nodes, clock.now() - began)
        yield Step(depth=depth, nodes=nodes, seconds=clock.busy() - busy)
        depth += 1
