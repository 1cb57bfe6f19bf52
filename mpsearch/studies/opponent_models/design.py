"""Design of a comparison of opponent models: a learner among oriented opponents, in scenarios.

Game number g of every scenario and model has the same seed, the same seat for the learner and,
since opponents draw from that seed, the same orientations: comparisons are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from mpsearch.agents import AgentText, read_agent
from mpsearch.api import Table
from mpsearch.errors import UsageError
from mpsearch.experiments import Job, Series, series_at
from mpsearch.match import Setting

#: How opponents' orientations change: the keys that each scenario sets.
SCENARIOS = {"fixed": (), "switch": ("switch",), "drift": ("drift",), "retaliate": ("retaliate",)}
#: The model at the learner's seat while all models watch the same game.
WATCHED = "selfish"


@attrs.frozen(kw_only=True)
class ModelDesign(Series):
    """A comparison of opponent models in one game."""

    #: The learner without its model.
    agent: AgentText
    #: The opponents without the scenario's keys.
    opponent: AgentText
    #: Texts such as `recent:k=3`.
    models: tuple[str, ...]
    scenarios: tuple[str, ...]
    games: int
    #: Values of the scenarios' keys.
    changes: dict[str, str]

    @property
    def baseline(self) -> str:
        """The model to compare with: the printed rule, or else the first."""
        printed = [model for model in self.models if read_agent(model).name == "recent"]
        return (printed or list(self.models))[0]

    def learner(self, model: str) -> str:
        """The learner's text with a model."""
        text = read_agent(model)
        settings = (*self.agent.settings, ("model", text.name), *text.settings)
        return str(attrs.evolve(self.agent, settings=settings))

    def rounds(self) -> Iterator[Round]:
        """All rounds, scenario by scenario within each game, so that any prefix is balanced."""
        for number in range(self.games):
            for scenario in self.scenarios:
                yield Round(design=self, scenario=scenario, number=number)


@attrs.frozen(kw_only=True)
class Round:
    """One game of one scenario, played with every model."""

    design: ModelDesign
    scenario: str
    number: int

    @property
    def arm(self) -> str:
        """The key of its result in a store, with its number."""
        return self.scenario

    @property
    def seat(self) -> int:
        """The learner's seat, which rotates."""
        return self.number % self.design.players

    def __str__(self) -> str:
        return f"{self.scenario}, {self.setting(WATCHED)}"

    def job(self, model: str) -> Job:
        """The learner's own game with a model."""
        return Job(arm=self.arm, number=self.number, setting=self.setting(model))

    def setting(self, model: str) -> Setting:
        """The game of the learner with a model."""
        design = self.design
        keys = tuple((key, design.changes[key]) for key in SCENARIOS[self.scenario])
        opponent = attrs.evolve(design.opponent, settings=(*design.opponent.settings, *keys))
        agents = [str(opponent)] * design.players
        agents[self.seat] = design.learner(model)
        return design.setting(agents, self.number)


def make_model_design(
    table: Table,
    *,
    agent: str,
    opponent: str,
    models: Sequence[str],
    scenarios: Sequence[str],
    games: int,
    seed: int,
    switch: int | None = None,
    drift: float,
    opening: int | None = None,
) -> ModelDesign:
    """A checked design. By default opponents switch after five rounds."""
    for scenario in scenarios:
        if scenario not in SCENARIOS:
            raise UsageError(f"unknown scenario '{scenario}'; choose from {', '.join(SCENARIOS)}")
    learner = read_agent(agent)
    if "model" in dict(learner.settings):
        raise UsageError(
            f"agent '{agent}': its model is what is being compared; use --model instead"
        )
    after = 5 * (table.players - 1) if switch is None else switch
    design = ModelDesign(
        **series_at(table, seed=seed, opening=opening),
        agent=learner,
        opponent=read_agent(opponent),
        models=tuple(dict.fromkeys(models)),
        scenarios=tuple(dict.fromkeys(scenarios)),
        games=games,
        changes={"switch": str(after), "drift": f"{drift:g}", "retaliate": "yes"},
    )
    # Finds mistakes in the texts before the first game.
    for model in (WATCHED, *design.models):
        for scenario in design.scenarios:
            for text in Round(design=design, scenario=scenario, number=0).setting(model).agents:
                table.searcher(text)
    return design
