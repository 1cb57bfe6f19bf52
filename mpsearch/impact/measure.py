"""Measuring: games are played and looked at until all are done or something cuts it short."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments import gather
from mpsearch.experiments.engines import Engine, Local
from mpsearch.impact.output import ImpactTable, make_finding
from mpsearch.impact.sample import (
    TOLERANCE,
    GameSample,
    Survey,
    make_surveys,
    read_depths,
    survey_games,
)
from mpsearch.table import Table, table


def measure(
    work: Sequence[Sequence[Survey]],
    *,
    engine: Engine | None = None,
    path: Path | None = None,
    show: Callable[[int, GameSample], None] = lambda number, sample: None,
) -> tuple[ImpactTable, KeyboardInterrupt | MpsearchError | None]:
    """The impact of several games, each with its surveys, and what cut it short, if anything.

    With a path it goes on from there.
    """
    samples, cut = gather(survey_games(work, engine=engine, path=path), show)
    findings, begin = [], 0
    for surveys in work:
        own = samples[begin : begin + len(surveys)]
        begin += len(surveys)
        if own:
            findings.append(make_finding(own, partial=len(own) < len(surveys)))
    return ImpactTable(tuple(findings)), cut


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
    """Opponent Impact of games: `opponent_impact("scramble", depths="1-4", evaluator="share")`.

    Games with settings of their own are given as tables. What was measured before Ctrl-C or a
    failure is in the table, and is marked as partial.
    """
    if not names:
        raise UsageError("say which game: opponent_impact('scramble', ...)")
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
    return measure(work, engine=Local(processes))[0]
