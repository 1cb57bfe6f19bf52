"""Line-ups: agents of a given strength for the other seats, and advisers for hints."""

from __future__ import annotations

import itertools
from collections import Counter

from mpsearch.agents import GENERAL, Explanation, presets_of, read_agent
from mpsearch.api.game_table import Table
from mpsearch.contracts import GameOffer, Turn, pick
from mpsearch.plugins import Catalog

#: The strengths; each is a preset of every game.
STRENGTHS = tuple(preset.name for preset in GENERAL)
#: Agents of different kinds, as the game declares them.
MIXED = "mixed"
#: The line-up of games that declare none: one agent of each kind.
USUAL_COMPANY = ("mpmix:td=20,to=20", "paranoid", "maxn")
#: The agents that give hints, without the keys that suit the game.
ADVISERS = ("maxn", "paranoid", "mpmix:td=20,to=20")


def alone(catalog: Catalog) -> set[str]:
    """The games with a plugin of their own."""
    beside = Counter(catalog.origin[name].name for name in catalog.games)
    return {name for name in catalog.games if beside[catalog.origin[name].name] == 1}


def by_appeal(catalog: Catalog) -> list[str]:
    """The games in the order of menus: those with a plugin of their own first."""
    first = alone(catalog)
    return sorted(catalog.games, key=lambda name: (name not in first, name))


def company(offer: GameOffer, count: int, strength: str | None = None) -> tuple[str, ...]:
    """So many agents: all of one strength, or the game's mixed line-up."""
    if strength is not None:
        return (pick({name: name for name in STRENGTHS}, strength, kind="strength"),) * count
    texts = offer.company or USUAL_COMPANY
    return tuple(itertools.islice(itertools.cycle(texts), count))


def advisers(table: Table) -> tuple[str, ...]:
    """MaxN, Paranoid and MP-Mix with the limits and parts of the game's `medium` agent."""
    named = presets_of(table.catalog, table.offer, table.players, table.options)
    model = read_agent(named["medium"].text)
    offer = table.catalog.propagators.get(model.name)
    own = {option.name for option in offer.options} if offer is not None else set()
    shared = tuple(pair for pair in model.settings if pair[0] not in own)
    return tuple(str(read_agent(text).with_settings(dict(shared))) for text in ADVISERS)


def hints(table: Table, turn: Turn, *, seed: int = 0) -> list[Explanation]:
    """What each adviser would play, knowing only what the seat to move knows."""
    return [table.consider(turn, text, seed=seed) for text in advisers(table)]
