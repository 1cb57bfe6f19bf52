"""A tuning task: an agent with some of its parameters open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from mpsearch.agents import COMMON, TREE, AgentText, read_agent
from mpsearch.api import Table
from mpsearch.contracts import Option
from mpsearch.errors import UsageError
from mpsearch.experiments import Series, series_at
from mpsearch.match import Setting


@attrs.frozen(kw_only=True)
class Parameter:
    """A parameter to tune, such as a weight of the evaluator or a threshold of MP-Mix."""

    name: str
    start: float
    least: float = -math.inf
    greatest: float = math.inf

    def clip(self, value: float) -> float:
        """The nearest allowed value."""
        return min(max(value, self.least), self.greatest)


@attrs.frozen(kw_only=True)
class Task(Series):
    """An agent to be tuned, and the game it is tuned for."""

    #: The agent without its open parameters.
    agent: AgentText
    parameters: tuple[Parameter, ...]

    @property
    def start(self) -> dict[str, float]:
        """The starting values."""
        return {parameter.name: parameter.start for parameter in self.parameters}

    def document(self) -> dict[str, Any]:
        """All that determines the games, for JSON; stores and logs call the parameters knobs."""
        entries = attrs.asdict(self)
        return {"knobs" if key == "parameters" else key: entries[key] for key in entries}

    def text(self, values: Mapping[str, float]) -> str:
        """The agent's text with these values."""
        numbers = {name: f"{value:.6g}" for name, value in values.items()}
        return str(self.agent.with_settings(numbers))

    def run_off(
        self, first: Mapping[str, float], second: Mapping[str, float], *, games: int, block: int
    ) -> list[Setting]:
        """Games of two candidates on alternate seats, swapped from game to game.

        A seed depends on `block` and number only.
        """
        texts = self.text(first), self.text(second)
        # A pair of swapped games shares a seed.
        return [
            self.setting(
                [texts[(seat + game) % 2] for seat in range(self.players)], game // 2, block=block
            )
            for game in range(games)
        ]


def make_task(
    table: Table, agent: str, *, keys: Sequence[str] = (), seed: int, opening: int | None = None
) -> Task:
    """The task of tuning `keys` of an agent; without keys, all weights of its evaluator."""
    text = read_agent(agent)
    settings = dict(text.settings)
    table.agent(agent)  # finds mistakes in the text
    evaluator = table.catalog.evaluator_offer(table.name, settings.get("evaluator"))
    known = {option.name: option for option in evaluator.options if option.kind is float}
    wanted = list(keys) or list(known)
    if text.name in table.catalog.propagators:
        propagator = table.catalog.propagators[text.name]
        search = settings.get("search", propagator.defaults.get("search", TREE))
        own = propagator.options + table.catalog.search_algorithms[search].options
        known |= {option.name: option for option in own if option.kind is float}
    if not wanted:
        raise UsageError(f"evaluator '{evaluator.name}' has no weights; name what to tune")
    return Task(
        **series_at(table, seed=seed, opening=opening),
        agent=text.with_settings(dict.fromkeys(wanted)),
        parameters=tuple(_parameter(name, known, settings) for name in dict.fromkeys(wanted)),
    )


def _parameter(name: str, known: Mapping[str, Option], settings: Mapping[str, str]) -> Parameter:
    if name not in known:
        if name in {option.name for option in COMMON}:
            raise UsageError(f"'{name}' cannot be tuned: more of it only takes more time")
        there = ", ".join(known) or "none"
        raise UsageError(f"'{name}' is not a tunable parameter; choose from {there}")
    option = known[name]
    start = option.read(settings[name], owner="tune") if name in settings else option.default
    if not math.isfinite(start):
        raise UsageError(f"'{name}' needs a finite value to start from, such as {name}=20")
    return Parameter(
        name=name,
        start=float(start),
        least=-math.inf if option.least is None else option.least,
        greatest=math.inf if option.greatest is None else option.greatest,
    )
