"""Agents as text, NAME[:key=value,...], and the keys they share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from mpsearch.contracts import GREATEST_DEPTH, MOST_NODES, MOST_SECONDS, Option, settle
from mpsearch.errors import UsageError

#: The search algorithm of an agent that names none.
TREE = "tree"

#: Keys that every searching agent understands.
COMMON = (
    Option.whole(
        "depth", None, sample=4, least=1, greatest=GREATEST_DEPTH, help="plies to look ahead"
    ),
    Option.whole(
        "nodes", None, sample=20_000, least=1, greatest=MOST_NODES, help="nodes per search"
    ),
    Option.number(
        "time", None, sample=0.5, least=0.001, greatest=MOST_SECONDS, help="seconds per move"
    ),
    Option.text("evaluator", None, help="evaluator of leaf positions"),
    Option.text("branching", None, help="the moves worth searching"),
    Option.text("insights", "", help="the game's insights, joined by '+'"),
    Option.text("model", "selfish", help="the opponent model"),
    Option.text("search", TREE, help="the search algorithm"),
    Option.whole(
        "worlds", 30, least=1, greatest=100_000, help="worlds per move, with hidden information"
    ),
    Option.text("pool", "vote", choices=("vote", "mean"), help="how worlds are pooled"),
    Option.text(
        "ties",
        "random",
        choices=("random", "first"),
        help="which of several equally good moves is played",
    ),
    Option.flag("prune", True, help="prune branches that cannot matter"),
    Option.whole("threads", 1, least=1, greatest=256, help="worlds searched in parallel"),
)

#: The name of an agent that is an outside program; its command follows the colon.
#: `program@0.5:CMD` gives it half a second a move.
PROGRAM = "program"
#: A program's seconds per move if its text does not say.
PROGRAM_SECONDS = 5.0

#: The keys that limit a search.
LIMITS = ("depth", "nodes", "time")
#: The depth of an agent without any limit.
DEFAULT_DEPTH = 3


@attrs.frozen(kw_only=True)
class AgentText:
    """An agent's text, parsed."""

    name: str
    #: Keys and values, in their order.
    settings: tuple[tuple[str, str], ...] = ()
    #: The command of an outside program.
    program: str | None = None

    @property
    def program_seconds(self) -> float:
        """A program's seconds per move; UsageError if the text has no valid number."""
        text = self.name.partition("@")[2]
        option = Option(name="time", kind=float, default=0, least=0.001, greatest=MOST_SECONDS)
        return option.read(text, owner=f"agent {self.name}") if text else PROGRAM_SECONDS

    def with_settings(self, more: Mapping[str, Any]) -> AgentText:
        """The same agent with these values of some keys; None removes a key."""
        settings = {**dict(self.settings), **more}
        kept = ((key, str(value)) for key, value in settings.items() if value is not None)
        return attrs.evolve(self, settings=tuple(kept))

    def __str__(self) -> str:
        if self.program is not None:
            return f"{self.name}:{self.program}"
        pairs = ",".join(f"{key}={value}" for key, value in self.settings)
        return f"{self.name}:{pairs}" if pairs else self.name


def is_program(text: str) -> bool:
    """Whether an agent's text names a command to run."""
    return text.strip().partition(":")[0].partition("@")[0] == PROGRAM


def read_agent(text: str) -> AgentText:
    """Parse an agent's text; UsageError says what is wrong with it."""
    name, colon, rest = text.strip().partition(":")
    if not name:
        raise UsageError(f"agent '{text}' has no name; write NAME or NAME:key=value,...")
    if colon and not rest:
        raise UsageError(f"agent '{text}' ends in ':'; write NAME or NAME:key=value,...")
    if is_program(text) and rest.strip():
        return AgentText(name=name, program=rest.strip())
    settings: dict[str, str] = {}
    for pair in rest.split(",") if rest else ():
        key, equals, value = pair.partition("=")
        if not (key and equals and value):
            raise UsageError(f"agent '{text}': '{pair}' is not of the form key=value")
        if key in settings:
            raise UsageError(f"agent '{text}': {key} is given twice")
        settings[key] = value
    return AgentText(name=name, settings=tuple(settings.items()))


def pick_settings(options: tuple[Option, ...], settings: dict[str, Any], *, owner: str) -> Any:
    """The values of `options`: those in the settings, checked, and defaults for the others."""
    own = {option.name for option in options} & settings.keys()
    return settle(options, {name: settings[name] for name in own}, owner=owner)
