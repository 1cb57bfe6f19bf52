"""tournament: many games of the same agents, and who won how much."""

from __future__ import annotations

import sys
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
)
from mpsearch.cli.completion import complete_agent
from mpsearch.cli.progress import ProgressLines
from mpsearch.cli.running import (
    EngineName,
    Html,
    Opening,
    Outputs,
    Ratings,
    StoreFile,
    play_and_report,
)
from mpsearch.experiments.analysis import power_statement
from mpsearch.experiments.tournament import tournament_design


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
    rotate: Annotated[
        bool, typer.Option(help="Whether everybody moves up a seat from game to game.")
    ] = True,
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
    design = tournament_design(table, agent, games=games, seed=seed, opening=opening, rotate=rotate)
    if not as_json and len(set(agent)) > 1:
        print(f"mpsearch: {power_statement(design)}", file=sys.stderr)
    return play_and_report(
        design,
        store=store,
        engine=engine,
        processes=processes,
        progress=progress,
        outputs=Outputs(csv=csv, html=html, plot=plot, ratings=ratings, as_json=as_json),
    )
