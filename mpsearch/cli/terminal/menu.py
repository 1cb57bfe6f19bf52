"""The menu of `mpsearch play`, for whoever said at a terminal only that they want to play."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mpsearch.api import MIXED, STRENGTHS, by_appeal
from mpsearch.cli.terminal.layout import cut, wrapped
from mpsearch.cli.terminal.prompt import Prompt
from mpsearch.cli.terminal.streams import printable
from mpsearch.contracts import GameOffer
from mpsearch.errors import MpsearchError
from mpsearch.plugins import Catalog

#: So many games are told of in a line each; of the others only the names.
_TOLD = 14


@attrs.frozen(kw_only=True)
class Choice:
    """What was chosen."""

    game: str
    players: int
    seat: int
    #: None: a mixed company.
    strength: str | None


def choose_game(catalog: Catalog) -> Choice:
    """Ask for game, players, seat and strength; Enter takes what is in brackets."""
    menu = _Menu()
    names = by_appeal(catalog)
    for number, name in enumerate(names[:_TOLD], 1):
        print(cut(f"  {number:2}  {name:10} {catalog.games[name].summary}"))
    if names[_TOLD:]:
        print(wrapped(f"and {', '.join(names[_TOLD:])}; 'mpsearch games' describes them"))
    offer = catalog.games[menu.pick("game", names, names[0], listed=True)]
    players = _players(menu, offer)
    seat = int(menu.pick("your seat", [str(s) for s in range(players)], "0", numbered=False))
    strength = menu.pick("the others", [*STRENGTHS, MIXED], MIXED)
    return Choice(
        game=offer.name,
        players=players,
        seat=seat,
        strength=None if strength == MIXED else strength,
    )


def _players(menu: _Menu, offer: GameOffer) -> int:
    low, high = offer.players
    if low == high:
        return low
    counts = [str(count) for count in range(low, high + 1)]
    return int(
        menu.pick(
            "players", counts, str(offer.people_players or offer.default_players), numbered=False
        )
    )


class _Menu:
    def __init__(self) -> None:
        self._prompt = Prompt()

    def pick(
        self,
        what: str,
        names: Sequence[str],
        usual: str,
        *,
        numbered: bool = True,
        listed: bool = False,
    ) -> str:
        """One of the names, by its beginning or by its number in the list; Enter for the usual.

        If they were `listed` before, the question does not tell them again.
        """
        words = ", ".join(names)
        question = f"{what}, by name or number" if listed else f"{what} ({words})"
        while True:
            try:
                text = self._prompt.ask(f"{question} [{usual}]: ", lambda: names).lower()
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
