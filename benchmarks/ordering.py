"""What trying good moves first is worth: nodes and time before and after, and depths reached.

    python benchmarks/ordering.py [--game quoridor] [--evaluator margin] [--seconds 1] [--json]

For every setting, four random positions and one stance of each kind: the search with moves in the
game's own order, and with all of `ORDERINGS`. Move, value and line must be the same. Times are
processor time, summed over the positions. Depths are those that are complete after as many nodes
as the search in the game's own order visits in `--seconds` of processor time, so that they do not
depend on what else the machine does.
"""

from __future__ import annotations

import time
from typing import Any

from boxes import SEED, Bench, Case, prepare
from harness import arguments, print_result

from mpsearch.bench.cases import STANCES, positions
from mpsearch.search import Limits, Report, search
from mpsearch.search.order import ORDERINGS

CASES = [
    Case(game="quoridor", players=2, evaluator="distance", branching="near", depths=(4, 5, 6)),
    Case(game="quoridor", players=2, evaluator="margin", branching="near", depths=(4, 5, 6)),
    Case(game="quoridor", players=2, evaluator="distance", depths=(1, 2, 3)),
    Case(game="quoridor", players=4, evaluator="distance", branching="near", depths=(3, 4, 5)),
    Case(game="quoridor", players=4, evaluator="margin", branching="near", depths=(2, 3, 4)),
    Case(game="quoridor", players=4, evaluator="distance", depths=(1, 2, 3)),
    Case(game="hearts", players=4, evaluator="points", depths=(6, 8, 10)),
    Case(game="hearts", players=4, evaluator="paper", depths=(5, 6, 7)),
    Case(game="risk_lite", players=4, evaluator="army_land", branching="bids", depths=(2, 3, 4)),
]
#: A search of fewer nodes is too short for a ratio of times.
_SHORT = 100_000
#: How many nodes tell the speed of a search.
_SAMPLE = 200_000
_NONE: frozenset[str] = frozenset()


def look(bench: Bench, state: Any, stance: Any, limits: Limits, ordering: frozenset[str]) -> Report:
    return search(bench.space, [state], stance, limits, ordering=ordering, workshop=bench.workshop)


def nodes_row(bench: Bench, kind: str, depth: int) -> dict[str, Any]:
    """Nodes and processor time to one depth, before and after."""
    nodes, spent = [0, 0], [0.0, 0.0]
    for position in positions(bench.space, seed=SEED):
        stance = STANCES[kind](bench.table, bench.space, position)
        found = []
        for after, ordering in enumerate((_NONE, ORDERINGS)):
            started = time.process_time()
            report = look(bench, position.state, stance, Limits(depth=depth), ordering)
            spent[after] += time.process_time() - started
            nodes[after] += report.nodes
            found.append((report.move, report.line, report.value.tolist()))
        if found[0] != found[1]:
            raise SystemExit(f"{bench.case}: {kind}, depth {depth}: the order changed the result")
    return {
        **_names(bench, kind),
        "depth": depth,
        "nodes_before": nodes[0],
        "nodes_after": nodes[1],
        "left": nodes[1] / nodes[0],
        "time_left": spent[1] / spent[0] if nodes[0] >= _SHORT else None,
    }


def depth_row(bench: Bench, kind: str, seconds: float) -> dict[str, Any]:
    """Mean depth completed with as many nodes as take so long, before and after."""
    reached: list[list[int]] = [[], []]
    for position in positions(bench.space, seed=SEED):
        stance = STANCES[kind](bench.table, bench.space, position)
        started = time.process_time()
        sample = look(bench, position.state, stance, Limits(nodes=_SAMPLE), _NONE)
        speed = sample.nodes / (time.process_time() - started)
        limits = Limits(nodes=max(1, int(seconds * speed)), depth=60)
        for after, ordering in enumerate((_NONE, ORDERINGS)):
            reached[after].append(look(bench, position.state, stance, limits, ordering).depth)
    before, after_ = (sum(depths) / len(depths) for depths in reached)
    return {
        **_names(bench, kind),
        "seconds": seconds,
        "depth_before": before,
        "depth_after": after_,
    }


def _names(bench: Bench, kind: str) -> dict[str, Any]:
    case = bench.case
    return {
        "game": f"{case.game} {case.players}",
        "evaluator": case.evaluator,
        "branching": case.branching or "usual",
        "propagator": kind,
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="only these games")
    parser.add_argument("--evaluator", action="append", help="only these evaluators")
    parser.add_argument("--propagator", action="append", help="only these propagators")
    parser.add_argument("--seconds", type=float, default=1.0, help="0: nodes only")
    given = parser.parse_args()
    rows, reached = [], []
    for case in CASES:
        if given.game and case.game not in given.game:
            continue
        if given.evaluator and case.evaluator not in given.evaluator:
            continue
        bench = prepare(case)
        for kind in given.propagator or STANCES:
            # What is compiled first is charged to nobody.
            state = positions(bench.space, seed=SEED)[0]
            stance = STANCES[kind](bench.table, bench.space, state)
            look(bench, state.state, stance, Limits(depth=1), ORDERINGS)
            rows += [nodes_row(bench, kind, depth) for depth in case.depths]
            if given.seconds:
                reached.append(depth_row(bench, kind, given.seconds))
    print_result(rows + reached if given.json else rows, as_json=given.json)
    if reached and not given.json:
        print_result(reached, as_json=False)


if __name__ == "__main__":
    main()
