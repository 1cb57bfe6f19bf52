"""What boxes and ordering are worth together for general matrices: nodes, and depth in a second.

    python benchmarks/together.py [--game hearts] [--propagator "sos mild"] [--seconds 1] [--json]

Twelve random positions for every setting, each with a matrix of its own: the search with declared
bounds only and moves in the game's own order, and with all techniques. Move, value and line must be
the same at every depth. Depths are those that are complete after as many nodes as each side visits
in `--seconds` of processor time, which a short search of that side tells: they do not depend on
what else the machine does.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

from boxes import SEED, Bench, Case, prepare
from harness import arguments, print_result

from mpsearch.bench.cases import STANCES, Moment, positions
from mpsearch.contracts import Stance
from mpsearch.search import Limits, Report, search

CASES = [
    Case(game="hearts", players=4, evaluator="points", depths=(4, 6, 8)),
    Case(game="quoridor", players=4, evaluator="distance", branching="near", depths=(2, 3, 4)),
]
KINDS = ("sos mild", "sos random")
#: Each gives four positions.
SEEDS = (SEED, SEED + 1, SEED + 2)
NOTHING: dict[str, Any] = {"local": frozenset(), "ordering": frozenset()}
SIDES: tuple[dict[str, Any], ...] = (NOTHING, {})
#: How many nodes tell the speed of a search.
_SAMPLE = 200_000


def look(bench: Bench, position: Moment, stance: Stance, limits: Limits, side: int) -> Report:
    return search(
        bench.space, [position.state], stance, limits, workshop=bench.workshop, **SIDES[side]
    )


def nodes_row(bench: Bench, kind: str, depth: int) -> dict[str, Any]:
    """Nodes and processor time to one depth, before and after."""
    nodes, spent = [0, 0], [0.0, 0.0]
    for position in _positions(bench):
        stance = STANCES[kind](bench.table, bench.space, position)
        found = []
        for side in (0, 1):
            started = time.process_time()
            report = look(bench, position, stance, Limits(depth=depth), side)
            spent[side] += time.process_time() - started
            nodes[side] += report.nodes
            found.append((report.move, report.line, report.value.tolist()))
        if found[0] != found[1]:
            raise SystemExit(f"{bench.case}: {kind}, depth {depth}: the result was changed")
    return {
        **_names(bench, kind),
        "depth": depth,
        "nodes_before": nodes[0],
        "nodes_after": nodes[1],
        "left": nodes[1] / nodes[0],
        "time_left": spent[1] / spent[0],
    }


def depth_row(bench: Bench, kind: str, seconds: float) -> dict[str, Any]:
    """Mean depth completed with as many nodes as take so long, and how many positions gained."""
    reached: list[tuple[int, ...]] = []
    for position in _positions(bench):
        stance = STANCES[kind](bench.table, bench.space, position)
        both = []
        for side in (0, 1):
            started = time.process_time()
            sample = look(bench, position, stance, Limits(nodes=_SAMPLE), side)
            speed = sample.nodes / (time.process_time() - started)
            limits = Limits(nodes=max(1, int(seconds * speed)), depth=60)
            both.append(look(bench, position, stance, limits, side).depth)
        reached.append(tuple(both))
    gains = [after - before for before, after in reached]
    return {
        **_names(bench, kind),
        "seconds": seconds,
        "positions": len(reached),
        "depth_before": statistics.mean(before for before, _ in reached),
        "depth_after": statistics.mean(after for _, after in reached),
        "gain": statistics.mean(gains),
        "error": statistics.stdev(gains) / len(gains) ** 0.5,
    }


def _positions(bench: Bench) -> list[Moment]:
    return [position for seed in SEEDS for position in positions(bench.space, seed=seed)]


def _names(bench: Bench, kind: str) -> dict[str, Any]:
    return {"game": bench.case.game, "evaluator": bench.case.evaluator, "propagator": kind}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="only these games")
    parser.add_argument("--propagator", action="append", help="only these propagators")
    parser.add_argument("--seconds", type=float, default=1.0, help="0: nodes only")
    given = parser.parse_args()
    rows, reached = [], []
    for case in CASES:
        if given.game and case.game not in given.game:
            continue
        bench = prepare(case)
        for kind in given.propagator or KINDS:
            # What is compiled first is charged to nobody.
            position = _positions(bench)[0]
            stance = STANCES[kind](bench.table, bench.space, position)
            look(bench, position, stance, Limits(depth=1), 1)
            rows += [nodes_row(bench, kind, depth) for depth in case.depths]
            if given.seconds:
                reached.append(depth_row(bench, kind, given.seconds))
    print_result(rows + reached if given.json else rows, as_json=given.json)
    if reached and not given.json:
        print_result(reached, as_json=False)


if __name__ == "__main__":
    main()
