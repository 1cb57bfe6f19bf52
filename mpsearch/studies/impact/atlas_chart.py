"""The atlas as a chart: one line per game, ordered by impact."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from mpsearch.experiments import new_figure
from mpsearch.studies.impact.atlas import PLAYOUTS, SEARCH
from mpsearch.studies.impact.estimate import SPREAD
from mpsearch.studies.impact.evaluation import OWN

#: Panels: title, way and reading. The last orders the games.
_PANELS = (
    ("states in which others can be touched:\nMaxN, greatest depth", SEARCH, "variation"),
    ("the same: play-outs", PLAYOUTS, "variation"),
    ("spread of others' payoffs relative\nto one's own: play-outs", PLAYOUTS, SPREAD),
)


def atlas_figure(lines: Sequence[Mapping[str, Any]]) -> Any:
    """Dots with 95 % intervals, from the rows of the CSV; filled dots can be compared."""
    names = ordered_games(lines)
    figure = new_figure(figsize=(11, 1.5 + 0.24 * len(names)), layout="constrained")
    for axes, (title, way, reading) in zip(
        figure.subplots(1, len(_PANELS), sharey=True), _PANELS, strict=True
    ):
        for place, name in enumerate(names):
            line = greatest_depth(lines, name, way, reading)
            if line is None or math.isnan(share := number(line["oi"])):
                continue
            low, high = number(line["low"]), min(number(line["high"], math.inf), 3.0)
            shared = way == SEARCH and line["kind"] != OWN
            axes.plot([low, high], [place, place], "-", color="C0", linewidth=1)
            axes.plot([share], [place], "o", color="C0", fillstyle="none" if shared else "full")
        axes.set_title(title, fontsize="small")
        axes.set_xlim(-0.03, 1.03 if reading != SPREAD else 1.6)
        axes.grid(axis="x", alpha=0.3)
    figure.axes[0].set_yticks(range(len(names)), names, fontsize="small")
    if any(line["way"] == SEARCH and line["kind"] != OWN for line in lines):
        figure.axes[0].plot([], [], "o", color="C0", label="own affairs")
        figure.axes[0].plot([], [], "o", color="C0", fillstyle="none", label="shared out")
        figure.axes[0].legend(fontsize="x-small", loc="lower right")
    return figure


def greatest_depth(
    lines: Sequence[Mapping[str, Any]], game: str, way: str, reading: str
) -> Mapping[str, Any] | None:
    """The row of a game over all its states at the greatest depth; None if there is none."""
    wanted = {"game": game, "way": way, "reading": reading, "scope": "all"}
    found = [line for line in lines if wanted.items() <= line.items()]
    return max(found, key=lambda line: int(line["depth"]), default=None)


def ordered_games(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Games by spread of payoffs; those where it is unknown come first."""
    spread: dict[str, float] = {}
    for name in {line["game"] for line in lines}:
        line = greatest_depth(lines, name, PLAYOUTS, SPREAD)
        spread[name] = -1.0 if line is None else number(line["oi"], -1.0)
    return sorted(spread, key=lambda name: (spread[name], name))


def number(cell: Any, unknown: float = math.nan) -> float:
    """A figure of a CSV row; an empty cell is `unknown`."""
    return unknown if cell is None or cell == "" else float(cell)
