"""models: how well opponent models learn, and what they are worth to SOS."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.common import (
    GameName,
    Json,
    Options,
    Players,
    Seed,
    print_json,
    print_rows,
    set_table,
)
from mpsearch.cli.interrupt import interruptible
from mpsearch.errors import UsageError
from mpsearch.learn import SCENARIOS, Design, Estimate, Measured, Row, make_design, summarise
from mpsearch.learn.measure import measure_rounds
from mpsearch.learn.plot import check_plot, plot_models

#: The models that are compared if none is named.
USUAL = ("selfish", "recent", "average", "advantage", "likelihood", "adaptive")


def compare_models(
    game: GameName,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="A model such as recent:k=3; repeat it. All if not given."),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option("--scenario", help=f"{', '.join(SCENARIOS)}; repeat it. All if not given."),
    ] = None,
    agent: Annotated[
        str, typer.Option("--agent", help="Who learns; its model is added to it.")
    ] = "sos:depth=3",
    opponent: Annotated[
        str, typer.Option("--opponent", help="Who is learned; the scenario is added to it.")
    ] = "oriented",
    switch: Annotated[
        int | None,
        typer.Option("--switch", min=1, help="Moves of others before a switch; 5 rounds."),
    ] = None,
    drift: Annotated[
        float, typer.Option("--drift", min=0, help="Change of a drifting row per move of others.")
    ] = 0.05,
    players: Players = None,
    option: Options = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Games per scenario.")] = 20,
    processes: Annotated[int, typer.Option("--processes", min=1)] = 1,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Write the table here, with all columns.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw it here: .png, .svg or .pdf.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Compare opponent models on opponents whose orientations are known."""
    table = set_table(game, players, option)
    for path in (csv_file, plot):
        if path is not None and not path.absolute().parent.is_dir():
            raise UsageError(f"{path}: there is no folder {path.absolute().parent}")
    if plot is not None:
        check_plot(plot)
    design = make_design(
        table.catalog,
        game=game,
        players=table.game.players,
        options=table.options,
        agent=agent,
        opponent=opponent,
        models=model or USUAL,
        scenarios=scenario or tuple(SCENARIOS),
        games=games,
        seed=seed,
        switch=switch,
        drift=drift,
    )
    rows = summarise(_measured(design, processes), baseline=design.baseline)
    if csv_file is not None:
        _write_csv(rows, csv_file)
    if plot is not None:
        plot_models(rows, plot, title=f"{game}, {design.players} players, {agent}")
    if as_json:
        print_json([{"game": game, **row.flat(), "curve": row.curve} for row in rows])
    else:
        _print_table(rows, design)


def _measured(design: Design, processes: int) -> list[Measured]:
    """All rounds, or those that were finished when the user had enough."""
    found: list[Measured] = []
    count = design.games * len(design.scenarios)
    live = sys.stderr.isatty()
    try:
        with interruptible():
            for one in measure_rounds(design, processes=processes):
                found.append(one)
                if live or len(found) * 10 % count < 10:
                    line = f"{len(found)}/{count} rounds of {1 + len(design.models)} games"
                    print(line, end="\r" if live else "\n", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        if not found:
            raise
        print(f"mpsearch: interrupted after {len(found)} of {count} rounds", file=sys.stderr)
    if live:
        print(file=sys.stderr)
    return found


def _print_table(rows: Sequence[Row], design: Design) -> None:
    versus = f"vs {design.baseline}"
    head = ["scenario", "model", "angle", versus, "log-loss", versus, "wins", versus, "games"]
    print_rows(
        head,
        [
            [
                row.scenario,
                row.model,
                _shown(row.angle, "{:.1f}"),
                _shown(row.angle_gap, "{:+.1f}"),
                _shown(row.log_loss, "{:.3f}"),
                _shown(row.loss_gap, "{:+.3f}"),
                _shown(row.wins, "{:.0%}"),
                _shown(row.wins_gap, "{:+.0%}"),
                str(row.games),
            ]
            for row in rows
        ],
    )
    uniform = {row.scenario: f"{row.scenario} {row.uniform_loss:.3f}" for row in rows}
    print(
        "\nangle in degrees, before each move; log-loss per move that was not forced "
        f"(knowing nothing: {', '.join(uniform.values())}); 95 % intervals in brackets"
    )


def _shown(estimate: Estimate, form: str) -> str:
    if not math.isfinite(estimate.high - estimate.low):
        return form.format(estimate.mean)
    mean, low, high = (form.format(v) for v in (estimate.mean, estimate.low, estimate.high))
    return f"{mean} [{low}, {high}]"


def _write_csv(rows: Sequence[Row], path: Path) -> None:
    tables = [row.flat() for row in rows]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(tables[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(tables)
