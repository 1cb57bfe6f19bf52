"""models: compare opponent models by what they learn and what they gain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from mpsearch._util import text_table
from mpsearch.cli.commands.listing import list_models
from mpsearch.cli.options import GameName, Options, Players, Seed, agent_option, choose_table
from mpsearch.cli.study import Opening, Report, StoreFile, Study, measures
from mpsearch.experiments import Cut, collect, csv_bytes, few_distinct, flat
from mpsearch.studies import opponent_models
from mpsearch.studies.opponent_models import SCENARIOS, ModelDesign, ModelRow, RoundResult

#: The models compared if none is named.
USUAL = ("selfish", "recent", "average", "advantage", "likelihood", "adaptive")


@measures("csv", "plot")
def compare_models(
    game: GameName = "",
    model: Annotated[
        list[str] | None,
        typer.Option(help="A model, such as recent:k=3; repeatable (default: all)."),
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(SCENARIOS)}; repeatable (default: all).")
    ] = None,
    agent: Annotated[
        str, agent_option("The agent that learns; the model is added to it.")
    ] = "sos:depth=3",
    opponent: Annotated[
        str,
        agent_option("Opponent to be modelled; the scenario is added to it.", name="--opponent"),
    ] = "oriented",
    switch: Annotated[
        int | None, typer.Option(min=1, help="Moves by others before a switch (default: 5 rounds).")
    ] = None,
    drift: Annotated[
        float, typer.Option(min=0, help="Change of a drifting row per move by others.")
    ] = 0.05,
    players: Players = None,
    option: Options = None,
    games: Annotated[int, typer.Option(min=1, help="Games per scenario.")] = 20,
    opening: Opening = None,
    store: StoreFile = None,
    seed: Seed = 0,
    *,
    study: Study,
) -> int:
    """Compare opponent models on opponents with known preferences.

    Without --game, list the models.
    """
    if not game:
        list_models(as_json=study.as_json)
        return 0
    design = opponent_models.make_model_design(
        choose_table(game, players, option),
        agent=agent,
        opponent=opponent,
        models=model or USUAL,
        scenarios=scenario or tuple(SCENARIOS),
        games=games,
        seed=seed,
        switch=switch,
        drift=drift,
        opening=opening,
    )
    count = games * len(design.scenarios)
    each = f"rounds of {1 + len(design.models)} games"

    def report(measured: Sequence[RoundResult], cut: Cut) -> Report:
        rows = opponent_models.summarise(measured, baseline=design.baseline)
        marks = {"game": game, "partial": cut is not None}
        title = f"{game}, {design.players} players, {agent}"
        return Report(
            json=lambda: [{**marks, **flat(row), "curve": row.curve} for row in rows],
            text=lambda: _text(rows, design),
            csv=lambda: csv_bytes([{**marks, **flat(row)} for row in rows]),
            figure=lambda: opponent_models.draw_models(rows, title=title),
        )

    return study.run(
        lambda engine, shown: collect(
            opponent_models.measure_rounds(design, engine=engine, path=store),
            lambda number, _: shown.show(f"{number}/{count} {each}"),
        ),
        report,
        lambda measured: f"{len(measured)} of {count} rounds",
    )


def _text(rows: Sequence[ModelRow], design: ModelDesign) -> str:
    versus = f"vs {design.baseline}"
    head = ["scenario", "model", "angle", versus, "log-loss", versus, "wins", versus, "games"]
    cells = [
        [
            row.scenario,
            row.model,
            row.angle.told("{:.1f}"),
            row.angle_gap.told("{:+.1f}"),
            row.log_loss.told("{:.3f}"),
            row.loss_gap.told("{:+.3f}"),
            row.wins.told("{:.0%}"),
            row.wins_gap.told("{:+.0%}"),
            str(row.games),
        ]
        for row in rows
    ]
    notes = [
        f"note: {note}"
        for row in rows
        if row.model == design.baseline
        and (note := few_distinct(row.distinct, row.games, what=f"'{row.scenario}'"))
    ]
    uniform = {row.scenario: f"{row.scenario} {row.uniform_loss:.3f}" for row in rows}
    legend = (
        "angle in degrees, before each move; log-loss per move that was not forced "
        f"(knowing nothing: {', '.join(uniform.values())}); 95 % intervals in brackets"
    )
    return "\n\n".join([text_table(head, cells), *notes, legend])
