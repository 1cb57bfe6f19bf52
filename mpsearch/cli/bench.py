"""bench: how fast searches are on this machine, and what each technique is worth."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import attrs
import typer

from mpsearch.bench.beside_c import compare_with_c, find_programs
from mpsearch.bench.decisions import DecisionRow
from mpsearch.bench.run import run_bench
from mpsearch.bench.searches import ALL, NO_PRUNING, SearchRow
from mpsearch.catalog import installed
from mpsearch.cli.common import Json, Seed, print_json, print_rows
from mpsearch.cli.completion import complete_game
from mpsearch.cli.progress import Progress, ProgressLines

#: Seconds for searches and decisions, and for C; the start of the program and what is under way
#: when they end come on top. At most three minutes, or 20 seconds, together.
FULL, QUICK = (110.0, 45.0), (12.0, 5.0)


def bench(
    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="Only this game; repeat it.", autocompletion=complete_game),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Usual evaluators only, in 20 seconds.")
    ] = False,
    seed: Seed = 0,
    progress: ProgressLines = False,
    as_json: Json = False,
) -> None:
    """Measure searches of everything installed: nodes and time to each depth.

    Three minutes at most.
    """
    catalog = installed()
    names = tuple(dict.fromkeys(game or sorted(catalog.games)))
    seconds, seconds_of_c = QUICK if quick else FULL
    with Progress(lines=progress) as line:
        found = run_bench(
            catalog, games=names, seconds=seconds, quick=quick, seed=seed, show=line.show
        )
        folder = find_programs()
        beside: list[dict[str, Any]] = []
        left_out = found.left_out
        if folder is not None:
            line.show("beside C")
            beside, without = compare_with_c(folder, names, seconds=seconds_of_c, quick=quick)
            left_out = [*left_out, *(f"{name} beside C" for name in without)]
    late = f"no time was left for {', '.join(left_out)}" if left_out else ""
    compiling = ", ".join(f"{name} {took:.1f} s" for name, took in found.compiled.items())
    notes = [f"compiled on the way: {compiling}"] if compiling else []
    notes += [late] if late else []
    if as_json:
        print_json([*map(_document, found.searches), *map(_document, found.decisions), *beside])
        print("\n".join(notes), file=sys.stderr, end="\n" if notes else "")
        return
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    _print_searches(found.searches)
    print()
    _print_decisions(found.decisions)
    if beside:
        print()
        _print_beside(beside)
    for note in notes:
        print(f"\n{note}")


def _document(row: SearchRow | DecisionRow) -> dict[str, Any]:
    return attrs.asdict(row) | {"nodes_per_second": row.nodes_per_second}


def _print_searches(rows: Iterable[SearchRow]) -> None:
    """For each propagator the greatest depth that was reached with pruning and without."""
    print("searches, to the greatest depth that was measured both ways:")
    lines = []
    for (name, evaluator, kind), group in itertools.groupby(
        rows, key=lambda row: (row.game, row.evaluator, row.propagator)
    ):
        by_way: dict[str, dict[int, SearchRow]] = {}
        for row in group:
            by_way.setdefault(row.technique, {})[row.depth] = row
        if not by_way.keys() >= {ALL, NO_PRUNING}:
            continue  # it is named among what no time was left for
        depth = max(by_way[ALL].keys() & by_way[NO_PRUNING].keys())
        row, plain = by_way[ALL][depth], by_way[NO_PRUNING][depth]
        boxless = by_way.get("no boxes", {}).get(depth)
        lines.append(
            [
                name,
                evaluator,
                kind,
                str(depth),
                f"{plain.nodes:,}",
                f"{plain.nodes_per_second / 1e6:.2f}",
                f"{row.nodes / plain.nodes:.3f}",
                "-" if boxless is None else f"{row.nodes / boxless.nodes:.3f}",
                str(max(by_way[ALL])),
            ]
        )
    head = ["game", "evaluator", "propagator", "depth", "nodes", "million/s"]
    print_rows([*head, "pruned to", "by boxes", "deepest"], lines)


def _print_decisions(rows: Sequence[DecisionRow]) -> None:
    print("decisions of maxn with its usual limits:")
    head = ["game", "depth", "nodes", "ms", "not search", "worlds/s", "2 threads", "memory"]
    print_rows(
        head,
        [
            [
                row.game,
                str(row.depth),
                f"{row.nodes:,}",
                f"{1000 * row.seconds:.2f}",
                f"{row.python_share:.0%}",
                "-" if row.worlds_per_second is None else f"{row.worlds_per_second:,.0f}",
                "-" if row.two_threads is None else f"{row.two_threads:.2f}",
                f"{row.memory:.0f} MB",
            ]
            for row in rows
        ],
    )


def _print_beside(rows: Sequence[dict[str, Any]]) -> None:
    print("beside hand-written C, without pruning or with alpha-beta:")
    print_rows(
        ["game", "propagator", "depth", "nodes", "million/s", "of C"],
        [
            [
                row["game"],
                row["propagator"],
                str(row["depth"]),
                f"{row['nodes']:,}",
                f"{row['nodes_per_second'] / 1e6:.2f}",
                f"{row['ratio_to_c']:.2f}",
            ]
            for row in rows
        ],
    )
