"""reproduce: rerun the papers' experiments and judge their claims."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from mpsearch.cli.commands.oi import run_surveys
from mpsearch.cli.options import print_json, print_rows
from mpsearch.cli.study import Report, StoreFile, Study, measures, play_design
from mpsearch.experiments import csv_bytes, figure_bytes
from mpsearch.plugins import installed
from mpsearch.studies import reproduce
from mpsearch.studies.reproduce import IMPACT, SCALES, Reproduction, shipped


@measures("csv", "html")
def reproduce_paper(
    name: Annotated[
        str | None, typer.Argument(help="The experiment to run (default: list all).")
    ] = None,
    scale: Annotated[
        str,
        typer.Option(help=f"{', '.join(SCALES)}: about a minute, about a day, as in the paper."),
    ] = "smoke",
    games: Annotated[
        int | None, typer.Option(min=1, help="Games per arm (default: the design's own).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed (default: the experiment's own).")
    ] = None,
    store: StoreFile = None,
    save: Annotated[
        Path | None, typer.Option(help="Write verdicts, standings and plot to this folder.")
    ] = None,
    *,
    study: Study,
) -> int:
    """Rerun an experiment from a paper and judge its claims."""
    if name is None:
        _list(study.as_json)
        return 0
    if name == IMPACT:
        used = reproduce.shipped_impact(scale).seed if seed is None else seed
        work = reproduce.impact_surveys(scale, games=games, seed=used)
        return run_surveys(
            study,
            work,
            store,
            lambda found: _report(reproduce.judged_impact(scale, found, seed=used), save),
        )
    wanted = shipped(name, scale=scale)
    if games is not None:
        wanted.file.values["games"] = games
    if seed is not None:
        wanted.file.values["seed"] = seed
    return play_design(
        study,
        wanted.design(installed()),
        store=store,
        text=wanted.text,
        report=lambda design, kept: _report(reproduce.judged(wanted, design, kept), save),
    )


def _report(found: Reproduction, save: Path | None) -> Report:
    return Report(
        json=lambda: {"command": found.command, "claims": found.rows()},
        text=found.__str__,
        csv=lambda: csv_bytes(found.rows()),
        html=lambda: found.page().encode(),
        files={} if save is None else _results(found, save),
    )


def _results(found: Reproduction, folder: Path) -> dict[Path | None, Callable[[], bytes]]:
    folder.mkdir(exist_ok=True)
    name, evidence = found.shipped.name, found.evidence
    files: dict[Path | None, Callable[[], bytes]] = {
        folder / f"{name}.csv": lambda: csv_bytes(found.rows()),
    }
    if name != IMPACT:
        files[folder / f"{name}.toml"] = lambda: found.shipped.text.encode()
    if evidence is not None:
        files[folder / f"{name}-standings.csv"] = lambda: csv_bytes(evidence.rows())
        files[folder / f"{name}.svg"] = lambda: figure_bytes(evidence.figure(), None)
    return files


def _list(as_json: bool) -> None:
    found = [shipped(name, scale="smoke") for name in reproduce.shipped_names()]
    rows: list[dict[str, Any]] = [
        {"name": s.name, "rows": list(s.rows), "game": s.game, "paper": s.paper}
        for s in (*found, reproduce.shipped_impact("smoke"))
    ]
    if as_json:
        print_json(rows)
        return
    cells = [[r["name"], " ".join(map(str, r["rows"])), r["game"], r["paper"]] for r in rows]
    print_rows(["name", "checklist", "game", "printed in"], cells)
    print("\nmpsearch reproduce NAME --scale smoke | day | paper")
