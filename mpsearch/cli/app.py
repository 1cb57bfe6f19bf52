"""The application: every command, by name."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from mpsearch import __version__

#: The module and function of each command. Only the command asked for is imported.
COMMANDS = {
    "games": "listing.games",
    "rules": "listing.rules",
    "agents": "listing.agents",
    "evaluators": "listing.evaluators",
    "plugins": "plugins.plugins",
    "install": "plugins.install",
    "uninstall": "plugins.uninstall",
    "new-game": "new_game.new_game",
    "play": "play.play",
    "search": "search.explain",
    "perft": "perft.perft",
    "warm": "warm.warm",
    "replay": "replay.replay_record",
    "review": "review.review_game",
    "draw": "draw.draw",
    "tune": "tune.tune_agent",
    "train": "train.train",
    "models": "models.compare_models",
    "oi": "oi.measure_impact",
    "atlas": "atlas.draw_atlas",
    "tournament": "tournament.play_tournament",
    "experiment": "experiment.app",
    "reproduce": "reproduce.reproduce_paper",
    "bench": "bench.bench",
    "serve": "serve.serve",
    "engine": "engine.engine",
}


def make_app(arguments: list[str]) -> typer.Typer:
    """The application with the command that `arguments` begin with, or with all commands."""
    app = typer.Typer(
        name="mpsearch",
        help="Search in games of three or more players.",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    asked = arguments[:1] if arguments[:1] and arguments[0] in COMMANDS else COMMANDS
    for name in asked:
        module, function = COMMANDS[name].split(".")
        found = getattr(importlib.import_module(f"mpsearch.cli.commands.{module}"), function)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mpsearch {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version."),
    ] = False,
) -> None:
    """Search in games of three or more players."""
