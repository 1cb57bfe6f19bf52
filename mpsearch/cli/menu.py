"""The menu of `mpsearch play`, for whoever said at a terminal only that they want to play."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mpsearch.catalog import Catalog
from mpsearch.cli.prompt import Prompt
from mpsearch.cli.streams import printable
from mpsearch.company import MIXED, STRENGTHS
from mpsearch.contracts import GameOffer
from mpsearch.errors import MpsearchError


@attrs.frozen(kw_only=True)
class Wish:
    """What was chosen."""

    game: str
    players: int
    seat: int
    #: None: a mixed company.
    strength: str | None


def choose_game(catalog: Catalog) -> Wish:
    """Ask for game, players, seat and strength; Enter takes what is in brackets."""
    menu = _Menu()
    names = sorted(catalog.games, key=lambda name: (catalog.origin[name].name == "core", name))
    for number, name in enumerate(names, 1):
        print(f"  {number}  {name:10} {catalog.games[name].summary}")
    offer = catalog.games[menu.pick("game", names, names[0])]
    players = _players(menu, offer)
    seat = int(menu.pick("your seat", [str(s) for s in range(players)], "0", numbered=False))
    strength = menu.pick("the others", [*STRENGTHS, MIXED], MIXED)
    return Wish(
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
    return int(menu.pick("players", counts, str(offer.default_players), numbered=False))


class _Menu:
    def __init__(self) -> None:
        self._prompt = Prompt()

    def pick(self, what: str, names: Sequence[str], usual: str, *, numbered: bool = True) -> str:
        """One of the names, by its beginning or by its number in the list; Enter for the usual."""
        words = ", ".join(names)
        while True:
            try:
                text = self._prompt.ask(f"{what} ({words}) [{usual}]: ", lambda: names).lower()
            except EOFError:
                raise MpsearchError("the input ended before a game was chosen") from None
            if not text:
                return usual
            if numbered and text.isdecimal() and 1 <= int(text) <= len(names):
                return names[int(text) - 1]
            near = [name for name in names if name.startswith(text)]
            if text in names or len(near) == 1:
                return text if text in names else near[0]
            print(f"  '{printable(text)}' is none of {words}")
