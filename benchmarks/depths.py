"""Searches from one position: nodes and time to each depth, with and without each technique."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from cases import STANCES, Moment, positions

from mpsearch.api import Table
from mpsearch.contracts import Limits, Report, SearchSpace, Stance
from mpsearch.search import LOCAL_TECHNIQUES, Engine, make_engine, search

#: A depth is searched twice, and the first time all lesser ones are too.
_TIMES = 3.0
#: Everything, which is what agents do, and nothing.
ALL, NO_PRUNING = "all", "no pruning"


@attrs.frozen(kw_only=True)
class Subject:
    """What is searched, made ready."""

    table: Table
    evaluator: str
    space: SearchSpace
    engine: Engine
    position: Moment

    @property
    def usual(self) -> bool:
        """Whether it is what agents use unless told otherwise."""
        return self.evaluator == self.table.offer.evaluator

    def stance(self, kind: str) -> Stance:
        """The stance of a kind in the position."""
        return STANCES[kind](self.table, self.space, self.position)

    def techniques(self) -> dict[str, dict[str, Any]]:
        """Ways to search, as keywords of `search`; boxes only where there are any."""
        ways: dict[str, dict[str, Any]] = {
            ALL: {},
            NO_PRUNING: {"prune": False},
            "no ordering": {"ordering": frozenset()},
        }
        if self.space.evaluator.reaches:
            ways["no boxes"] = {"local": frozenset()}
            for name in sorted(LOCAL_TECHNIQUES):
                if name != "chance" or self.space.game.lists_chance:
                    ways[f"without {name}"] = {"local": LOCAL_TECHNIQUES - {name}}
        return ways

    def warm_up(self) -> None:
        """Compile, or load what was compiled."""
        search(
            self.space,
            [self.position.state],
            self.stance("maxn"),
            Limits(depth=1),
            engine=self.engine,
        )


def make_subject(
    table: Table, evaluator: str, branching: str | None = None, *, seed: int
) -> Subject:
    """A position in the middle of a game, with all that searches it compiled."""
    space = table.space(evaluator, branching)
    subject = Subject(
        table=table,
        evaluator=evaluator,
        space=space,
        engine=make_engine(space),
        position=positions(space, seed=seed)[1],
    )
    subject.warm_up()
    return subject


@attrs.frozen(kw_only=True)
class DepthRow:
    """One search to one depth."""

    game: str
    players: int
    evaluator: str
    propagator: str
    technique: str
    depth: int
    nodes: int
    #: Processor time.
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / max(self.seconds, 1e-9)


def measure_depths(
    subject: Subject, kind: str, technique: str, *, seconds: float
) -> Iterator[DepthRow]:
    """Searches to depth 1, 2, ... as far as the time allows."""
    how = subject.techniques()[technique]
    stance = subject.stance(kind)

    def look(limits: Limits) -> Report:
        states = [subject.position.state]
        return search(subject.space, states, stance, limits, engine=subject.engine, **how)

    for step in climb(look, seconds=seconds):
        yield DepthRow(
            game=subject.table.name,
            players=subject.table.players,
            evaluator=subject.evaluator,
            propagator=kind,
            technique=technique,
            depth=step.depth,
            nodes=step.nodes,
            seconds=step.seconds,
        )


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


def climb(look: Callable[[Limits], Report], *, seconds: float) -> Iterator[Step]:
    """Search to depth 1, 2, ... up to the end of the game, as far as the time will suffice.

    No depth is begun that is expected to take longer than what is left. Growth can be sudden, and
    nothing ends a search to a fixed depth: so each is first tried within a time.
    """
    deadline = time.monotonic() + seconds
    growth = Growth()
    depth = 1
    while True:
        left = deadline - time.monotonic()
        if depth > 1:
            if left <= 0 or _TIMES * growth.expected() > left:
                return
            if look(Limits(depth=depth, seconds=left / 2)).depth < depth:
                return
        began, busy = time.monotonic(), time.process_time()
        nodes = look(Limits(depth=depth)).nodes
        growth.note(nodes, time.monotonic() - began)
        yield Step(depth=depth, nodes=nodes, seconds=time.process_time() - busy)
        depth += 1
