"""The atlas as a picture: every game in a line, from the least impact to the greatest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mpsearch.experiments.output import new_figure
from mpsearch.impact.atlas import PLAYOUTS, SEARCH, Entry
from mpsearch.impact.estimate import SPREAD, ImpactRow
from mpsearch.impact.evaluation import OWN

#: Panels: title, way and reading. The first orders the games that it has.
_PANELS = (
    ("states in which others can be touched:\nMaxN, greatest depth", SEARCH, "variation"),
    ("the same: play-outs", PLAYOUTS, "variation"),
    ("spread of others' payoffs relative\nto one's own: play-outs", PLAYOUTS, SPREAD),
)


def atlas_figure(entries: Sequence[Entry]) -> Any:
    """Dots with 95 % intervals; filled ones are comparable by construction."""
    names = _ordered(entries)
    figure = new_figure(figsize=(11, 1.5 + 0.24 * len(names)), layout="constrained")
    for axes, (title, way, reading) in zip(
        figure.subplots(1, len(_PANELS), sharey=True), _PANELS, strict=True
    ):
        for entry in entries:
            row = _row(entry, reading)
            if entry.way != way or row is None or row.total.oi != row.total.oi:
                continue
            share, place = row.total, names.index(entry.game)
            high = min(share.high, 3.0)
            shared = way == SEARCH and _kind(entry) != OWN
            axes.plot([share.low, high], [place, place], "-", color="C0", linewidth=1)
            axes.plot([share.oi], [place], "o", color="C0", fillstyle="none" if shared else "full")
        axes.set_title(title, fontsize="small")
        axes.set_xlim(-0.03, 1.03 if reading != SPREAD else 1.6)
        axes.grid(axis="x", alpha=0.3)
    figure.axes[0].set_yticks(range(len(names)), names, fontsize="small")
    figure.axes[0].plot([], [], "o", color="C0", label="own affairs")
    figure.axes[0].plot([], [], "o", color="C0", fillstyle="none", label="shared out")
    figure.axes[0].legend(fontsize="x-small", loc="lower right")
    return figure


def _kind(entry: Entry) -> str:
    return "" if entry.finding is None else entry.finding.samples[0].survey.kind


def _row(entry: Entry, reading: str) -> ImpactRow | None:
    """The greatest depth in a reading."""
    rows = () if entry.finding is None else entry.finding.rows
    return next((row for row in reversed(rows) if row.reading == reading), None)


def _ordered(entries: Sequence[Entry]) -> list[str]:
    """Games by the spread of payoffs, which all of them have; those without one come first."""
    spread: dict[str, float] = {entry.game: -1.0 for entry in entries}
    for entry in entries:
        row = _row(entry, SPREAD)
        if entry.way == PLAYOUTS and row is not None and row.total.oi == row.total.oi:
            spread[entry.game] = row.total.oi
    return sorted(spread, key=lambda name: (spread[name], name))
