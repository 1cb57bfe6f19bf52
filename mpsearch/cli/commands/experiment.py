"""experiment: run, resume, show, report and export designed experiments."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from mpsearch import experiments
from mpsearch.cli.options import (
    AllowProgram,
    Csv,
    Json,
    Plot,
    allow_programs,
    print_json,
    print_rows,
)
from mpsearch.cli.study import Html, Ratings, Study, design_report, measures, play_design
from mpsearch.errors import UsageError
from mpsearch.experiments import Store
from mpsearch.plugins import installed

app = typer.Typer(
    help="Run, resume, report and export designed experiments.", rich_markup_mode=None
)

#: The longest arm, in bytes, that becomes a file's name as it is.
_LONGEST = 200

DesignFile = Annotated[Path, typer.Argument(metavar="FILE.toml", help="The design file.")]
GamesFile = Annotated[Path, typer.Argument(metavar="STORE", help="The store that holds the games.")]


@app.command("run")
@measures("csv", "html", "plot")
def run_file(
    file: DesignFile,
    store: Annotated[
        Path | None,
        typer.Option(help="Where to save games (default: FILE.db beside the design)."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Games per arm (default: the design's own).")
    ] = None,
    ratings: Ratings = False,
    allow_program: AllowProgram = None,
    *,
    study: Study,
) -> int:
    """Run a design, skipping games that its store already holds."""
    allow_programs(allow_program)
    toml = experiments.read_toml(file)
    if games is not None:
        toml.values["games"] = games
    design = experiments.make_design(toml, installed())
    return play_design(
        study,
        design,
        store=file.with_suffix(".db") if store is None else store,
        text=toml.text,
        ratings=ratings,
        note=experiments.power_statement(design),
    )


@app.command("resume")
@measures("csv", "html", "plot")
def resume(
    store: GamesFile,
    ratings: Ratings = False,
    allow_program: AllowProgram = None,
    *,
    study: Study,
) -> int:
    """Resume an experiment from its store."""
    allow_programs(allow_program)
    with Store(store, read_only=True) as kept:
        design = experiments.stored_design(kept, installed())
    return play_design(study, design, store=store, ratings=ratings)


@app.command("show")
def show_design(file: DesignFile, as_json: Json = False) -> None:
    """Show a design's arms, games and statistical power."""
    design = experiments.read_design(file, installed())
    if as_json:
        print_json({"name": design.name, "games": design.games, **design.document()})
        return
    jobs = {arm.label: design.job(arm, 0) for arm in design.arms}
    print_rows(
        ["arm", "first game: seed", "seats"],
        [[label, str(j.setting.seed), "  ".join(j.setting.agents)] for label, j in jobs.items()],
    )
    print(f"\n{experiments.power_statement(design)}")


@app.command("report")
def report(
    store: GamesFile,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    ratings: Ratings = False,
    as_json: Json = False,
) -> None:
    """Report the results in a store, even while it is running."""
    study = Study(csv=csv, html=html, plot=plot, as_json=as_json)
    with Store(store, read_only=True) as kept:
        design = experiments.stored_design(kept, installed())
        if len(kept) == 0:
            raise UsageError(f"{store} holds no finished game yet")
        study.put(design_report(design, kept, ratings=ratings))


@app.command("export")
def export(
    store: GamesFile,
    csv: Csv = None,
    parquet: Annotated[
        Path | None, typer.Option(help="Write all figures to this Parquet file.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option(help="Write every game's record to this folder.")
    ] = None,
) -> None:
    """Export one row per seat and game, or the games' records."""
    experiments.check_files({"--csv": csv, "--parquet": parquet})
    if csv is None and parquet is None and records is None:
        raise UsageError("nothing to write: give --csv FILE, --parquet FILE or --records FOLDER")
    with Store(store, read_only=True) as kept:
        design = experiments.stored_design(kept, installed())
        rows = experiments.game_rows(design, experiments.played_games(kept, design))
        experiments.write_files(
            {
                csv: lambda: experiments.csv_bytes(rows),
                parquet: lambda: experiments.parquet_bytes(rows),
            }
        )
        if records is not None:
            _write_records(kept, records)
    print(f"{len({(row['arm'], row['number']) for row in rows})} games")


def _write_records(store: Store, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for arm, number in sorted(store.done()):
        packed = store.record(arm, number)
        name = "".join(letter if letter.isalnum() else "-" for letter in arm)
        if len(name.encode()) > _LONGEST:  # names with the same beginning stay different
            name = f"{name[: _LONGEST // 8]}-{hashlib.sha256(arm.encode()).hexdigest()[:12]}"
        if packed is not None:
            (folder / f"{name}-{number}.jsonl").write_text(
                experiments.record_lines(packed), encoding="utf-8"
            )
