"""new-game: create a package for a new game from a template."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.options import Json, print_json
from mpsearch.errors import UsageError
from mpsearch.plugins import load_catalog
from mpsearch.templates import check_name, write_game

_MOST_PLAYERS = 16


def new_game(
    name: Annotated[str, typer.Argument(help="The game's name, such as 'last_coin'.")],
    folder: Annotated[
        Path, typer.Option("--dir", help="Where to create the package's folder.")
    ] = Path(),
    players: Annotated[
        str, typer.Option(help="Number of players: a number, or a range such as 2-6.")
    ] = "2-6",
    kind: Annotated[
        str, typer.Option(help="Kind of game: compiled, plain, dice or hidden.")
    ] = "compiled",
    as_json: Json = False,
) -> None:
    """Create a package for a new game from a working example."""
    check_name(name)
    catalog = load_catalog()
    if name in catalog.games or any(info.name == name for info in catalog.plugins):
        raise UsageError(f"'{name}' is already installed; choose another name")
    target = folder / name
    made = write_game(target, name, players=_range(players), kind=kind)
    if as_json:
        print_json({"folder": str(target), "files": [str(path) for path in made]})
        return
    for path in made:
        print(path)
    print(f"\nmpsearch install {target} && mpsearch play --game {name}")


def _range(text: str) -> tuple[int, int]:
    """The range of players that a text such as 3 or 2-6 stands for."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if found:
        fewest, most = int(found[1]), int(found[2] or found[1])
        if 2 <= fewest <= most <= _MOST_PLAYERS:
            return fewest, most
    raise UsageError(
        f"--players {text} is not a number of players or a range such as 2-6, "
        f"from 2 to {_MOST_PLAYERS}"
    )
