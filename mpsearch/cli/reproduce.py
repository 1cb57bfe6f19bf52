"""reproduce: the papers' experiments, ours beside what was printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from mpsearch.catalog import installed
from mpsearch.cli.common import Csv, Json, Processes, print_json, print_rows
from mpsearch.cli.interrupt import interruptible
from mpsearch.cli.measuring import cut_short
from mpsearch.cli.oi import shows_states
from mpsearch.cli.progress import Progress, ProgressLines
from mpsearch.cli.running import EngineName, Html, StoreFile, shows
from mpsearch.errors import MpsearchError
from mpsearch.experiments.engines import Engine, make_engine
from mpsearch.experiments.output import check_files, csv_bytes, figure_bytes, write_files
from mpsearch.experiments.store import Store
from mpsearch.impact import measure
from mpsearch.reproduce.impact import IMPACT, impact_surveys, judged_impact, shipped_impact
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
    crew = make_engine(engine, processes=processes)
    with Progress(lines=progress) as shown, interruptible():
        if name == IMPACT:
            found, cut = _measure(scale, games, store, crew, shown)
        else:
            found, cut = _play(name, scale, games, store, crew, shown)
    with cut_short(cut, "the games so far") as code:
        if as_json:
            print_json({"command": found.command, "claims": found.rows()})
        else:
            print(found)
        write_files(
            {
                csv: lambda: csv_bytes(found.rows()),
                html: lambda: found.page().encode(),
                **(_results(found, save) if save is not None else {}),
            }
        )
    return code


Cut: TypeAlias = KeyboardInterrupt | MpsearchError | None


def _play(
    name: str, scale: str, games: int | None, store: Path | None, crew: Engine, shown: Progress
) -> tuple[Reproduction, Cut]:
    """Games of an experiment, and what cut them short."""
    wanted, cut = shipped(name, scale=scale), None
    if games is not None:
        wanted.file.values["games"] = games
    show = shows(shown, wanted.design(installed()))
    with Store(store) as kept:
        try:
            reproduce(wanted, installed(), store=kept, engine=crew, show=show)
        except (KeyboardInterrupt, MpsearchError) as error:
            if len(kept) == 0:
                raise
            cut = error
        return judged(wanted, installed(), kept), cut


def _measure(
    scale: str, games: int | None, store: Path | None, crew: Engine, shown: Progress
) -> tuple[Reproduction, Cut]:
    """Opponent Impact as printed, and what cut it short."""
    work = impact_surveys(scale, games=games)
    found, cut = measure(work, engine=crew, path=store, show=shows_states(shown, work))
    if cut is not None and not found.findings:
        raise cut
    return judged_impact(scale, found), cut


def _results(found: Reproduction, folder: Path) -> dict[Path | None, Callable[[], bytes]]:
    folder.mkdir(exist_ok=True)
    name, evidence = found.shipped.name, found.evidence
    files: dict[Path | None, Callable[[], bytes]] = {
        folder / f"{name}.csv": lambda: csv_bytes(found.rows()),
    }
    if evidence is not None:
        files[folder / f"{name}-standings.csv"] = lambda: csv_bytes(evidence.rows())
        files[folder / f"{name}.svg"] = lambda: figure_bytes(evidence.figure(), None)
    return files


def _list(as_json: bool) -> None:
    found = [shipped(name, scale="smoke") for name in shipped_names()]
    rows: list[dict[str, Any]] = [
        {"name": s.name, "rows": list(s.rows), "game": s.game, "paper": s.paper}
        for s in (*found, shipped_impact("smoke"))
    ]
    if as_json:
        print_json(rows)
        return
    cells = [[r["name"], " ".join(map(str, r["rows"])), r["game"], r["paper"]] for r in rows]
    print_rows(["name", "checklist", "game", "printed in"], cells)
    print("\nmpsearch reproduce NAME --scale smoke | day | paper")
