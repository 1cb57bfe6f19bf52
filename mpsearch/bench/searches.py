"""Searches from one position: nodes and time to each depth, with and without each technique."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import attrs

from mpsearch.bench.cases import STANCES, Position
from mpsearch.contracts import Stance
from mpsearch.search import GREATEST_DEPTH, Engine, Limits, SearchSpace, search
from mpsearch.search.local import LOCAL_TECHNIQUES
from mpsearch.table import Table

#: Everything, which is what agents do, and nothing.
ALL, NO_PRUNING = "all", "no pruning"
#: How much longer than the last depth the next is taken to be, if it grows no faster.
_LEAST_GROWTH = 2.0


@attrs.frozen(kw_only=True)
class Subject:
    """What is searched, made ready."""

    table: Table
    evaluator: str
    space: SearchSpace
    engine: Engine
    position: Position

    def stance(self, kind: str) -> Stance:
        """The stance of a kind in the position."""
        return STANCES[kind](self.table, self.space, self.position)

    def techniques(self) -> dict[str, dict[str, Any]]:
        """Ways to search, as keywords of `search`; boxes only where there are any."""
        ways: dict[str, dict[str, Any]] = {ALL: {}, NO_PRUNING: {"prune": False}}
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


@attrs.frozen(kw_only=True)
class SearchRow:
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
) -> Iterator[SearchRow]:
    """Searches to depth 1, 2, ... for as long as the next is likely to end within the time."""
    how = subject.techniques()[technique]
    stance = subject.stance(kind)
    deadline = time.monotonic() + seconds
    before, fewer = 0.0, 0
    for depth in range(1, GREATEST_DEPTH + 1):
        began, clock = time.process_time(), time.monotonic()
        report = search(
            subject.space,
            [subject.position.state],
            stance,
            Limits(depth=depth),
            engine=subject.engine,
            **how,
        )
        spent, now = time.process_time() - began, time.monotonic()
        yield SearchRow(
            game=subject.table.name,
            players=subject.table.players,
            evaluator=subject.evaluator,
            propagator=kind,
            technique=technique,
            depth=depth,
            nodes=report.nodes,
            seconds=spent,
        )
        growth = max((now - clock) / before if before else 0.0, _LEAST_GROWTH)
        before = max(now - clock, 1e-9)
        if now + growth * before > deadline or report.nodes == fewer:
            # Too long, or all lines have ended: more depth changes nothing.
            return
        fewer = report.nodes
