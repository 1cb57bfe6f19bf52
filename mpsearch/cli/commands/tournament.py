"""tournament: many games of the same agents, and who won how much."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mpsearch.cli.completion import complete_agent
from mpsearch.cli.options import (
    Csv,
    GameName,
    Json,
    MostPlies,
    Options,
    Players,
    Plot,
    Processes,
    Seed,
    choose_table,
)
from mpsearch.cli.study import (
    EngineName,
    Html,
    Opening,
    Ratings,
    StoreFile,
    Study,
    play_design,
)
from mpsearch.cli.terminal.progress import ProgressLines
from mpsearch.experiments import SEATINGS, power_statement, tournament_design


def play_tournament(
    game: GameName,
    agent: Annotated[
        list[str],
        typer.Option(
            "--agent",
            help="Who plays; repeat it. Fewer than seats take them in turn.",
            autocompletion=complete_agent,
        ),
    ],
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    players: Players = None,
    option: Options = None,
    opening: Opening = None,
    most_plies: MostPlies = None,
    seating: Annotated[
        str | None,
        typer.Option(
            "--seating",
            help="orders: all cyclic seat orders, each at every rotation (usual); "
            "rotation: the given order only; fixed.",
            autocompletion=lambda: list(SEATINGS),
        ),
    ] = None,
    store: StoreFile = None,
    engine: EngineName = "local",
    processes: Processes = 1,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    ratings: Ratings = False,
    progress: ProgressLines = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Play many games: who wins how much, with intervals, ranks, payoffs and time per move."""
    table = choose_table(game, players, option, seats=len(agent))
    design = tournament_design(
        table,
        agent,
        games=games,
        seed=seed,
        opening=opening,
        seating=seating,
        most_plies=most_plies,
    )
    if not as_json and len(set(agent)) > 1:
        print(f"mpsearch: {power_statement(design)}", file=sys.stderr)
    study = Study(
        engine=engine,
        processes=processes,
        progress=progress,
        csv=csv,
        html=html,
        plot=plot,
        as_json=as_json,
    )
    return play_design(study, design, store=store, ratings=ratings)
