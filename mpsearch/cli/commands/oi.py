"""oi: measure the Opponent Impact of games."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.completion import complete_game
from mpsearch.cli.options import Options, Players, Seed, agent_option, choose_table
from mpsearch.cli.study import Opening, Report, StoreFile, Study, measures
from mpsearch.cli.terminal.progress import Progress
from mpsearch.errors import UsageError
from mpsearch.experiments import Cut, Engine, collect, csv_bytes
from mpsearch.studies import impact
from mpsearch.studies.impact import TOLERANCE, GameSample, ImpactTable, Survey


@measures("csv", "plot")
def measure_impact(
    game: Annotated[
        list[str],
        typer.Option(help="The game to measure; repeatable.", autocompletion=complete_game),
    ],
    depths: Annotated[str, typer.Option(help="Search depths, such as 1-4 or 1,3.")] = "1-2",
    games: Annotated[int, typer.Option(min=1, help="Games to play of each.")] = 20,
    evaluator: Annotated[
        list[str] | None,
        typer.Option(help="Evaluator: NAME, or GAME.NAME for one game."),
    ] = None,
    branching: Annotated[
        list[str] | None, typer.Option(help="Branching: NAME, or GAME.NAME for one game.")
    ] = None,
    agent: Annotated[
        list[str] | None,
        agent_option("Agent that plays; repeatable, and they rotate through the seats."),
    ] = None,
    players: Players = None,
    option: Options = None,
    tolerance: Annotated[
        float, typer.Option(min=0.0, help="Treat values that differ by at most this as equal.")
    ] = TOLERANCE,
    horizon: Annotated[
        str, typer.Option(help="Unit of depth: plies, or rounds of turns.")
    ] = "plies",
    playouts: Annotated[
        int,
        typer.Option(
            min=0, max=100_000, help="Use this many random play-outs instead of an evaluator."
        ),
    ] = 0,
    opening: Opening = None,
    store: StoreFile = None,
    seed: Seed = 0,
    *,
    study: Study,
) -> int:
    """Measure the Opponent Impact of games.

    This is the share of positions in which the mover can change what others get.
    """
    wanted = impact.read_depths(depths)
    if math.isnan(tolerance):
        raise UsageError("--tolerance nan is not a number, 0 or more")
    names = list(dict.fromkeys(game))
    work = [
        impact.make_surveys(
            choose_table(name, players, _for_game(option, name, names)),
            agent or ["greedy"],
            games=games,
            depths=wanted,
            evaluator=_last(_for_game(evaluator, name, names)),
            branching=_last(_for_game(branching, name, names)),
            tolerance=tolerance,
            horizon=horizon,
            playouts=playouts,
            seed=seed,
            opening=opening,
        )
        for name in names
    ]
    return run_surveys(study, work, store, _report)


def run_surveys(
    study: Study,
    work: Sequence[Sequence[Survey]],
    store: Path | None,
    report: Callable[[ImpactTable], Report],
) -> int:
    """Survey the games that the store lacks, then report all there are; returns the exit code."""
    total = sum(map(len, work))

    def measure(engine: Engine, shown: Progress) -> tuple[list[GameSample], Cut]:
        def show(number: int, sample: GameSample) -> None:
            states, name = len(sample.movers), sample.survey.setting.game
            rate = states / max(sample.seconds, 1e-9)
            shown.show(f"{number}/{total} games  {name}: {states} states, {rate:,.0f} states/s")

        return collect(impact.survey_games(work, engine=engine, path=store), show)

    return study.run(
        measure,
        lambda samples, _: report(impact.impact_table(work, samples)),
        lambda samples: f"{len(samples)} of {total} games",
    )


def _report(found: ImpactTable) -> Report:
    return Report(
        json=found.rows,
        text=found.__str__,
        csv=lambda: csv_bytes(found.lines(), impact.IMPACT_COLUMNS),
        figure=found.figure,
    )


def _for_game(texts: Sequence[str] | None, name: str, names: Sequence[str]) -> list[str]:
    """The texts for one game: those that begin with its name and a dot, or with no game's."""
    found = []
    for text in texts or ():
        head, dot, rest = text.partition(".")
        if not (dot and head.isidentifier()) or "=" in head:
            found.append(text)
        elif head == name:
            found.append(rest)
        elif head not in names:
            raise UsageError(f"'{text}': '{head}' is not one of the games {', '.join(names)}")
    return found


def _last(texts: Sequence[str]) -> str | None:
    return texts[-1] if texts else None
