"""The design of a comparison: one learner among oriented opponents, in four scenarios.

Game number g of every scenario and every model has the same seed, the same seat for the learner
and, as the opponents draw theirs from that seed, the same orientations: comparisons are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from mpsearch.agents import AgentText, read_agent
from mpsearch.api import Table
from mpsearch.errors import UsageError
from mpsearch.experiments import Job, game_seed, usual_opening
from mpsearch.match import Setting

#: How the opponents' orientations change: the keys that each scenario gives them.
SCENARIOS = {
    "fixed": (),
    "switch": ("switch",),
    "drift": ("drift",),
    "retaliate": ("retaliate",),
}
#: The model of whoever sits at the learner's seat while all models watch the same game.
WATCHED = "selfish"


@attrs.frozen(kw_only=True)
class ModelDesign:
    """A comparison of opponent models in one game."""

    game: str
    players: int
    options: dict[str, Any]
    #: The learner without its model.
    agent: AgentText
    #: The opponents without what the scenario says.
    opponent: AgentText
    #: Texts such as `recent:k=3`.
    models: tuple[str, ...]
    scenarios: tuple[str, ...]
    games: int
    seed: int
    #: What the scenarios' keys are set to.
    changes: dict[str, str]
    #: Random moves before the players' own.
    opening: int = 0

    @property
    def baseline(self) -> str:
        """The model that the others are compared with: the printed rule, or the first."""
        printed = [model for model in self.models if read_agent(model).name == "recent"]
        return (printed or list(self.models))[0]

    def learner(self, model: str) -> str:
        """The learner with a model, as text."""
        text = read_agent(model)
        return str(
            attrs.evolve(
                self.agent, settings=(*self.agent.settings, ("model", text.name), *text.settings)
            )
        )

    def rounds(self) -> Iterator[Round]:
        """All rounds, scenario by scenario within each game, so that any part is balanced."""
        for number in range(self.games):
            for scenario in self.scenarios:
                yield Round(design=self, scenario=scenario, number=number)


@attrs.frozen(kw_only=True)
class Round:
    """One game of one scenario, to be played with every model."""

    design: ModelDesign
    scenario: str
    number: int

    @property
    def arm(self) -> str:
        """What its result is kept by, together with its number."""
        return self.scenario

    @property
    def seat(self) -> int:
        """Where the learner sits: each seat in turn."""
        return self.number % self.design.players

    def __str__(self) -> str:
        return f"{self.scenario}, {self.setting(WATCHED)}"

    def job(self, model: str) -> Job:
        """The learner's own game with a model."""
        return Job(arm=self.arm, number=self.number, setting=self.setting(model))

    def setting(self, model: str) -> Setting:
        """The game with the learner using a model."""
        design = self.design
        keys = tuple((key, design.changes[key]) for key in SCENARIOS[self.scenario])
        opponent = attrs.evolve(design.opponent, settings=(*design.opponent.settings, *keys))
        agents = [str(opponent)] * design.players
        agents[self.seat] = design.learner(model)
        return Setting(
            game=design.game,
            players=design.players,
            options=design.options,
            agents=tuple(agents),
            seed=game_seed(design.seed, self.number),
            opening=design.opening,
        )


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
    """A design whose agents can all be made. Opponents switch after five rounds if not told."""
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
        game=table.name,
        players=table.players,
        options=dict(table.options),
        agent=learner,
        opponent=read_agent(opponent),
        models=tuple(dict.fromkeys(models)),
        scenarios=tuple(dict.fromkeys(scenarios)),
        games=games,
        seed=seed,
        changes={"switch": str(after), "drift": f"{drift:g}", "retaliate": "yes"},
        opening=usual_opening(table) if opening is None else opening,
    )
    # Making every agent once finds every mistake in the texts before the first game.
    for model in (WATCHED, *design.models):
        for scenario in design.scenarios:
            for text in Round(design=design, scenario=scenario, number=0).setting(model).agents:
                table.searcher(text)
    return design
