"""Options and output that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import attrs
import typer

from mpsearch.catalog import Catalog, load_catalog
from mpsearch.cli.streams import printable
from mpsearch.contracts import CHANCE, OVER, Game, State, View, legal_move, settle
from mpsearch.errors import UsageError
from mpsearch.match.referee import generators

GameName = Annotated[str, typer.Option("--game", help="The game; see 'mpsearch games'.")]
Players = Annotated[
    int | None,
    typer.Option("--players", help="How many play, if not the usual number."),
]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the game, key=value; repeat it.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same result.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Moves = Annotated[
    str | None,
    typer.Option("--moves", help="Moves from the start, parted by spaces; the seed rules chance."),
]


From = Annotated[
    str | None,
    typer.Option("--from", help="A position in the game's notation, instead of the start."),
]


@attrs.frozen(kw_only=True)
class Table:
    """A game as it was asked for on the command line."""

    catalog: Catalog
    name: str
    game: Game
    #: Every option's value.
    options: dict[str, Any]


def set_table(
    name: str, players: int | None, options: Sequence[str] | None, *, seats: int = 0
) -> Table:
    """Load the catalog and make the game, with room for `seats` if no number is given."""
    catalog = load_catalog()
    offer = catalog.game_offer(name)
    players = max(offer.default_players, seats) if players is None else players
    values = settle(offer.options, _pairs(options or ()), owner=name)
    game = offer.new_game(players=players, options=values)
    return Table(catalog=catalog, name=name, game=game, options=values)


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


def state_after(game: Game, moves: str | None, seed: int, *, position: str | None = None) -> State:
    """The state after the given moves and whatever chance brings between and after them."""
    chance = generators(seed, game.players)[0]
    state = game.new() if position is None else game.from_position(position)
    for text in [*(moves or "").split(), None]:
        while game.mover(state) == CHANCE:
            state = game.play(state, game.draw(state, chance))
        if text is None:
            return state
        if game.mover(state) == OVER:
            raise UsageError(f"--moves: the game is over before '{text}'")
        state = game.play(state, legal_move(game, state, text))
    return state


def print_json(document: Any) -> None:
    """The one document on standard output. Numbers that JSON lacks become text."""
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
    """A value vector for people."""
    return " ".join(f"{value:6.1f}" for value in values)


def show(game: Game, view: View) -> None:
    """The picture of a position, in colour on a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(game.picture(view, colour=True), highlight=False)
    else:
        print(game.picture(view))


def print_rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Aligned columns, plain enough for a pipe."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    for row in [head, *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
