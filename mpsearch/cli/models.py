"""models: how well opponent models learn, and what they are worth to SOS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import typer

from mpsearch.cli.common import (
    Csv,
    GameName,
    Json,
    Options,
    Players,
    Plot,
    Processes,
    Seed,
    choose_table,
    print_json,
    print_rows,
)
from mpsearch.cli.completion import complete_agent
from mpsearch.cli.interrupt import interruptible
from mpsearch.cli.listing import list_models
from mpsearch.cli.measuring import cut_short
from mpsearch.cli.progress import Progress, ProgressLines
from mpsearch.cli.running import EngineName, Opening, StoreFile
from mpsearch.experiments import Estimate, gather
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.inference import few_distinct
from mpsearch.experiments.output import check_files, csv_bytes, figure_bytes, write_files
from mpsearch.models import (
    SCENARIOS,
    ModelDesign,
    ModelRow,
    make_model_design,
    measure_rounds,
    summarise,
)
from mpsearch.models.plot import draw_models

#: The models that are compared if none is named.
USUAL = ("selfish", "recent", "average", "advantage", "likelihood", "adaptive")


def compare_models(
    game: GameName = "",
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="A model such as recent:k=3; repeat it. All if not given."),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option("--scenario", help=f"{', '.join(SCENARIOS)}; repeat it. All if not given."),
    ] = None,
    agent: Annotated[
        str,
        typer.Option(
            "--agent", help="Who learns; its model is added to it.", autocompletion=complete_agent
        ),
    ] = "sos:depth=3",
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent",
            help="Who is learned; the scenario is added to it.",
            autocompletion=complete_agent,
        ),
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
    opening: Opening = None,
    store: StoreFile = None,
    engine: EngineName = "local",
    processes: Processes = 1,
    csv: Csv = None,
    plot: Plot = None,
    progress: ProgressLines = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Compare opponent models on opponents with known orientations; list them without --game."""
    if not game:
        list_models(as_json=as_json)
        return 0
    check_files({"--csv": csv, "--plot": plot})
    design = make_model_design(
        choose_table(game, players, option),
        agent=agent,
        opponent=opponent,
        models=model or USUAL,
        scenarios=scenario or tuple(SCENARIOS),
        games=games,
        seed=seed,
        switch=switch,
        drift=drift,
        opening=opening,
    )
    crew = make_engine(engine, processes=processes)
    count = games * len(design.scenarios)
    each = f"rounds of {1 + len(design.models)} games"
    with Progress(lines=progress) as shown, interruptible():
        measured, cut = gather(
            measure_rounds(design, engine=crew, path=store),
            lambda number, _: shown.show(f"{number}/{count} {each}"),
        )
    rows = summarise(measured, baseline=design.baseline)
    marks = {"game": game, "partial": cut is not None}
    with cut_short(cut, f"{len(measured)} of {count} rounds") as code:
        if as_json:
            print_json([{**marks, **row.flat(), "curve": row.curve} for row in rows])
        else:
            _print_table(rows, design)
        title = f"{game}, {design.players} players, {agent}"
        write_files(
            {
                csv: lambda: csv_bytes([{**marks, **row.flat()} for row in rows]),
                plot: lambda: figure_bytes(draw_models(rows, title=title), plot),
            }
        )
    return code


def _print_table(rows: Sequence[ModelRow], design: ModelDesign) -> None:
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
    for row in rows:
        note = few_distinct(row.distinct, row.games, what=f"'{row.scenario}'")
        if note and row.model == design.baseline:
            print(f"\nnote: {note}")
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
