"""The effect of a search technique: the same searches without and with it.

Shared by boxes.py, ordering.py and together.py. Move, value and line must be the same on both
sides. Times are processor time, summed over the positions. Depths are those that are complete
after as many nodes as each side visits in so many seconds of processor time, which a short search
of that side tells: they do not depend on what else the machine does.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from cases import STANCES, Moment, positions
from harness import arguments, print_result

from mpsearch import load_catalog
from mpsearch.api.game_table import Table, set_table
from mpsearch.contracts import Limits, Report, SearchSpace, Stance
from mpsearch.search import Engine, make_engine, search

#: Each seed gives four positions.
SEED = 11
#: A search of fewer nodes is too short for a ratio of times.
_SHORT = 20_000
#: How many nodes tell the speed of a search.
_SAMPLE = 200_000
#: No game is searched deeper.
_DEEPEST = 60


@attrs.frozen(kw_only=True)
class Case:
    """A game with an evaluator, and the depths that are searched."""

    game: str
    players: int
    evaluator: str
    branching: str | None = None
    depths: tuple[int, ...]


@attrs.frozen(kw_only=True)
class Bench:
    """One case made ready."""

    case: Case
    table: Table
    space: SearchSpace
    engine: Engine
    #: Keywords of `search`: without the technique, and with it.
    sides: tuple[dict[str, Any], dict[str, Any]]
    moments: Sequence[Moment]

    def search(self, moment: Moment, stance: Stance, limits: Limits, side: int) -> Report:
        return search(
            self.space, [moment.state], stance, limits, engine=self.engine, **self.sides[side]
        )

    def stances(self, kind: str) -> Iterable[tuple[Moment, Stance]]:
        """Every position, and the stance of a kind in it."""
        for moment in self.moments:
            yield moment, STANCES[kind](self.table, self.space, moment)

    def names(self, kind: str) -> dict[str, Any]:
        return {
            "game": f"{self.case.game} {self.case.players}",
            "evaluator": self.case.evaluator,
            "branching": self.case.branching or "usual",
            "propagator": kind,
        }


def prepare(
    case: Case, sides: tuple[dict[str, Any], dict[str, Any]], seeds: Sequence[int]
) -> Bench:
    table = set_table(load_catalog(), case.game, players=case.players)
    space = table.space(case.evaluator, case.branching)
    moments = [moment for seed in seeds for moment in positions(space, seed=seed)]
    engine = make_engine(space)
    return Bench(case=case, table=table, space=space, engine=engine, sides=sides, moments=moments)


def nodes_row(bench: Bench, kind: str, depth: int) -> dict[str, Any]:
    """Nodes and processor time to one depth, before and after."""
    nodes, spent = [0, 0], [0.0, 0.0]
    for moment, stance in bench.stances(kind):
        found = []
        for side in (0, 1):
            started = time.process_time()
            report = bench.search(moment, stance, Limits(depth=depth), side)
            spent[side] += time.process_time() - started
            nodes[side] += report.nodes
            found.append((report.move, report.line, report.value.tolist()))
        if found[0] != found[1]:
            raise SystemExit(f"{bench.case}: {kind}, depth {depth}: the result was changed")
    return {
        **bench.names(kind),
        "depth": depth,
        "nodes_before": nodes[0],
        "nodes_after": nodes[1],
        "left": nodes[1] / nodes[0],
        "time_left": spent[1] / spent[0] if nodes[0] >= _SHORT else None,
    }


def depth_row(bench: Bench, kind: str, seconds: float) -> dict[str, Any]:
    """Mean depth completed with as many nodes as take so long, and the gain with its error."""
    reached: list[list[int]] = [[], []]
    for moment, stance in bench.stances(kind):
        for side in (0, 1):
            started = time.process_time()
            sample = bench.search(moment, stance, Limits(nodes=_SAMPLE), side)
            speed = sample.nodes / (time.process_time() - started)
            limits = Limits(nodes=max(1, int(seconds * speed)), depth=_DEEPEST)
            reached[side].append(bench.search(moment, stance, limits, side).depth)
    gains = [after - before for before, after in zip(*reached, strict=True)]
    return {
        **bench.names(kind),
        "seconds": seconds,
        "positions": len(gains),
        "depth_before": statistics.mean(reached[0]),
        "depth_after": statistics.mean(reached[1]),
        "gain": statistics.mean(gains),
        "error": statistics.stdev(gains) / len(gains) ** 0.5,
    }


def run(
    description: str | None,
    cases: Sequence[Case],
    *,
    without: dict[str, Any],
    kinds: Sequence[str] = tuple(STANCES),
    seeds: Sequence[int] = (SEED,),
) -> None:
    """Measure every case with the techniques switched off by `without`, and with all of them."""
    parser = arguments(description)
    parser.add_argument("--game", action="append", help="only these games")
    parser.add_argument("--evaluator", action="append", help="only these evaluators")
    parser.add_argument("--propagator", action="append", help="only these propagators")
    parser.add_argument("--seconds", type=float, default=1.0, help="0: nodes only")
    given = parser.parse_args()
    rows, reached = [], []
    for case in cases:
        if given.game and case.game not in given.game:
            continue
        if given.evaluator and case.evaluator not in given.evaluator:
            continue
        bench = prepare(case, (without, {}), seeds)
        for kind in given.propagator or kinds:
            # What is compiled first is charged to nobody.
            moment, stance = next(iter(bench.stances(kind)))
            bench.search(moment, stance, Limits(depth=1), 1)
            rows += [nodes_row(bench, kind, depth) for depth in case.depths]
            if given.seconds:
                reached.append(depth_row(bench, kind, given.seconds))
    print_result(rows + reached if given.json else rows, as_json=given.json)
    if reached and not given.json:
        print_result(reached, as_json=False)
