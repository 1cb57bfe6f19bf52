"""experiment: designs from files. run, resume, show, report, export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.catalog import installed
from mpsearch.cli.common import Csv, Json, Plot, Processes, print_json, print_rows
from mpsearch.cli.progress import ProgressLines
from mpsearch.cli.running import EngineName, Html, Outputs, Ratings, play_and_report, print_report
from mpsearch.errors import UsageError
from mpsearch.experiments.analysis import power_statement
from mpsearch.experiments.design import Design
from mpsearch.experiments.design_file import make_design, read_design
from mpsearch.experiments.export import game_rows, parquet_bytes
from mpsearch.experiments.games import record_lines
from mpsearch.experiments.output import check_files, csv_bytes, write_files
from mpsearch.experiments.run import played_games
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile, read_toml

experiments = typer.Typer(
    help="Play designs from files, kill them, resume them, and report what they say.",
    rich_markup_mode=None,
)

DesignFile = Annotated[Path, typer.Argument(metavar="FILE.toml", help="The design.")]
GamesFile = Annotated[Path, typer.Argument(metavar="STORE", help="The file with the games.")]


@experiments.command("run")
def run_file(
    file: DesignFile,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="Where games are kept; FILE.db beside the design if not set."),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="Another number of games of each arm.")
    ] = None,
    engine: EngineName = "local",
    processes: Processes = 1,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    ratings: Ratings = False,
    progress: ProgressLines = False,
    as_json: Json = False,
) -> int:
    """Play a design; what its store holds already is not played again."""
    text = _with_games(file, games)
    design = make_design(text, installed())
    print(f"mpsearch: {power_statement(design)}", file=sys.stderr)
    return play_and_report(
        design,
        store=file.with_suffix(".db") if store is None else store,
        text=text.text,
        engine=engine,
        processes=processes,
        progress=progress,
        outputs=Outputs(csv=csv, html=html, plot=plot, ratings=ratings, as_json=as_json),
    )


@experiments.command("resume")
def resume(
    store: GamesFile,
    engine: EngineName = "local",
    processes: Processes = 1,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    ratings: Ratings = False,
    progress: ProgressLines = False,
    as_json: Json = False,
) -> int:
    """Go on with an experiment from its store alone, which holds its design."""
    design, text = _stored(store)
    return play_and_report(
        design,
        store=store,
        text=text,
        engine=engine,
        processes=processes,
        progress=progress,
        outputs=Outputs(csv=csv, html=html, plot=plot, ratings=ratings, as_json=as_json),
    )


@experiments.command("show")
def show_design(file: DesignFile, as_json: Json = False) -> None:
    """Show what a design would play: its arms, its games, and what they could show."""
    design = read_design(file, installed())
    if as_json:
        print_json({"name": design.name, "games": design.games, **design.document()})
        return
    jobs = {arm.label: design.job(arm, 0) for arm in design.arms}
    print_rows(
        ["arm", "first game: seed", "seats"],
        [
            [label, str(job.setting.seed), "  ".join(job.setting.agents)]
            for label, job in jobs.items()
        ],
    )
    print(f"\n{power_statement(design)}")


@experiments.command("report")
def report(
    store: GamesFile,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    ratings: Ratings = False,
    as_json: Json = False,
) -> None:
    """Report the games of a store, without playing; also while it is being run."""
    outputs = Outputs(csv=csv, html=html, plot=plot, ratings=ratings, as_json=as_json)
    outputs.check()
    design, _ = _stored(store)
    with Store(store, read_only=True) as kept:
        if len(kept) == 0:
            raise UsageError(f"{store} holds no finished game yet")
        print_report(design, kept, outputs)


@experiments.command("export")
def export(
    store: GamesFile,
    csv: Csv = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", help="The same as a Parquet file.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write every game's record into this folder.")
    ] = None,
) -> None:
    """Write every seat of every game to a file, or the games' records for replay."""
    check_files({"--csv": csv, "--parquet": parquet})
    if csv is None and parquet is None and records is None:
        raise UsageError("say what to write: --csv FILE, --parquet FILE or --records FOLDER")
    design, _ = _stored(store)
    with Store(store, read_only=True) as kept:
        rows = game_rows(design, played_games(kept, design))
        write_files({csv: lambda: csv_bytes(rows), parquet: lambda: parquet_bytes(rows)})
        if records is not None:
            _write_records(kept, records)
    print(f"{len({(row['arm'], row['number']) for row in rows})} games")


def _write_records(store: Store, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for arm, number in sorted(store.done()):
        packed = store.record(arm, number)
        name = "".join(letter if letter.isalnum() else "-" for letter in arm)
        if packed is not None:
            (folder / f"{name}-{number}.jsonl").write_text(record_lines(packed), encoding="utf-8")


def _with_games(path: Path, games: int | None) -> TomlFile:
    file = read_toml(path)
    if games is not None:
        file.values["games"] = games
    return file


def _stored(path: Path) -> tuple[Design, str]:
    """The design that a store holds."""
    with Store(path, read_only=True) as kept:
        text, games = kept.text, kept.noted("games")
    if not text:
        raise UsageError(f"{path} holds no design from a file; repeat the command that made it")
    file = TomlFile(text, name=f"{path}: its design")
    if games is not None:
        file.values["games"] = games
    return make_design(file, installed()), text
