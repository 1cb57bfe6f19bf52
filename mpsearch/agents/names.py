"""Names: what agents are called when people play against them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from mpsearch.agents.text import read_agent
from mpsearch.contracts import GameOffer
from mpsearch.errors import UsageError
from mpsearch.plugins import Catalog

#: First names; no table has more seats.
_GIVEN = (
    *("Ada", "Bruno", "Cleo", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kira"),
    *("Leo", "Mira", "Nils", "Olga", "Pablo", "Quinn", "Rosa", "Sami", "Tilda", "Umar", "Vera"),
    *("Willem", "Xenia", "Yara", "Zeno", "Alma", "Boris", "Carla", "Denis", "Elsa", "Frida"),
    *("Gustav", "Hanna", "Ivo", "Judith", "Karim", "Luisa", "Marek", "Nora", "Oscar", "Petra"),
    *("Ravi", "Selma", "Theo", "Ulla", "Viktor", "Wanda", "Yusuf", "Zoe", "Amir", "Bella"),
    *("Cyril", "Dora", "Emil", "Flora", "Georg", "Helga", "Igor", "Jana", "Klaus", "Lotte"),
    *("Mina", "Noah"),
)


def names_of(catalog: Catalog, offer: GameOffer, texts: Sequence[str]) -> tuple[str, ...]:
    """A name for each agent, such as "Ada the suspicious"; no two are the same.

    A name depends only on the agent's text and on the agents in the seats before it.
    """
    taken: set[str] = set()
    names = []
    for text in texts:
        at = zlib.crc32(text.encode("utf-8", "replace"))
        free = (_GIVEN[(at + k) % len(_GIVEN)] for k in range(len(_GIVEN)))
        given = next((name for name in free if name not in taken), text)
        taken.add(given)
        character = _character(catalog, offer, text)
        names.append(f"{given} the {character}" if character else given)
    return tuple(names)


def _character(catalog: Catalog, offer: GameOffer, text: str) -> str:
    try:
        name = read_agent(text).name
    except UsageError:  # a record may name an agent that cannot be read
        return ""
    kinds = [*(bot for bot in offer.bots if bot.name == name), catalog.propagators.get(name)]
    return next((kind.character for kind in kinds if kind is not None), "")
