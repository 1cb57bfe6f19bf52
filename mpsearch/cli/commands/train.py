"""train: learn an evaluator by self-play."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.options import GameName, Json, Options, Players, Seed, agent_option, choose_table
from mpsearch.cli.study import Report, Study
from mpsearch.cli.terminal.progress import Progress, ProgressLines
from mpsearch.errors import UsageError
from mpsearch.experiments import Cut, Engine, Estimate, check_files, collect
from mpsearch.gamekit import SUFFIX
from mpsearch.studies.training import Plan, Round, Training, usual_agent


def train(
    game: GameName,
    out: Annotated[Path, typer.Option(help=f"File for the weights; must end in {SUFFIX}.")],
    players: Players = None,
    option: Options = None,
    minutes: Annotated[
        float,
        typer.Option(min=0.01, help="Time budget in minutes; no round starts after it."),
    ] = 10.0,
    rounds: Annotated[int, typer.Option(min=1, help="Maximum number of rounds.")] = 50,
    games: Annotated[int, typer.Option(min=10, help="Self-play games per round.")] = 4000,
    measured: Annotated[
        int,
        typer.Option(min=2, help="Games that evaluate each round, against each baseline."),
    ] = 200,
    agent: Annotated[
        str | None,
        agent_option("Agent that plays, without its evaluator (default: one ply deep)."),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="Start from these weights instead of the game's evaluators."),
    ] = None,
    units: Annotated[
        int,
        typer.Option(min=0, max=1024, help="Hidden units; 0 makes the evaluator linear."),
    ] = 32,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the games per round.")] = 3,
    payoff_range: Annotated[
        float,
        typer.Option(
            min=0,
            help="Learn shares of the payoff, not chances to win: "
            "the greatest difference between two payoffs.",
        ),
    ] = 0.0,
    evaluator: Annotated[
        str,
        typer.Option(help="Evaluator of the first round (default: the one that wins most)."),
    ] = "",
    branches: Annotated[
        int,
        typer.Option(
            min=0,
            max=10,
            help="Number of games that leave each game at a random place by random moves.",
        ),
    ] = 0,
    progress: ProgressLines = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Train an evaluator by self-play.

    Agents use the file it writes as evaluator=FILE.
    """
    if out.suffix != SUFFIX:
        raise UsageError(f"--out {out}: the name must end in {SUFFIX}")
    table = choose_table(game, players, option)
    study = Study(progress=progress, as_json=as_json)
    check_files({"--out": out})
    plan = Plan(
        agent=agent or usual_agent(table),
        units=units,
        games=games,
        measured=measured,
        rounds=rounds,
        epochs=epochs,
        seed=seed,
        start="" if start is None else str(start),
        payoff_range=payoff_range,
        evaluator=evaluator,
        branches=branches,
    )

    def learned(_: Engine, shown: Progress) -> tuple[list[Round], Cut]:
        run = Training(
            table,
            plan,
            out,
            minutes=minutes,
            command=shlex.join(["mpsearch", *sys.argv[1:]]),
            show=shown.show,
        )
        return collect(run.rounds(), lambda _, last: shown.show(_line(last)))

    def report(done: list[Round], cut: Cut) -> Report:
        return Report(
            json=lambda: {
                "file": str(out),
                "rounds": [each.document() for each in done],
                "partial": cut is not None,
            },
            text=lambda: "\n".join([*map(_line, done), f"use it as evaluator={out}"]),
        )

    return study.run(
        learned, report, lambda done: f"{len(done)} rounds; run the command again to continue"
    )


def _line(last: Round) -> str:
    parts = [f"round {last.number + 1}", f"{last.positions} positions", f"loss {last.held_out:.3f}"]
    if last.against_best is not None:
        parts.append(f"wins {_share(last.against_best)} against the best before")
    parts.append(f"{_share(last.against_written)} against {last.written}")
    return "  ".join(parts) + ("" if last.helped else "  (no better)")


def _share(estimate: Estimate) -> str:
    return f"{estimate.mean:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"
