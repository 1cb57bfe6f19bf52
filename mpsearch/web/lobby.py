"""The lobby: games, options and agents that can be chosen for a table, as JSON."""

from __future__ import annotations

from typing import Any

from mpsearch.agents import preset_names
from mpsearch.api import MIXED, STRENGTHS, by_appeal, company
from mpsearch.contracts import GameOffer, Option
from mpsearch.plugins import Catalog

#: Agents that play every game.
EVERYWHERE = ("mpmix:td=20,to=20", "paranoid", "maxn", "sos", "offensive", "greedy", "random")


def catalog_document(catalog: Catalog) -> dict[str, Any]:
    """Every game with its options and players, in the order in which they are offered."""
    return {"games": [_game(catalog, catalog.games[name]) for name in by_appeal(catalog)]}


def _game(catalog: Catalog, offer: GameOffer) -> dict[str, Any]:
    own = [*preset_names(catalog, offer), *(bot.name for bot in offer.bots)]
    return {
        "name": offer.name,
        "summary": offer.summary,
        "players": list(offer.players),
        "usual": offer.people_players or offer.default_players,
        #: The options of the game as people know it.
        "people": dict(offer.people_options),
        "options": [_option(option.confined) for option in offer.options],
        "agents": [*EVERYWHERE, *own],
        "company": {
            strength: list(company(offer, offer.players[1] - 1, strength)) for strength in STRENGTHS
        }
        | {MIXED: list(company(offer, offer.players[1] - 1))},
    }


def _option(option: Option) -> dict[str, Any]:
    default = "" if option.default is None else option.write(option.default)
    choices = ("yes", "no") if option.kind is bool else map(option.write, option.choices)
    return {
        "name": option.name,
        "help": option.help,
        "default": default,
        "choices": list(choices),
        "wanted": option.wanted(),
    }
