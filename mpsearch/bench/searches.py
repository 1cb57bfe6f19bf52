"""Searches from one position: nodes and time to each depth, with and without each technique."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from mpsearch.bench.cases import STANCES, Moment, positions
from mpsearch.bench.shares import CLOCK, Clock, climb
from mpsearch.contracts import Stance
from mpsearch.search import Limits, Report, SearchSpace, Workshop, make_workshop, search
from mpsearch.search.local import LOCAL_TECHNIQUES
from mpsearch.table import Table

#: Everything, which is what agents do, and nothing.
ALL, NO_PRUNING = "all", "no pruning"


@attrs.frozen(kw_only=True)
class Subject:
    """What is searched, made ready."""

    table: Table
    evaluator: str
    space: SearchSpace
    workshop: Workshop
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
            workshop=self.workshop,
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
        workshop=make_workshop(space),
        position=positions(space, seed=seed)[1],
    )
    subject.warm_up()
    return subject


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
    subject: Subject, kind: str, technique: str, *, seconds: float, clock: Clock = CLOCK
) -> Iterator[SearchRow]:
    """Searches to depth 1, 2, ... as far as the time allows."""
    how = subject.techniques()[technique]
    stance = subject.stance(kind)

    def look(limits: Limits) -> Report:
        states = [subject.position.state]
        return search(subject.space, states, stance, limits, workshop=subject.workshop, **how)

    for step in climb(look, seconds=seconds, clock=clock):
        yield SearchRow(
            game=subject.table.name,
            players=subject.table.players,
            evaluator=subject.evaluator,
            propagator=kind,
            technique=technique,
            depth=step.depth,
            nodes=step.nodes,
            seconds=step.seconds,
        )
