"""The menu of `mpsearch play` at a terminal, when no game is named."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mpsearch.api import MIXED, STRENGTHS, by_appeal
from mpsearch.cli.terminal.layout import cut, wrapped
from mpsearch.cli.terminal.prompt import Prompt
from mpsearch.cli.terminal.streams import printable
from mpsearch.errors import MpsearchError
from mpsearch.plugins import Catalog

#: The number of games described in a line each; the others are only named.
_TOLD = 14


@attrs.frozen(kw_only=True)
class Choice:
    game: str
    players: int
    seat: int
    #: None: a mixed company.
    strength: str | None


def choose_game(catalog: Catalog) -> Choice:
    """Ask for game, players, seat and strength; Enter takes what is in brackets."""
    prompt = Prompt()
    names = by_appeal(catalog)
    for number, name in enumerate(names[:_TOLD], 1):
        print(cut(f"  {number:2}  {name:10} {catalog.games[name].summary}"))
    if names[_TOLD:]:
        print(wrapped(f"and {', '.join(names[_TOLD:])}; 'mpsearch games' describes them"))
    offer = catalog.games[_pick(prompt, "game", names, names[0], listed=True)]
    players, high = offer.players
    if players < high:
        counts = [str(count) for count in range(players, high + 1)]
        usual = str(offer.people_players or offer.default_players)
        players = int(_pick(prompt, "players", counts, usual, numbered=False))
    seats = [str(seat) for seat in range(players)]
    seat = int(_pick(prompt, "your seat", seats, "0", numbered=False))
    strength = _pick(prompt, "the others", [*STRENGTHS, MIXED], MIXED)
    return Choice(
        game=offer.name,
        players=players,
        seat=seat,
        strength=None if strength == MIXED else strength,
    )


def _pick(
    prompt: Prompt,
    what: str,
    names: Sequence[str],
    usual: str,
    *,
    numbered: bool = True,
    listed: bool = False,
) -> str:
    """One of the names, by its beginning or its number; Enter takes the usual one.

    If they were `listed` before, the question does not repeat them.
    """
    words = ", ".join(names)
    question = f"{what}, by name or number" if listed else f"{what} ({words})"
    while True:
        try:
            text = prompt.ask(f"{question} [{usual}]: ", lambda: names).lower()
        except EOFError:
            raise MpsearchError("the input ended before a game was chosen") from None
        if not text:
            return usual
        if numbered and text.isdecimal() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        near = [name for name in names if name.startswith(text)]
        if text in names or len(near) == 1:
            return text if text in names else near[0]
        print(wrapped(f"'{printable(text)}' is not one of {words}"))
