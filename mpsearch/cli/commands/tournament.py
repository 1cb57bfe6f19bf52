"""tournament: many games of the same agents, and how often each wins."""

from __future__ import annotations

from typing import Annotated

import typer

from mpsearch.cli import options
from mpsearch.cli.options import GameName, MostPlies, Options, Players, Seed
from mpsearch.cli.study import Opening, Ratings, StoreFile, Study, measures, play_design
from mpsearch.experiments import SEATINGS, power_statement, tournament_design


@measures("csv", "html", "plot")
def play_tournament(
    game: GameName,
    agent: Annotated[
        list[str],
        options.agent_option("An agent; repeatable. Fewer agents than seats fill them in turn."),
    ],
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    players: Players = None,
    option: Options = None,
    opening: Opening = None,
    most_plies: MostPlies = None,
    seating: Annotated[
        str | None,
        typer.Option(
            help="orders: all cyclic seat orders, each at every rotation (default); "
            "rotation: the given order at every rotation; fixed: the given order only.",
            autocompletion=lambda: list(SEATINGS),
        ),
    ] = None,
    store: StoreFile = None,
    ratings: Ratings = False,
    seed: Seed = 0,
    *,
    study: Study,
) -> int:
    """Play many games and report who wins how often.

    Reports confidence intervals, ranks, payoffs and time per move.
    """
    options.allow_programs(None, agent)
    table = options.choose_table(game, players, option, seats=len(agent))
    design = tournament_design(
        table,
        agent,
        games=games,
        seed=seed,
        opening=opening,
        seating=seating,
        most_plies=most_plies,
    )
    told = not study.as_json and len(set(agent)) > 1
    note = power_statement(design) if told else ""
    return play_design(study, design, store=store, ratings=ratings, note=note)
