"""Figures of an analysis: shares won, by parameter too, stances and leading edges."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from mpsearch.experiments.analysis import Analysis, Standing
from mpsearch.experiments.games import EDGE
from mpsearch.experiments.output import new_figure


def figures(found: Analysis) -> list[Callable[[], Any]]:
    """The figures with something to show, each drawn when called."""
    drawn: list[Callable[[], Any]] = [functools.partial(_bars, found)]
    drawn += [functools.partial(_by_parameter, found, key) for key in _varied(found)]
    mixed = [row for row in found.standings if len(row.stances) > 1]
    if mixed:
        drawn.append(functools.partial(_stances, mixed))
    if any(row.ahead or row.behind for row in found.standings):
        drawn.append(functools.partial(_edges, found.standings))
    return drawn


def all_in_one(found: Analysis) -> Any:
    """One figure: by parameter if one is varied, else bars."""
    varied = _varied(found)
    return _by_parameter(found, varied[0]) if varied else _bars(found)


def _varied(found: Analysis) -> list[str]:
    """Parameters with several numeric values, which can be an axis."""
    values: dict[str, set[Any]] = {}
    for arm in found.design.arms:
        for key, value in arm.parameters.items():
            values.setdefault(key, set()).add(value)
    return [
        key
        for key, seen in values.items()
        if len(seen) > 1 and all(isinstance(value, (int, float)) for value in seen)
    ]


def _bars(found: Analysis) -> Any:
    rows = found.standings[::-1]
    figure = new_figure(figsize=(8, 1 + 0.32 * len(rows)), layout="constrained")
    axis = figure.subplots()
    several = len(found.design.arms) > 1
    for place, row in enumerate(rows):
        axis.barh(place, row.wins.mean, color="C0", alpha=0.35)
        axis.plot([row.wins.low, row.wins.high], [place, place], color="C0")
        axis.plot([row.equal], [place], "|", color="grey", markersize=12)
    names = [f"{row.arm}: {row.role}" if several else row.role for row in rows]
    axis.set_yticks(range(len(rows)), [_short(name) for name in names])
    axis.set(xlabel="share of games won with 95 % interval; grey: equal play", xlim=(0, None))
    figure.suptitle(_title(found))
    return figure


def _by_parameter(found: Analysis, key: str) -> Any:
    """The first agent of each arm by a parameter; arms without it are horizontal lines."""
    figure = new_figure(figsize=(7, 4.2), layout="constrained")
    axis = figure.subplots()
    lines: dict[str, list[tuple[float, Standing]]] = {}
    styles = itertools.cycle((":", "--", "-."))
    for arm in found.design.arms:
        rows = [r for r in found.standings if r.arm == arm.label and r.role == arm.roles[0]]
        rest = [f"{name}={value}" for name, value in arm.parameters.items() if name != key]
        name = " ".join([arm.name, *rest])
        for row in rows:
            if key in arm.parameters:
                lines.setdefault(name, []).append((float(arm.parameters[key]), row))
            else:
                axis.axhline(row.wins.mean, linestyle=next(styles), label=name, color="grey")
    for number, (name, points) in enumerate(lines.items()):
        points.sort(key=lambda point: point[0])
        across = [value for value, _ in points]
        axis.plot(across, [row.wins.mean for _, row in points], "o-", label=name)
        axis.fill_between(
            across,
            [row.wins.low for _, row in points],
            [row.wins.high for _, row in points],
            alpha=0.15,
            color=f"C{number % 10}",
        )
    axis.set_xticks(sorted({value for points in lines.values() for value, _ in points}))
    axis.set(xlabel=key, ylabel="share of games won with 95 % interval")
    axis.legend(fontsize="small")
    figure.suptitle(_title(found))
    return figure


def _stances(rows: Sequence[Standing]) -> Any:
    figure = new_figure(figsize=(8, 1 + 0.35 * len(rows)), layout="constrained")
    axis = figure.subplots()
    labels = sorted({label for row in rows for label in row.stances})
    left = [0.0] * len(rows)
    for label in labels:
        width = [row.stances.get(label, 0.0) for row in rows]
        axis.barh(range(len(rows)), width, left=left, label=label)
        left = [a + b for a, b in zip(left, width, strict=True)]
    axis.set_yticks(range(len(rows)), [_short(f"{row.arm}: {row.role}") for row in rows])
    axis.set(xlabel="share of turns by stance", xlim=(0, 1))
    axis.legend(fontsize="small", loc="upper right")
    return figure


def _edges(rows: Sequence[Standing]) -> Any:
    """Turns by leading edge over all agents: where thresholds would be reached."""
    figure = new_figure(figsize=(7, 3.6), layout="constrained")
    axis = figure.subplots()
    for shift, (name, part) in enumerate((("leading", "ahead"), ("another leads", "behind"))):
        bars: Counter[int] = Counter()
        for row in rows:
            bars.update(getattr(row, part))
        if bars:
            axis.bar(
                [EDGE * (bar + 0.25 + 0.5 * shift) for bar in bars],
                list(bars.values()),
                width=EDGE * 0.45,
                label=name,
            )
    axis.set(xlabel="edge of the first over the second, as evaluated", ylabel="turns")
    axis.set_yscale("log")
    axis.legend(fontsize="small")
    return figure


def _title(found: Analysis) -> str:
    """What was played, and how many games."""
    design, counts = found.design, [row.games for row in found.standings] or [0]
    told = " to ".join(f"{count:,}" for count in dict.fromkeys((min(counts), max(counts))))
    each = " of each arm" if len(design.arms) > 1 else ""
    return f"{design.name}: {design.game}, {design.players} players, {told} games{each}"


def _short(name: str) -> str:
    return name if len(name) <= 44 else name[:41] + "..."
