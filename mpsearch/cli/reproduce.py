"""reproduce: the papers' experiments, ours beside what was printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.catalog import installed
from mpsearch.cli.common import Csv, Json, Processes, print_json, print_rows
from mpsearch.cli.interrupt import interruptible
from mpsearch.cli.measuring import cut_short
from mpsearch.cli.progress import Progress, ProgressLines
from mpsearch.cli.running import EngineName, Html, StoreFile, shows
from mpsearch.errors import MpsearchError
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.output import check_files, csv_bytes, figure_bytes, write_files
from mpsearch.experiments.plots import all_in_one
from mpsearch.experiments.report import csv_rows, html_report
from mpsearch.experiments.store import Store
from mpsearch.reproduce.impact import IMPACT, reproduce_impact
from mpsearch.reproduce.run import Reproduction, judged, reproduce
from mpsearch.reproduce.shipped import SCALES, shipped, shipped_names


def reproduce_paper(
    name: Annotated[
        str | None, typer.Argument(help="Which experiment; a list of all without it.")
    ] = None,
    scale: Annotated[
        str, typer.Option("--scale", help=f"{', '.join(SCALES)}: a minute, a day, as printed.")
    ] = "smoke",
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="Another number of games of each arm.")
    ] = None,
    store: StoreFile = None,
    engine: EngineName = "local",
    processes: Processes = 1,
    csv: Csv = None,
    html: Html = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Write verdicts, standings and plot into this folder."),
    ] = None,
    progress: ProgressLines = False,
    as_json: Json = False,
) -> int:
    """Run an experiment of a paper, with a verdict for every claim."""
    if name is None:
        _list(as_json)
        return 0
    check_files({"--csv": csv, "--html": html})
    if name == IMPACT:
        found, cut = reproduce_impact(scale, games=games, processes=processes), None
    else:
        wanted = shipped(name, scale=scale)
        if games is not None:
            wanted.file.values["games"] = games
        crew, cut = make_engine(engine, processes=processes), None
        design = wanted.design(installed())
        with Store(store) as kept:
            try:
                with Progress(lines=progress) as shown, interruptible():
                    show = shows(shown, design)
                    reproduce(wanted, installed(), store=kept, engine=crew, show=show)
            except (KeyboardInterrupt, MpsearchError) as error:
                if len(kept) == 0:
                    raise
                cut = error
            found = judged(wanted, installed(), kept)
    with cut_short(cut, "the games so far") as code:
        if as_json:
            print_json({"command": found.command, "claims": found.rows()})
        else:
            print(found)
        write_files(
            {
                csv: lambda: csv_bytes(found.rows()),
                html: lambda: _page(found),
                **(_results(found, save) if save is not None else {}),
            }
        )
    return code


def _page(found: Reproduction) -> bytes:
    if found.analysis is None:
        raise MpsearchError(f"{found.shipped.name}: --html has no games to show")
    return html_report(found.analysis).encode()


def _results(found: Reproduction, folder: Path) -> dict[Path | None, Callable[[], bytes]]:
    folder.mkdir(exist_ok=True)
    name, analysis = found.shipped.name, found.analysis
    files: dict[Path | None, Callable[[], bytes]] = {
        folder / f"{name}.csv": lambda: csv_bytes(found.rows()),
    }
    if analysis is not None:
        files[folder / f"{name}-standings.csv"] = lambda: csv_bytes(csv_rows(analysis))
        files[folder / f"{name}.svg"] = lambda: figure_bytes(all_in_one(analysis), None)
    return files


def _list(as_json: bool) -> None:
    found = [shipped(name, scale="smoke") for name in shipped_names()]
    if as_json:
        print_json(
            [
                {"name": s.name, "rows": list(s.rows), "game": s.game, "paper": s.paper}
                for s in found
            ]
        )
        return
    rows = [[s.name, " ".join(map(str, s.rows)), s.game, s.paper] for s in found]
    rows.append([IMPACT, "28", "several", "MP-Mix (2009), section 5, figure 5"])
    print_rows(["name", "checklist", "game", "printed in"], rows)
    print("\nmpsearch reproduce NAME --scale smoke | day | paper")
