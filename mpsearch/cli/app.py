"""The application: every command, by name."""

from __future__ import annotations

from typing import Annotated

import typer

from mpsearch import __version__
from mpsearch.cli.explain import explain
from mpsearch.cli.models import compare_models
from mpsearch.cli.oi import measure_impact
from mpsearch.cli.packages import games, install, plugins, uninstall
from mpsearch.cli.perft import perft
from mpsearch.cli.play import play
from mpsearch.cli.replay import replay_record
from mpsearch.cli.tune import tune_agent

app = typer.Typer(
    name="mpsearch",
    help="Search in games of three or more players.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

app.command("games")(games)
app.command("plugins")(plugins)
app.command("install")(install)
app.command("uninstall")(uninstall)
app.command("play")(play)
app.command("search")(explain)
app.command("perft")(perft)
app.command("replay")(replay_record)
app.command("oi")(measure_impact)
app.command("tune")(tune_agent)
app.command("models")(compare_models)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mpsearch {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version."),
    ] = False,
) -> None:
    """Search in games of three or more players."""
