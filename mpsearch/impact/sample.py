"""Sampling: the states of games that agents play, and whom each state's mover can touch.

The estimator sits with the referee: it looks at true states, also where players do not.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.agent import SearchAgent, make_agent
from mpsearch.catalog import Catalog, installed
from mpsearch.contracts import Stance, State
from mpsearch.errors import UsageError
from mpsearch.impact.influence import READINGS, influence
from mpsearch.match import Setting, play_match, seatings
from mpsearch.match.series import side_by_side
from mpsearch.search import Limits, search
from mpsearch.social import identity

#: Values that differ by no more are equal. Rounding in sums over chance is far below it.
TOLERANCE = 1e-6


@attrs.frozen(kw_only=True)
class Survey:
    """One game to be played, and how its states are looked at."""

    setting: Setting
    depths: tuple[int, ...]
    #: None for the game's usual ones.
    evaluator: str | None = None
    branching: str | None = None
    tolerance: float = TOLERANCE


@attrs.frozen(kw_only=True, eq=False)
class GameSample:
    """The states of one game in which a player had to move, N of them in their order."""

    survey: Survey
    #: Who moved. Shape (N,).
    movers: npt.NDArray[np.int64]
    #: How many moves there were to choose from. Shape (N,).
    choices: npt.NDArray[np.int64]
    #: Whom the mover could touch, by depth and reading. Shape (N, D, R, P).
    touched: npt.NDArray[np.bool_]
    #: What the searches took, without the playing.
    seconds: float
    nodes: int


def make_surveys(
    catalog: Catalog,
    *,
    game: str,
    players: int,
    options: dict[str, Any],
    agents: Sequence[str],
    games: int,
    depths: Sequence[int],
    evaluator: str | None = None,
    branching: str | None = None,
    tolerance: float = TOLERANCE,
    seed: int,
) -> list[Survey]:
    """The games to be looked at; the agents take turns at the seats."""
    if not 1 <= len(agents) <= players:
        raise UsageError(f"{game}: {len(agents)} agents at a table for {players}")
    seated = [agents[seat % len(agents)] for seat in range(players)]
    surveys = [
        Survey(
            setting=Setting(
                game=game,
                players=players,
                options=options,
                agents=texts,
                seed=seed * 1_000_003 + number,
            ),
            depths=tuple(depths),
            evaluator=evaluator,
            branching=branching,
            tolerance=tolerance,
        )
        for number, texts in enumerate(seatings(seated, games))
    ]
    # Making everything once finds every mistake in the texts before the first game.
    table = surveys[0].setting.new_game(catalog)
    for text in dict.fromkeys(agents):
        make_agent(catalog, game, table, text)
    Probe(catalog, surveys[0])
    return surveys


class Probe:
    """Looks at states: searches behind every move of the mover, to every depth."""

    def __init__(self, catalog: Catalog, survey: Survey) -> None:
        self.survey = survey
        self.game = survey.setting.new_game(catalog)
        parts = {"evaluator": survey.evaluator, "branching": survey.branching}
        keys = "".join(f",{key}={name}" for key, name in parts.items() if name is not None)
        agent = make_agent(catalog, survey.setting.game, self.game, f"maxn:depth=1{keys}")
        assert isinstance(agent, SearchAgent)
        self.agent = agent
        self.stance = Stance(matrix=identity(self.game.players), label="maxn")
        self.nodes = 0

    def look(self, state: State) -> tuple[int, npt.NDArray[np.bool_]]:
        """How many moves the mover has, and whom it can touch. Shape (D, R, P)."""
        root = self.game.mover(state)
        space, engine = self.agent.search_for(root)
        before = space.evaluator.values(state)
        found = []
        for depth in self.survey.depths:
            report = search(
                space,
                [state],
                self.stance,
                Limits(depth=depth),
                exact=True,
                engine=engine,
            )
            self.nodes += report.nodes
            behind = np.array([entry.value for entry in report.moves])
            found.append(influence(before, behind, root=root, tolerance=self.survey.tolerance))
        return len(report.moves), np.array(found)


def survey_game(survey: Survey) -> GameSample:
    """Play one game and look at every state in which a player has to move."""
    catalog, setting = installed(), survey.setting
    probe = Probe(catalog, survey)
    game = probe.game
    made = {text: make_agent(catalog, setting.game, game, text) for text in setting.agents}
    movers, choices, touched = [], [], []
    seconds = 0.0
    agents = [made[text] for text in setting.agents]
    for ply in play_match(game, agents, seed=setting.seed, start=setting.first_state(game)):
        if ply.seat < 0:
            continue
        started = time.perf_counter()
        count, found = probe.look(ply.before)
        seconds += time.perf_counter() - started
        movers.append(ply.seat)
        choices.append(count)
        touched.append(found)
    shape = (len(movers), len(survey.depths), len(READINGS), game.players)
    return GameSample(
        survey=survey,
        movers=np.array(movers, dtype=np.int64),
        choices=np.array(choices, dtype=np.int64),
        touched=np.array(touched, dtype=np.bool_).reshape(shape),
        seconds=seconds,
        nodes=probe.nodes,
    )


def survey_games(surveys: Iterable[Survey], *, processes: int = 1) -> Iterator[GameSample]:
    """Play games in as many processes, and yield what was seen in the order given."""
    return side_by_side(survey_game, surveys, processes=processes)
