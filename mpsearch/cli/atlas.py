"""atlas: Opponent Impact of every game that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.common import Csv, Json, Plot, Processes, Seed, print_json
from mpsearch.cli.completion import complete_agent, complete_game
from mpsearch.cli.interrupt import interruptible
from mpsearch.cli.measuring import cut_short
from mpsearch.cli.progress import Progress, ProgressLines
from mpsearch.cli.running import EngineName
from mpsearch.display import text_table
from mpsearch.errors import UsageError
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.output import check_files, csv_bytes, figure_bytes, write_files
from mpsearch.impact import GameSample, read_depths
from mpsearch.impact.atlas import COLUMNS, AtlasEntry, AtlasPlan, make_atlas
from mpsearch.impact.atlas_chart import atlas_figure

_HEAD = ["game", "way", "evaluator", "kind", "depth", "variation", "reduction", "spread", "states"]


def draw_atlas(
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", help="Only this game; repeat it for several.", autocompletion=complete_game
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=2, help="Games played of each.")] = 20,
    states: Annotated[
        int, typer.Option("--states", min=1, help="States of a game that are looked at, at most.")
    ] = 12,
    depths: Annotated[str, typer.Option("--depths", help="Depths such as 1-4 or 1,3.")] = "1-3",
    playouts: Annotated[
        int, typer.Option("--playouts", min=2, max=100_000, help="Play-outs behind each move.")
    ] = 16,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            help="Who plays; repeat it, and they take turns.",
            autocompletion=complete_agent,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="A folder for what is measured; goes on from it."),
    ] = None,
    engine: EngineName = "local",
    processes: Processes = 1,
    csv: Csv = None,
    plot: Plot = None,
    progress: ProgressLines = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Measure Opponent Impact of all games alike, with an evaluator and without."""
    plan = AtlasPlan(
        games=games,
        most_states=states,
        depths=read_depths(depths),
        playouts=playouts,
        agents=tuple(agent or ["random"]),
        seed=seed,
    )
    check_files({"--csv": csv, "--plot": plot})
    if store is not None and store.exists() and not store.is_dir():
        raise UsageError(f"--store {store} is a file; an atlas has a folder")
    entries: list[AtlasEntry] = []
    cut: KeyboardInterrupt | None = None
    with Progress(lines=progress) as shown, interruptible():

        def show(what: str, number: int, sample: GameSample) -> None:
            shown.show(f"{what}: {number}/{games} games, {len(entries)} entries done")

        crew = make_engine(engine, processes=processes)
        try:
            for entry in make_atlas(plan, game or (), engine=crew, folder=store, show=show):
                entries.append(entry)
        except KeyboardInterrupt as interrupt:
            cut = interrupt
    lines = [line for entry in entries for line in entry.lines()]
    with cut_short(cut, f"{len(entries)} entries") as code:
        if as_json:
            print_json(
                {
                    "entries": lines,
                    "left_out": {f"{e.game}, {e.way}": e.problem for e in _out(entries)},
                }
            )
        else:
            print(text_table(_HEAD, [cells for entry in entries for cells in _cells(entry)]))
            for entry in _out(entries):
                print(f"left out: {entry.game}, {entry.way}: {entry.problem}")
        write_files(
            {
                csv: lambda: csv_bytes(lines, COLUMNS),
                plot: lambda: figure_bytes(atlas_figure(lines), plot),
            }
        )
    return code


def _out(entries: list[AtlasEntry]) -> list[AtlasEntry]:
    return [entry for entry in entries if entry.finding is None]


def _cells(entry: AtlasEntry) -> list[list[str]]:
    if entry.finding is None:
        return []
    survey = entry.finding.samples[0].survey
    rows = entry.finding.rows
    made = []
    for depth in survey.depths:
        found = [row.total for row in rows if row.depth == depth]
        shown = ["-" if share.oi != share.oi else f"{share.oi:.3f}" for share in found]
        head = [entry.game, entry.way, survey.evaluator or "", survey.kind]
        made.append([*head, str(depth or ""), *shown, str(found[0].states)])
    return made
