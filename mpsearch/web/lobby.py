"""The lobby's catalog: the games, options and agents to choose from, as JSON."""

from __future__ import annotations

from typing import Any

from mpsearch.agents import preset_names, presets_of
from mpsearch.api import MIXED, STRENGTHS, alone, by_appeal, company
from mpsearch.contracts import GameOffer, Option
from mpsearch.plugins import Catalog

#: Agents that play every game.
EVERYWHERE = ("mpmix:td=20,to=20", "paranoid", "maxn", "sos", "offensive", "greedy", "random")


def catalog_document(catalog: Catalog) -> dict[str, Any]:
    """Every game with its options and agents, in the lobby's order."""
    return {"games": [_game(catalog, catalog.games[name]) for name in by_appeal(catalog)]}


def _game(catalog: Catalog, offer: GameOffer) -> dict[str, Any]:
    usual = offer.people_players or offer.default_players
    options = offer.settle(offer.people_options)
    presets = presets_of(catalog, offer, usual, options)
    own = [*preset_names(catalog, offer), *(bot.name for bot in offer.bots)]

    def strength(name: str) -> dict[str, Any]:
        texts = company(offer, offer.players[1] - 1, None if name == MIXED else name)
        summary = presets[name].summary if name in presets else "agents of different kinds"
        return {"name": name, "summary": summary, "company": list(texts)}

    return {
        "name": offer.name,
        "summary": offer.summary,
        #: Whether it has a plugin of its own; such games are shown first.
        "featured": offer.name in alone(catalog),
        "players": list(offer.players),
        "usual": usual,
        "variant": offer.variant(options),
        #: The options of the standard game.
        "people": dict(offer.people_options),
        "options": [_option(option.confined) for option in offer.options],
        "agents": [*EVERYWHERE, *own],
        "strengths": [*map(strength, STRENGTHS), strength(MIXED)],
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
