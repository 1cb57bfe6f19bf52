"""draw: draw a position or a whole recorded game as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsearch.api import animation, make_filmstrip, picture, table_of
from mpsearch.cli.options import From, GameName, Moves, Options, Players, Seed, choose_table
from mpsearch.cli.pictures import check_picture, write_picture
from mpsearch.errors import UsageError
from mpsearch.match import read_record, replay


def draw(
    file: Annotated[Path, typer.Argument(help="The file to write: .svg or .png.")],
    game: GameName = "",
    players: Players = None,
    option: Options = None,
    moves: Moves = None,
    position: From = None,
    record: Annotated[
        Path | None, typer.Option(help="Draw a position of this recorded game.")
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(min=0, help="Draw the position after this many plies (default: all)."),
    ] = None,
    strip: Annotated[
        int | None, typer.Option(min=1, help="Draw every position, this many per row.")
    ] = None,
    animate: Annotated[
        float | None,
        typer.Option(min=0.05, help="Draw an animated SVG with this many seconds per ply."),
    ] = None,
    seed: Seed = 0,
) -> None:
    """Draw a position, or a whole recorded game.

    Hidden cards of all seats are shown.
    """
    check_picture(file)
    if animate is not None and file.suffix == ".png":
        raise UsageError(f"{file}: only SVG can be animated; name a .svg file")
    if record is not None:
        found = read_record(record)
        table = table_of(found.setting)
        states = list(replay(table.game, found))
        if ply is not None and ply >= len(states):
            raise UsageError(f"--ply {ply}: the record has {len(states) - 1} plies")
        if strip is not None:
            text = make_filmstrip(table.game, states, columns=strip)
        elif animate is not None:
            text = animation(table.game, states, seconds=animate)
        else:
            text = picture(table.game, states[-1 if ply is None else ply])
    elif strip is not None or animate is not None or ply is not None:
        raise UsageError("--ply, --strip and --animate need --record FILE")
    elif game:
        table = choose_table(game, players, option)
        text = picture(table.game, table.position(position, moves=moves or "", seed=seed))
    else:
        raise UsageError("nothing to draw: give --game NAME or --record FILE")
    write_picture(file, text)
