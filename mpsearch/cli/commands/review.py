"""review: search every decision of a recorded game again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsearch.api import table_of
from mpsearch.cli.commands.serve import analyse_in_browser
from mpsearch.cli.options import Json, Seed, agent_option
from mpsearch.cli.study import Html, Report, Study
from mpsearch.cli.terminal.progress import Progress, ProgressLines
from mpsearch.errors import UsageError
from mpsearch.experiments import Cut, Engine, collect
from mpsearch.match import read_record
from mpsearch.studies.review import JudgedMove, finished_review, make_judge


def review_game(
    file: Annotated[Path, typer.Argument(help="A record written by play --record.")],
    agent: Annotated[
        str | None, agent_option("Agent that judges (default: MaxN with the limits of 'medium').")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Review only this seat's decisions, from what it knew."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Open the game on the analysis board, in a browser.")
    ] = False,
    html: Html = None,
    progress: ProgressLines = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Review a recorded game: mistakes, turning points, attacks."""
    if browser:
        if html is not None or as_json:
            raise UsageError("--browser opens a page: leave out --html and --json")
        return analyse_in_browser(file, seat=seat)
    study = Study(html=html, progress=progress, as_json=as_json)
    record = read_record(file)
    judge = make_judge(table_of(record.setting), record, agent=agent, seat=seat, seed=seed)
    total = len(judge.judged_plies)

    def measure(_: Engine, shown: Progress) -> tuple[list[JudgedMove], Cut]:
        return collect(
            judge.judgements(),
            lambda number, entry: shown.show(
                f"{number}/{total} decisions, ply {entry.ply} of {len(judge.plies)}"
            ),
        )

    def report(found: list[JudgedMove], _: Cut) -> Report:
        review = finished_review(judge, found)
        return Report(
            json=review.document, text=review.__str__, html=lambda: review.html().encode()
        )

    return study.run(measure, report, lambda found: f"{len(found)} of {total} decisions")
