"""Company for a person at a table: agents of a wanted strength, and advisers."""

from __future__ import annotations

import itertools
from collections import Counter

from mpsearch.agents import GENERAL, AgentText, Explanation, presets_of, read_agent
from mpsearch.api.game_table import Table
from mpsearch.contracts import GameOffer, Turn, pick
from mpsearch.plugins import Catalog

#: The names of strengths. Each is a preset of every game.
STRENGTHS = tuple(preset.name for preset in GENERAL)
#: The name of no strength in particular: the company that a game declares.
MIXED = "mixed"
#: Who sits down where a game declares nobody: one of each kind.
USUAL_COMPANY = ("mpmix:td=20,to=20", "paranoid", "maxn")
#: Who is asked for a hint: what each puts before the keys that suit the game.
ADVISERS = ("maxn", "paranoid", "mpmix:td=20,to=20")


def alone(catalog: Catalog) -> set[str]:
    """The games that are a plugin of their own."""
    beside = Counter(catalog.origin[name].name for name in catalog.games)
    return {name for name in catalog.games if beside[catalog.origin[name].name] == 1}


def by_appeal(catalog: Catalog) -> list[str]:
    """The games as people are offered them: those that are a plugin of their own come first."""
    first = alone(catalog)
    return sorted(catalog.games, key=lambda name: (name not in first, name))


def company(offer: GameOffer, count: int, strength: str | None = None) -> tuple[str, ...]:
    """So many agents: all of one strength, or a mixed company."""
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
    given = [read_agent(text) for text in ADVISERS]
    return tuple(str(AgentText(name=a.name, settings=a.settings + shared)) for a in given)


def hints(table: Table, turn: Turn, *, seed: int = 0) -> list[Explanation]:
    """What each adviser would play, knowing no more than the seat to move."""
    return [table.consider(turn, text, seed=seed) for text in advisers(table)]
