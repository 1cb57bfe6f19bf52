"""What commands that play many games share: engines, progress, and files of results."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import attrs
import typer

from mpsearch.cli.common import print_json
from mpsearch.cli.interrupt import interruptible
from mpsearch.cli.measuring import cut_short
from mpsearch.cli.progress import Progress
from mpsearch.errors import MpsearchError
from mpsearch.experiments.design import Design
from mpsearch.experiments.engines import Engine, make_engine
from mpsearch.experiments.output import check_files, csv_bytes, figure_bytes, write_files
from mpsearch.experiments.plots import all_in_one
from mpsearch.experiments.ratings import rate
from mpsearch.experiments.report import csv_rows, html_report, json_report, text_report
from mpsearch.experiments.run import analyse_store, played_games, run_design
from mpsearch.experiments.store import Store

EngineName = Annotated[
    str,
    typer.Option("--engine", help="local, dask (a cluster of our own), or dask:ADDRESS."),
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Keep every finished game here, and go on from it."),
]
Opening = Annotated[
    int | None,
    typer.Option(
        "--opening",
        min=0,
        help="Random moves at the start; some if the game has no chance and none is said.",
    ),
]
Html = Annotated[Path | None, typer.Option("--html", help="Write one page with tables and plots.")]
Ratings = Annotated[bool, typer.Option("--ratings", help="Rate the agents (openskill).")]


@attrs.frozen(kw_only=True)
class Outputs:
    """What a command prints and writes of its games."""

    csv: Path | None
    html: Path | None
    plot: Path | None
    ratings: bool
    as_json: bool

    def check(self) -> None:
        """UsageError if one of the files cannot be written: found before anything is played."""
        check_files({"--csv": self.csv, "--html": self.html, "--plot": self.plot})


def play_and_report(
    design: Design,
    *,
    store: Path | None,
    text: str = "",
    engine: str,
    processes: int,
    progress: bool,
    outputs: Outputs,
) -> int:
    """Play what the store lacks, then report all there is; the exit code."""
    outputs.check()
    crew = make_engine(engine, processes=processes)
    with Store(store) as kept:
        kept.bind(design.document(), text=text)
        kept.note("games", design.games)
        cut = _run(design, kept, crew, progress)
        if cut is not None and len(kept) == 0:
            raise cut
        total = design.games * len(design.arms)
        again = "" if store is None else f"; run it again to go on from {store}"
        with cut_short(cut, f"{len(kept)} of {total} games{again}") as code:
            print_report(design, kept, outputs)
    return code


def print_report(design: Design, store: Store, outputs: Outputs) -> None:
    """Print the games of a store, and write the files that were asked for."""
    found = analyse_store(design, store)
    rated = rate(played_games(store, design)) if outputs.ratings else []
    if outputs.as_json:
        print_json(json_report(found, rated))
    else:
        print(text_report(found, rated))
    write_files(
        {
            outputs.csv: lambda: csv_bytes(csv_rows(found)),
            outputs.html: lambda: html_report(found, rated).encode(),
            outputs.plot: lambda: figure_bytes(all_in_one(found), outputs.plot),
        }
    )


def _run(
    design: Design, store: Store, engine: Engine, progress: bool
) -> KeyboardInterrupt | MpsearchError | None:
    """What cut it short, if anything did."""
    try:
        with Progress(lines=progress) as shown, interruptible():
            run_design(design, store=store, engine=engine, show=shows(shown, design))
    except (KeyboardInterrupt, MpsearchError) as cut:
        return cut
    return None


def shows(progress: Progress, design: Design) -> Callable[[int], None]:
    """Says how many games are finished, and when all will be."""
    total = design.games * len(design.arms)
    started, first = time.monotonic(), -1

    def show(done: int) -> None:
        nonlocal first
        if first < 0:
            first = done
        took = time.monotonic() - started
        rate = (done - first) / took if took > 0 else 0.0
        left = f", {(total - done) / rate / 60:.1f} minutes to go" if rate > 0 else ""
        progress.show(f"{done}/{total} games, {rate:.1f} a second{left}")

    return show
