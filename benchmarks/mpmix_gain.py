"""The MP-Mix paper's hypothesis over many games: does MP-Mix gain more where others can be touched?

    python benchmarks/mpmix_gain.py --atlas docs/results/atlas.csv \
        --csv docs/results/hypothesis.csv --plot docs/images/hypothesis.svg

One seat is played by MP-Mix, MaxN or Paranoid, all others by MaxN, all to the same depth and with
the evaluator of own affairs that the atlas used. MP-Mix's thresholds are the best of a few on
training seeds; the gain is measured on others: its win share minus the mean of those of MaxN and
Paranoid in the same seat of the same settings. Games that are in the CSV already are not played
again. It needs what `mpsearch atlas` has measured, and plugins/openspiel for the games `os_...`.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.errors import MpsearchError
from mpsearch.experiments.output import figure_bytes, new_figure
from mpsearch.experiments.series import play_one
from mpsearch.experiments.statistics import student
from mpsearch.match import Setting
from mpsearch.table import Table, table

#: Thresholds that are tried, td and to; values are on a scale of 0 to 100.
THRESHOLDS = ((5, 5), (15, 15), (10, math.inf), (math.inf, 10))
TRAINING, TEST = 1_000_000, 2_000_000
COLUMNS = ("game", "evaluator", "depth", "thresholds", "gain", "low", "high", "mpmix", "maxn",
           "paranoid", "games")  # fmt: skip


@attrs.frozen(kw_only=True)
class Trial:
    """A game, in a form that is quickly played."""

    game: str = attrs.field(kw_only=False)
    evaluator: str = attrs.field(kw_only=False)
    options: dict[str, Any] = attrs.field(factory=dict)
    depth: int = 3
    players: int | None = None
    worlds: int = 4
    #: Settings of the test; a third as many for each pair of thresholds.
    games: int = 240


#: The quickest first.
TRIALS = (
    Trial("plunder", "score"),
    Trial("os_leduc_poker", "money"),
    Trial("os_goofspiel", "prizes", options={"num_cards": 4}, games=120),
    Trial("os_oh_hell", "tricks", options={"num_tricks_fixed": 3}, games=120),
    Trial("os_pig", "banked", options={"winscore": 20}, depth=2, games=120),
    Trial("bingo", "marked", games=120),
    Trial("scramble", "progress"),
    Trial("two_phase", "walked", games=160),
    Trial("quoridor", "distance", options={"size": 5}, depth=2, players=3, games=120),
    Trial("hearts", "points", options={"single": "yes"}, depth=4, games=80),
    Trial("go_fish", "collected", options={"ranks": 6, "hand": 4, "asks": 60}, depth=2, games=80),
    Trial("risk_lite", "holdings", depth=2, players=3, games=60),
    Trial("os_hearts", "points", depth=2, worlds=2, games=60),
    Trial("os_go_fish", "books", depth=2, games=60),
)


def agent(trial: Trial, name: str, **more: Any) -> str:
    settings = {**more, "evaluator": trial.evaluator, "depth": trial.depth, "worlds": trial.worlds}
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in settings.items())


def shares(place: Table, trial: Trial, text: str, *, games: int, seed: int) -> np.ndarray[Any, Any]:
    """The share of the win of one agent among MaxN in every setting; its seat changes."""
    others = agent(trial, "maxn")
    settings: list[Setting] = []
    for number in range(games):
        seats = [others] * place.players
        seats[number % place.players] = text
        # Where there is no chance, random moves first: else all games would be the same.
        first = place.setting(*seats, seed=seed + number // place.players)
        settings.append(attrs.evolve(first, opening=2 * place.players))
    return np.array(
        [result.shares()[n % place.players] for n, result in enumerate(map(play_one, settings))]
    )


def measured(trial: Trial, *, factor: float) -> dict[str, Any]:
    place = table(trial.game, players=trial.players, **trial.options)
    games = max(place.players * 4, round(trial.games * factor / place.players) * place.players)
    names = [agent(trial, "mpmix", td=td, to=to) for td, to in THRESHOLDS]
    third = max(place.players * 2, games // (3 * place.players) * place.players)
    trained = [shares(place, trial, text, games=third, seed=TRAINING).mean() for text in names]
    best = names[int(np.argmax(trained))]
    texts = {"mpmix": best, "maxn": agent(trial, "maxn"), "paranoid": agent(trial, "paranoid")}
    found = {
        name: shares(place, trial, text, games=games, seed=TEST) for name, text in texts.items()
    }
    # The rotations of a seed share their luck: a seed is one draw.
    each = found["mpmix"] - (found["maxn"] + found["paranoid"]) / 2
    draws = each.reshape(-1, place.players).mean(axis=1)
    error = student(len(draws) - 1) * float(draws.std(ddof=1)) / math.sqrt(len(draws))
    td, to = THRESHOLDS[int(np.argmax(trained))]
    return {
        "game": trial.game,
        "evaluator": trial.evaluator,
        "depth": trial.depth,
        "thresholds": f"td={td} to={to}",
        "gain": float(draws.mean()),
        "low": float(draws.mean()) - error,
        "high": float(draws.mean()) + error,
        **{name: float(values.mean()) for name, values in found.items()},
        "games": games,
    }


def impact(path: Path, reading: str) -> dict[str, float]:
    """Opponent Impact at the greatest depth, by game, from the atlas: own affairs, all states."""
    found: dict[str, float] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            wanted = row["scope"] == "all" and row["reading"] == reading and row["oi"]
            if wanted and row["kind"] == "own affairs":
                found[row["game"]] = float(row["oi"])
    return found


def correlation(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float]:
    """Spearman's rank correlation, with a 95 % interval over resampled games."""
    from scipy.stats import rankdata

    def rho(a: Any, b: Any) -> float:
        first, second = rankdata(a), rankdata(b)
        if np.ptp(first) == 0 or np.ptp(second) == 0:
            return math.nan
        return float(np.corrcoef(first, second)[0, 1])

    a, b = np.array(x), np.array(y)
    rng = np.random.default_rng(14)
    drawn = (rng.integers(len(a), size=len(a)) for _ in range(5000))
    again = np.array([rho(a[which], b[which]) for which in drawn])
    low, high = np.nanpercentile(again, [2.5, 97.5])
    return rho(a, b), float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--atlas", type=Path, required=True)
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--factor", type=float, default=1.0, help="of the numbers of games")
    parser.add_argument("--game", action="append", help="only this game")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    if given.csv.exists():
        with given.csv.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    for trial in TRIALS:
        if trial.game in {row["game"] for row in rows} or trial.game not in (
            given.game or [trial.game]
        ):
            continue
        try:
            rows.append(measured(trial, factor=given.factor))
        except MpsearchError as error:
            print(f"{trial.game}: {error}", flush=True)
            continue
        print(rows[-1], flush=True)
        with given.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    report(rows, given.atlas, given.plot)


def report(rows: Sequence[dict[str, Any]], atlas: Path, plot: Path | None) -> None:
    figure = new_figure(figsize=(10, 4.5), layout="constrained")
    for axes, reading in zip(
        figure.subplots(1, 2, sharey=True), ("variation", "spread"), strict=True
    ):
        known = impact(atlas, reading)
        shown = [row for row in rows if row["game"] in known]
        x = [known[row["game"]] for row in shown]
        y = [float(row["gain"]) for row in shown]
        if len(shown) < 4:
            continue
        rho, low, high = correlation(x, y)
        words = f"Spearman {rho:.2f} ({low:.2f} to {high:.2f}), {len(shown)} games"
        print(f"{reading}: {words}")
        for row, at, gain in zip(shown, x, y, strict=True):
            axes.plot([at, at], [float(row["low"]), float(row["high"])], "-", color="C0", alpha=0.5)
            axes.plot([at], [gain], "o", color="C0")
            axes.annotate(row["game"], (at, gain), fontsize="x-small", xytext=(3, 3),
                          textcoords="offset points")  # fmt: skip
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.set(xlabel=f"Opponent Impact, {reading}", ylabel="gain in win share")
        axes.set_title(words, fontsize="small")
    if plot is not None:
        plot.write_bytes(figure_bytes(figure, plot))


if __name__ == "__main__":
    main()
