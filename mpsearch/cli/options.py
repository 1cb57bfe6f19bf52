"""Options and output that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from mpsearch._util import text_table
from mpsearch.agents import allow_program, is_program, read_agent
from mpsearch.api import Table, set_table
from mpsearch.cli.completion import complete_agent, complete_game, complete_option
from mpsearch.contracts import Game, PlayerOffer, View
from mpsearch.errors import UsageError
from mpsearch.plugins import installed

GameName = Annotated[
    str,
    typer.Option(
        "--game", help="The game to use; 'mpsearch games' lists them.", autocompletion=complete_game
    ),
]
Players = Annotated[
    int | None, typer.Option("--players", help="Number of players (default: the game's own).")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", help="A game option as key=value; repeatable.", autocompletion=complete_option
    ),
]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write all figures to this CSV file.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", help="Write a plot to this file: .png, .svg or .pdf.")
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, help="Random seed; the same seed gives the same result.")
]
Json = Annotated[bool, typer.Option("--json", help="Print a single JSON document.")]
Moves = Annotated[
    str | None,
    typer.Option(
        "--moves",
        help="Moves from the initial position, separated by spaces or semicolons; "
        "--seed fixes chance outcomes.",
    ),
]
MostPlies = Annotated[
    int | None,
    typer.Option(
        "--most-plies",
        min=1,
        help="Stop a game after this many plies (default: the game's own limit).",
    ),
]
AllowProgram = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-program",
        help="Allow agents program:CMD to run this command; repeatable. Commands given with "
        "--seat or --agent are always allowed.",
    ),
]
From = Annotated[
    str | None, typer.Option("--from", help="Start from this position, in the game's notation.")
]


def agent_option(what: str, *, name: str = "--agent") -> Any:
    """An option that names an agent."""
    return typer.Option(name, help=what, autocompletion=complete_agent)


def allow_programs(commands: Sequence[str] | None, agents: Sequence[str] = ()) -> None:
    """Allow the programs that were named on the command line."""
    for command in commands or ():
        allow_program(command)
    for text in agents:
        if is_program(text) and (program := read_agent(text).program) is not None:
            allow_program(program)


def choose_table(
    name: str,
    players: int | None,
    options: Sequence[str] | None,
    *,
    seats: int = 0,
    guests: Mapping[str, PlayerOffer] | None = None,
    person: bool = False,
) -> Table:
    """The game asked for, with at least `seats` players if no number is given.

    If a `person` plays, the defaults are those of the standard game.
    """
    catalog = installed()
    offer, given = catalog.game_offer(name), _pairs(options or ())
    if person:
        given = {**offer.people_options, **given}
    if players is None:
        # Several named seats say how many there are.
        usual = offer.people_players if person and seats < 2 else None
        players = max(usual or offer.default_players, seats)
    return set_table(catalog, name, players=players, options=given, guests=guests)


def _pairs(options: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not (key and equals):
            raise UsageError(f"--option '{option}' is not of the form key=value")
        if key in found:
            raise UsageError(f"--option {key} is given twice")
        found[key] = value
    return found


def print_json(document: Any) -> None:
    """Print one JSON document. Numbers that JSON lacks become text."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(_plain(document), ensure_ascii=not unicode, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value


def numbers(values: Any) -> str:
    """A value vector as text."""
    return " ".join(f"{value:6.1f}" for value in values)


def show(game: Game, view: View) -> None:
    """Print the picture of a position, in colour on a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(game.picture(view, colour=True), highlight=False)
    else:
        print(game.picture(view))


def print_rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns."""
    print(text_table(head, rows))
