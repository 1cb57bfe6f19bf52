"""Plots of the findings, drawn from the committed CSVs.

python tools/findings_plots.py docs/results
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from findings_page import (
    CHOICES,
    DOSES,
    PER_POINT,
    STANCES,
    Row,
    dose_rows,
    first_agents,
    lead_rows,
    run_rows,
    stance_payoffs,
    threshold,
)
from kept_results import read_rows

from mpsearch.experiments import figure_bytes, new_figure


def reach(row: Row, mean: str = "difference") -> list[list[float]]:
    """Error bars for matplotlib, in points."""
    middle = float(row[mean])
    return [[100 * (middle - float(row["low"]))], [100 * (float(row["high"]) - middle)]]


#: The stores of thresholds: a threshold's unit on the evaluator's scale, title and axis.
THRESHOLDS = (
    ("hearts-thresholds", PER_POINT, "Hearts, evaluator paper", "points of the score"),
    ("hearts-thresholds-chance", 1, "Hearts, evaluator chance", "points of the chance to win"),
    ("risk-thresholds", 1, "Risk-lite for six, depth 6", "points of the evaluator"),
)


def thresholds_plot(folder: Path) -> Any:
    figure = new_figure(figsize=(11, 6), layout="constrained")
    axes = figure.subplots(2, 3, sharey="row", height_ratios=(3, 2))
    for (top, low), (name, scale, title, label) in zip(axes.T, THRESHOLDS, strict=True):
        rows = [row for row in run_rows(folder, name) if row["threshold"]]
        kinds = (("td", "defends (Td)", "C0", -0.006), ("to", "attacks (To)", "C1", 0.006))
        span = max((float(threshold(row, scale)) for row in rows), default=1.0)
        for key, words, colour, aside in kinds:
            own = [row for row in rows if row["threshold"].startswith(key)]
            x = [float(threshold(row, scale)) + aside * span for row in own]
            if not own:
                continue
            low.plot(x, [100 * float(row["room"]) for row in own], "o:", color=colour, label=words)
            for at, row in zip(x, own, strict=True):
                top.errorbar([at], [100 * float(row["difference"])], yerr=reach(row), fmt="o",
                             color=colour, label=words if row is own[0] else None)  # fmt: skip
        top.axhline(0, color="grey", linewidth=0.8)
        games = f"\n{int(rows[0]['games']):,} games of each arm" if rows else ""
        top.set_title(f"{title}{games}", fontsize="medium")
        low.set_title("room", fontsize="medium")
        low.set_ylim(0, 100)
        for axis in (top, low):
            axis.set_xlabel(f"threshold, {label}")
        if rows:
            top.legend(fontsize="x-small", loc="lower right")
    axes[0, 0].set_ylabel("wins of MP-Mix minus MaxN\nat the seat, points (95 %)")
    axes[1, 0].set_ylabel("the most that\nit could be, points")
    figure.suptitle("What MP-Mix gains by its threshold, and the most that it could (room)")
    return figure


def leads_plot(folder: Path) -> Any:
    figure = new_figure(figsize=(8, 3.2), layout="constrained")
    axis = figure.subplots()
    words = {"leader": "leads", "rival": "is behind a leader"}
    names = []
    for place, (name, row, _) in enumerate(reversed(lead_rows(folder))):
        error = [[side[0]] for side in reach(row)]
        axis.errorbar([100 * float(row["difference"])], [place], xerr=error, fmt="o", color="C0")
        game, _, who = name.split("-")
        names.append(f"{game.title()}, {words[who]}: {row['first'].title()}")
    axis.set_yticks(range(len(names)), names)
    axis.axvline(0, color="grey", linewidth=0.8)
    axis.set(xlabel="wins minus those of MaxN in the same seat and games, points (95 %)",
             title="A forced lead: is there a position in which the stance is right?")  # fmt: skip
    return figure


def doses_plot(folder: Path) -> Any:
    figure = new_figure(figsize=(14.5, 4.2), layout="constrained")
    panels = figure.subplots(1, len(DOSES), sharey=True)
    kinds = (
        (("dose", "mix reached=50"), "o", "C0", "MP-Mix (planned)"),
        (("dose", "attacks reached=50"), "^", "C2", "its attacking part alone"),
        (("dose-own", "mix reached=50"), "s", "C1", "MP-Mix, ties by own value"),
    )
    for axis, (name, words) in zip(panels, DOSES.items(), strict=True):
        planned = [row for key, row, _ in dose_rows(folder) if key == name]
        places = {row["value"]: place for place, row in enumerate(planned)}
        for number, (which, mark, colour, label) in enumerate(kinds):
            shown = [row for key, row, _ in dose_rows(folder, *which) if key == name]
            for row in shown:
                axis.errorbar([places[row["value"]] + 0.15 * (number - 1)],
                              [100 * float(row["gain"])], yerr=reach(row, "gain"), fmt=mark,
                              color=colour, label=label if row is shown[0] else None)  # fmt: skip
        names = [f"{row['value']}\nOI {float(row['oi_variation']):.2f}" for row in planned]
        axis.set_xticks(range(len(names)), names)
        axis.axhline(0, color="grey", linewidth=0.8)
        axis.set(title=words, xlabel="option, and Opponent Impact there")
    figure.axes[0].set_ylabel("gain over the better of MaxN and Paranoid,\npoints (95 %)")
    # All kinds of marks are in the second axis, where there is no room for a legend.
    named = figure.axes[1].get_legend_handles_labels()
    figure.axes[-1].legend(*named, fontsize="small", loc="lower center")
    figure.suptitle("Dose and response: what MP-Mix gains as players can do more to each other")
    return figure


def stances_plot(folder: Path) -> Any:
    figure = new_figure(figsize=(11, 4), layout="constrained")
    for axis, (name, words) in zip(figure.subplots(1, len(STANCES)), STANCES.items(), strict=True):
        found, games = stance_payoffs(folder, name)
        roles = sorted({role for role, _ in found})
        axis.set(title=words, xticks=range(len(roles)), yticks=range(len(roles)))
        axis.set_xticks(range(len(roles)), [role.title() for role in roles], fontsize="small")
        axis.set_yticks(range(len(roles)), [role.title() for role in roles], fontsize="small")
        if not found:
            continue
        gains = [[round(100 * (found[r, (c, c)] - 1 / 3), 1) + 0.0 for c in roles] for r in roles]
        error = 100 * math.sqrt(2 / 9 / min(games.values()))
        axis.imshow(gains, cmap="RdBu", vmin=-15, vmax=15)
        for i, line in enumerate(gains):
            for k, gain in enumerate(line):
                colour = "white" if abs(gain) > 10 else "black"
                axis.text(k, i, f"{gain:+.1f}", ha="center", va="center", color=colour)
        axis.set_xlabel(f"two of these at the table (standard error {error:.1f})", fontsize="small")
    figure.axes[0].set_ylabel("one of these")
    figure.suptitle("Who invades whom: wins of one among two others, minus a third, points")
    return figure


def horizons_plot(folder: Path) -> Any:
    figure = new_figure(figsize=(10, 4), layout="constrained")
    titles = {
        "horizon-selfish": "against three selfish players that look one ply ahead",
        "horizon-oriented": "against three of random orientation that look one ply ahead",
    }
    for axis, (name, title) in zip(figure.subplots(1, 2, sharey=True), titles.items(), strict=True):
        lines: dict[str, list[Row]] = {}
        found = first_agents(folder, name)
        if name == "horizon-oriented":
            found += first_agents(folder, "horizon-oriented-deep")
        for row in found:
            lines.setdefault(row["arm"].partition(" ")[0], []).append(row)
        for number, (arm, rows) in enumerate(lines.items()):
            x = [float(row["arm"].rpartition("=")[2]) + 0.03 * number for row in rows]
            y = [100 * float(row["wins"]) for row in rows]
            ends = [[100 * float(row[key]) for row in rows] for key in ("wins_low", "wins_high")]
            error = [[abs(m - e) for m, e in zip(y, end, strict=True)] for end in ends]
            axis.errorbar(x, y, yerr=error, fmt="o-", capsize=2, label=arm)
        axis.axhline(25, color="grey", linewidth=0.8)
        axis.set_title(f"Quoridor, {title}", fontsize="small")
        axis.set(
            xlabel="depth, plies", xticks=(2, 3, 4, 6) if name == "horizon-selfish" else (2, 3, 4)
        )
        axis.legend(fontsize="x-small")
    figure.axes[0].set_ylabel("games won, % (95 %); grey: equal")
    return figure


def learned_plot(folder: Path) -> Any:
    figure = new_figure(figsize=(6, 3.6), layout="constrained")
    (axis,) = figure.subplots(1, 1, squeeze=False).flat
    names = {"1": "one ply", "2": "two plies", "3": "three plies"}
    for (looks, words), mark in zip(names.items(), "o^s", strict=True):
        rows = [row for row in read_rows(folder / "learned-horizons.csv") if row["looks"] == looks]
        right = [100 * float(row[f"taken_{looks}"]) for row in rows]
        ends = [[100 * float(row[key]) for row in rows] for key in ("low", "high")]
        axis.errorbar([CHOICES[row["choices"]] for row in rows], right,
                      yerr=[[abs(m - e) for m, e in zip(right, end, strict=True)] for end in ends],
                      fmt=f"{mark}-", capsize=2, label=f"opponents that look {words} ahead",
                      )  # fmt: skip
    axis.axhline(100 / 3, color="grey", linewidth=0.8)
    axis.set(xlabel="choices of the opponent seen so far", ylim=(0, 100),
             ylabel="moves at which its horizon\nis known, % (95 %; grey: by chance)",
             title="How soon likelihood learns how far an opponent looks")  # fmt: skip
    axis.legend(fontsize="small", loc="lower right")
    return figure


PLOTS: dict[str, Callable[[Path], Any]] = {
    "finding-thresholds": thresholds_plot,
    "finding-leads": leads_plot,
    "finding-doses": doses_plot,
    "finding-stances": stances_plot,
    "finding-horizons": horizons_plot,
    "finding-learned": learned_plot,
}


if __name__ == "__main__":
    results = Path(sys.argv[1])
    for name, draw in PLOTS.items():
        path = results / f"{name}.svg"
        path.write_bytes(figure_bytes(draw(results), path))
