"""What local bounds are worth: nodes and time before and after, and the depth reached in a second.

    python benchmarks/boxes.py [--game hearts] [--seconds 1] [--json]

For every setting, three random positions (after 2, 4 and 6 rounds) and one stance of each kind:
the search with declared bounds only, and with the boxes of the evaluator. Move, value and line
must be the same. Times are processor time, summed over the positions.
"""

from __future__ import annotations

import time
from typing import Any

import attrs
from harness import arguments, print_result

from mpsearch import load_catalog
from mpsearch.bench.cases import STANCES, Moment, positions
from mpsearch.contracts import Stance
from mpsearch.search import Limits, Report, SearchSpace, Workshop, make_workshop, search
from mpsearch.search.local import LOCAL_TECHNIQUES
from mpsearch.table import Table, set_table

SEED = 11
#: A search of fewer nodes is too short for a ratio of times.
_SHORT = 20_000


@attrs.frozen(kw_only=True)
class Case:
    """A game with an evaluator that knows its reach, and the depths that are searched."""

    game: str
    players: int
    evaluator: str
    branching: str | None = None
    options: dict[str, Any] = attrs.field(factory=dict)
    depths: tuple[int, ...]


CASES = [
    Case(game="hearts", players=4, evaluator="points", depths=(6, 8, 10)),
    Case(game="quoridor", players=4, evaluator="distance", branching="near", depths=(3, 4, 5)),
]


@attrs.frozen(kw_only=True)
class Bench:
    """One case made ready."""

    case: Case
    table: Table
    space: SearchSpace
    workshop: Workshop

    def search(self, position: Moment, stance: Stance, limits: Limits, *, boxes: bool) -> Report:
        local = LOCAL_TECHNIQUES if boxes else frozenset[str]()
        return search(
            self.space, [position.state], stance, limits, local=local, workshop=self.workshop
        )


def prepare(case: Case) -> Bench:
    table = set_table(load_catalog(), case.game, players=case.players, options=case.options)
    space = table.space(case.evaluator, case.branching)
    return Bench(case=case, table=table, space=space, workshop=make_workshop(space))


def nodes_row(bench: Bench, kind: str, depth: int) -> dict[str, Any]:
    """Nodes and processor time to one depth, before and after."""
    before = after = 0
    spent = [0.0, 0.0]
    for position in positions(bench.space, seed=SEED):
        stance = STANCES[kind](bench.table, bench.space, position)
        reports = []
        for boxes in (False, True):
            started = time.process_time()
            reports.append(bench.search(position, stance, Limits(depth=depth), boxes=boxes))
            spent[boxes] += time.process_time() - started
        old, new = reports
        if (old.move, old.line, old.value.tolist()) != (new.move, new.line, new.value.tolist()):
            raise SystemExit(f"{bench.case}: {kind}, depth {depth}: boxes changed the result")
        before += old.nodes
        after += new.nodes
    return {
        "game": bench.case.game,
        "evaluator": bench.case.evaluator,
        "propagator": kind,
        "depth": depth,
        "nodes_before": before,
        "nodes_after": after,
        "left": after / before,
        "time_left": spent[1] / spent[0] if before >= _SHORT else None,
    }


def depth_row(bench: Bench, kind: str, seconds: float) -> dict[str, Any]:
    """Mean depth completed in so many seconds, before and after."""
    reached: dict[bool, list[int]] = {False: [], True: []}
    for position in positions(bench.space, seed=SEED):
        stance = STANCES[kind](bench.table, bench.space, position)
        for boxes, depths in reached.items():
            limits = Limits(seconds=seconds, depth=60)
            depths.append(bench.search(position, stance, limits, boxes=boxes).depth)
    return {
        "game": bench.case.game,
        "evaluator": bench.case.evaluator,
        "propagator": kind,
        "seconds": seconds,
        "depth_before": sum(reached[False]) / len(reached[False]),
        "depth_after": sum(reached[True]) / len(reached[True]),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="only these games")
    parser.add_argument("--propagator", action="append", help="only these propagators")
    parser.add_argument("--seconds", type=float, default=1.0, help="0: depths only")
    given = parser.parse_args()
    rows, reached = [], []
    for case in CASES:
        if given.game and case.game not in given.game:
            continue
        bench = prepare(case)
        for kind in given.propagator or STANCES:
            rows += [nodes_row(bench, kind, depth) for depth in case.depths]
            if given.seconds:
                reached.append(depth_row(bench, kind, given.seconds))
    print_result(rows + reached if given.json else rows, as_json=given.json)
    if reached and not given.json:
        print_result(reached, as_json=False)


if __name__ == "__main__":
    main()
