"""`opponent_impact`: measure Opponent Impact from Python in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mpsearch.api import Table, table
from mpsearch.errors import UsageError
from mpsearch.experiments import Local, collect
from mpsearch.studies.impact.output import ImpactTable, impact_table
from mpsearch.studies.impact.sample import TOLERANCE, make_surveys, read_depths, survey_games


def opponent_impact(
    *names: str | Table,
    depths: str | int | Iterable[int] = (1, 2),
    games: int = 20,
    agents: str | Sequence[str] = "greedy",
    evaluator: str | None = None,
    branching: str | None = None,
    tolerance: float = TOLERANCE,
    horizon: str = "plies",
    playouts: int = 0,
    seed: int = 0,
    opening: int | None = None,
    processes: int = 1,
    players: int | None = None,
    **options: Any,
) -> ImpactTable:
    """Measure Opponent Impact: `opponent_impact("scramble", depths="1-4", evaluator="share")`.

    Pass a table for a game with its own settings. After Ctrl-C or a failure the result holds what
    was measured so far, marked as partial.
    """
    if not names:
        raise UsageError("no game given: opponent_impact('scramble', ...)")
    seated = [agents] if isinstance(agents, str) else list(agents)
    work = [
        make_surveys(
            table(name, players=players, **options),
            seated,
            games=games,
            depths=read_depths(depths),
            evaluator=evaluator,
            branching=branching,
            tolerance=tolerance,
            horizon=horizon,
            playouts=playouts,
            seed=seed,
            opening=opening,
        )
        for name in names
    ]
    samples, _ = collect(survey_games(work, engine=Local(processes)))
    return impact_table(work, samples)
