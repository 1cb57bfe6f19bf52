"""bench: the speed of searches on this machine, and what pruning saves."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import attrs
import typer

from mpsearch.cli.completion import complete_game
from mpsearch.cli.options import Json, Seed, print_json, print_rows
from mpsearch.cli.terminal.progress import Progress, ProgressLines
from mpsearch.jit import PlayClock
from mpsearch.plugins import installed
from mpsearch.studies.benchmark import (
    SearchRow,
    compare_with_c,
    find_programs,
    measure_game,
    usual_games,
)

#: Seconds for searches, and for C; compiling comes on top.
FULL, QUICK = (60.0, 45.0), (10.0, 5.0)
_HEAD = ("game", "propagator", "depth", "nodes", "million/s")


def bench(
    game: Annotated[
        list[str] | None,
        typer.Option(help="Measure only this game; repeatable.", autocompletion=complete_game),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Run shorter searches.")] = False,
    seed: Seed = 0,
    progress: ProgressLines = False,
    as_json: Json = False,
) -> None:
    """Benchmark the search on this machine.

    Measures nodes per second, nodes to each depth with and without pruning, and the ratio to C.
    Takes two minutes at most, plus compile time.
    """
    catalog = installed()
    names = list(dict.fromkeys(game)) if game else usual_games(catalog)
    for name in names:
        catalog.game_offer(name)
    seconds, seconds_of_c = QUICK if quick else FULL
    clock = PlayClock()
    rows: list[SearchRow] = []
    beside: list[dict[str, Any]] = []
    left_out = []
    with Progress(lines=progress) as line:
        for number, name in enumerate(names):
            if clock.seconds() >= seconds:
                left_out.append(name)
                continue
            line.show(name)
            behind = len(names) - number

            def share(behind: int = behind) -> float:
                return (seconds - clock.seconds()) / behind

            rows += measure_game(catalog, name, seconds=share, seed=seed)
        folder = find_programs()
        if folder is not None:
            line.show("beside C")
            beside, late = compare_with_c(folder, names, seconds=seconds_of_c, quick=quick)
            left_out += [f"{name} beside C" for name in late]
    notes = [f"not measured for lack of time: {', '.join(left_out)}"] if left_out else []
    if not game and (others := len(catalog.games) - len(names)):
        games = "game is" if others == 1 else "games are"
        notes.append(f"{others} more {games} installed; --game NAME measures one")
    note = "\n".join(notes)
    if as_json:
        found = [attrs.asdict(row) | {"nodes_per_second": row.nodes_per_second} for row in rows]
        print_json([row | {"ratio_to_c": None} for row in found] + beside)
        print(note, file=sys.stderr, end="\n" if note else "")
        return
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    _print_searches(rows)
    if beside:
        print()
        _print_beside(beside)
    if note:
        print(f"\n{note}")


def _print_searches(rows: Sequence[SearchRow]) -> None:
    """The greatest depth for each game and propagator."""
    deepest = {(row.game, row.propagator, row.pruned): row for row in rows}
    print_rows(
        [*_HEAD, "pruned to"],
        [
            [
                *_cells(attrs.asdict(row), row.nodes_per_second),
                f"{deepest[name, propagator, True].nodes / row.nodes:.3f}",
            ]
            for (name, propagator, pruned), row in deepest.items()
            if not pruned
        ],
    )


def _print_beside(rows: Sequence[dict[str, Any]]) -> None:
    print("compared with hand-written C, without pruning or with alpha-beta:")
    print_rows(
        [*_HEAD, "of C"],
        [[*_cells(row, row["nodes_per_second"]), f"{row['ratio_to_c']:.2f}"] for row in rows],
    )


def _cells(row: dict[str, Any], rate: float) -> list[str]:
    game, propagator, depth, nodes = (row[key] for key in ("game", "propagator", "depth", "nodes"))
    return [game, propagator, str(depth), f"{nodes:,}", f"{rate / 1e6:.2f}"]
