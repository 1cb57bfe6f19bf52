"""atlas: measure the Opponent Impact of all installed games alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsearch._util import text_table
from mpsearch.cli.completion import complete_game
from mpsearch.cli.options import Seed, agent_option
from mpsearch.cli.study import Report, Study, measures
from mpsearch.cli.terminal.progress import Progress
from mpsearch.errors import UsageError
from mpsearch.experiments import Cut, Engine, csv_bytes
from mpsearch.studies import impact
from mpsearch.studies.impact import AtlasEntry, GameSample

_HEAD = ["game", "way", "evaluator", "kind", "depth", "variation", "reduction", "spread", "states"]


@measures("csv", "plot")
def draw_atlas(
    game: Annotated[
        list[str] | None,
        typer.Option(help="Measure only this game; repeatable.", autocompletion=complete_game),
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="Games to play of each.")] = 20,
    states: Annotated[int, typer.Option(min=1, help="Most positions to examine per game.")] = 12,
    depths: Annotated[str, typer.Option(help="Search depths, such as 1-4 or 1,3.")] = "1-3",
    playouts: Annotated[
        int, typer.Option(min=2, max=100_000, help="Random play-outs per move.")
    ] = 16,
    agent: Annotated[
        list[str] | None, agent_option("Agent that plays; repeatable, and they take turns.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Save measurements to this folder and resume from it.")
    ] = None,
    seed: Seed = 0,
    *,
    study: Study,
) -> int:
    """Measure Opponent Impact of all installed games alike.

    Each game is measured by search and by random play-outs.
    """
    plan = impact.AtlasPlan(
        games=games,
        most_states=states,
        depths=impact.read_depths(depths),
        playouts=playouts,
        agents=tuple(agent or ["random"]),
        seed=seed,
    )
    if store is not None and store.exists() and not store.is_dir():
        raise UsageError(f"--store {store} is a file; the atlas needs a folder")

    def measured(engine: Engine, shown: Progress) -> tuple[list[AtlasEntry], Cut]:
        entries: list[AtlasEntry] = []

        def show(what: str, number: int, sample: GameSample) -> None:
            shown.show(f"{what}: {number}/{games} games, {len(entries)} entries done")

        try:
            for entry in impact.make_atlas(
                plan, game or (), engine=engine, folder=store, show=show
            ):
                entries.append(entry)
        except KeyboardInterrupt as cut:
            return entries, cut
        return entries, None

    return study.run(
        measured, lambda entries, _: _report(entries), lambda entries: f"{len(entries)} entries"
    )


def _report(entries: list[AtlasEntry]) -> Report:
    lines = [line for entry in entries for line in entry.lines()]
    left_out = {f"{e.game}, {e.way}": e.problem for e in entries if e.finding is None}
    rows = [cells for entry in entries for cells in _cells(entry)]
    problems = [f"left out: {entry}: {problem}" for entry, problem in left_out.items()]
    return Report(
        json=lambda: {"entries": lines, "left_out": left_out},
        text=lambda: "\n".join([text_table(_HEAD, rows), *problems]),
        csv=lambda: csv_bytes(lines, impact.ATLAS_COLUMNS),
        figure=lambda: impact.atlas_figure(lines),
    )


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
