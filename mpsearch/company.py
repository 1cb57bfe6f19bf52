"""Company for a person at a table: agents of a wanted strength, and advisers."""

from __future__ import annotations

import itertools

from mpsearch.agent import AgentText, read_agent
from mpsearch.agent.explanation import Explanation
from mpsearch.contracts import GameOffer, Turn, pick
from mpsearch.table import Table

#: Strengths by name, and what plays so in a game that declares no preset of that name.
STRENGTHS = {
    "easy": "greedy",
    "medium": "mpmix:td=20,to=20,depth=2",
    "hard": "mpmix:td=20,to=20,depth=4",
}
#: The name of no strength in particular: the company that a game declares.
MIXED = "mixed"
#: Who sits down where a game declares nobody: one of each kind.
USUAL_COMPANY = ("mpmix:td=20,to=20", "paranoid", "maxn")
#: Who is asked for a hint: what each puts before the keys that suit the game.
ADVISERS = ("maxn", "paranoid", "mpmix:td=20,to=20")


def strength_agent(offer: GameOffer, strength: str) -> str:
    """The agent of a strength: the game's own preset, if it declares one."""
    usual = pick(STRENGTHS, strength, kind="strength")
    return strength if strength in {p.name for p in offer.presets} else usual


def company(offer: GameOffer, count: int, strength: str | None = None) -> tuple[str, ...]:
    """So many agents: all of one strength, or a mixed company."""
    if strength is not None:
        return (strength_agent(offer, strength),) * count
    texts = offer.company or USUAL_COMPANY
    return tuple(itertools.islice(itertools.cycle(texts), count))


def advisers(table: Table) -> tuple[str, ...]:
    """MaxN, Paranoid and MP-Mix with the limits and parts of the game's `medium` agent."""
    presets = {preset.name: preset.text for preset in table.offer.presets}
    model = read_agent(presets.get("medium", STRENGTHS["medium"]))
    offer = table.catalog.propagators.get(model.name)
    own = {option.name for option in offer.options} if offer is not None else set()
    shared = tuple(pair for pair in model.settings if pair[0] not in own)
    given = [read_agent(text) for text in ADVISERS]
    return tuple(str(AgentText(name=a.name, settings=a.settings + shared)) for a in given)


def hints(table: Table, turn: Turn, *, seed: int = 0) -> list[Explanation]:
    """What each adviser would play, knowing no more than the seat to move."""
    return [table.consider(turn, text, seed=seed) for text in advisers(table)]
