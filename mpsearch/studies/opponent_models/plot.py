"""Plot of a comparison of opponent models: angles by moves seen, and win rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mpsearch.experiments import new_figure
from mpsearch.studies.opponent_models.summary import ModelRow


def draw_models(rows: Sequence[ModelRow], *, title: str) -> Any:
    """Angles above and win rates with intervals below, one column per scenario."""
    scenarios = list(dict.fromkeys(row.scenario for row in rows))
    figure = new_figure(figsize=(1 + 3.2 * len(scenarios), 6.5), layout="constrained")
    figure.suptitle(title)
    axes = figure.subplots(2, len(scenarios), sharey="row", squeeze=False)
    for column, scenario in enumerate(scenarios):
        own = [row for row in rows if row.scenario == scenario]
        _angles(axes[0][column], own)
        _wins(axes[1][column], own)
        axes[0][column].set_title(scenario)
    axes[0][0].set_ylabel("degrees between true and learned row")
    lines, names = axes[0][0].get_legend_handles_labels()
    figure.legend(lines, names, loc="outside lower center", ncols=len(names), fontsize="small")
    axes[1][0].set_ylabel("games won, 95 % interval")
    return figure


def _angles(axis: Any, rows: Sequence[ModelRow]) -> None:
    stages = sorted({(first, below) for row in rows for first, below, _, _ in row.curve})
    for row in rows:
        points = [(stages.index((first, below)), degrees) for first, below, degrees, _ in row.curve]
        axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=row.model)
    names = [
        f"{first}" if below == first + 1 else f"{first}-{below - 1}" for first, below in stages
    ]
    axis.set_xticks(range(len(stages)), names)
    axis.set_xlabel("moves of the opponent seen before")


def _wins(axis: Any, rows: Sequence[ModelRow]) -> None:
    means = [row.wins.mean for row in rows]
    below = [max(row.wins.mean - row.wins.low, 0.0) for row in rows]
    above = [max(row.wins.high - row.wins.mean, 0.0) for row in rows]
    axis.errorbar(range(len(rows)), means, yerr=[below, above], fmt="o", capsize=3)
    axis.set_xticks(range(len(rows)), [row.model for row in rows], rotation=60, ha="right")
