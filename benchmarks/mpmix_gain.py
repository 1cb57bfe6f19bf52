"""The MP-Mix paper's hypothesis over many games: does MP-Mix gain more where others can be touched?

    python benchmarks/mpmix_gain.py --atlas docs/results/atlas.csv --store gain \
        --csv docs/results/hypothesis.csv --plot docs/images/hypothesis.svg

One seat is played by MP-Mix, MaxN or Paranoid, all others by MaxN, all to the same depth and with
the evaluator of own affairs that the atlas used. MP-Mix's thresholds are the best of a few on
training seeds; the gain is measured on others: its win share minus the mean of those of MaxN and
Paranoid, over all seats of the same settings. Every game played is kept in the folder, one file
for each trial: a run that was stopped goes on, and with a greater `--factor` only what is new is
played. It needs what `mpsearch atlas` has measured, and plugins/openspiel for the games `os_...`.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.api.game_table import Table, table
from mpsearch.errors import MpsearchError
from mpsearch.experiments.confidence_intervals import student
from mpsearch.experiments.engines import Local
from mpsearch.experiments.games import Job, play_job
from mpsearch.experiments.output import csv_bytes, figure_bytes, new_figure
from mpsearch.experiments.resume import ordered_answers
from mpsearch.experiments.store import Store

#: Thresholds that are tried, td and to; values are on a scale of 0 to 100.
THRESHOLDS = ((5, 5), (15, 15), (10, math.inf), (math.inf, 10))
TRAINING, TEST = 1_000_000, 2_000_000
#: For each pair of thresholds a fourth of the seeds of the test is played.
TRAINED = 4
COLUMNS = ("game", "evaluator", "depth", "thresholds", "gain", "low", "high", "mpmix", "maxn",
           "paranoid", "seeds", "games", "trained")  # fmt: skip


@attrs.frozen(kw_only=True)
class Trial:
    """A game, in a form that is quickly played."""

    game: str = attrs.field(kw_only=False)
    evaluator: str = attrs.field(kw_only=False)
    options: dict[str, Any] = attrs.field(factory=dict)
    depth: int = 3
    players: int | None = None
    worlds: int = 4
    #: Seeds of the test; each is played once from every seat.
    seeds: int = 400


#: Every game for three or more, each for itself, that has an evaluator of own affairs and whose
#: atlas is deep enough to hold an answer; the quickest first. Left out: yacht, of which the atlas
#: has depth 1, snake, where four choose at once and it has depth 3, and chinese_checkers, with
#: 1,800 leaves at depth 2 and a thousand plies a game.
TRIALS = (
    Trial("os_kuhn_poker", "money"),
    Trial("quoridor", "distance", options={"size": 5}, players=3),
    Trial("os_leduc_poker", "money"),
    Trial("plunder", "score"),
    Trial("scramble", "progress", players=3),
    Trial("os_oh_hell", "tricks", options={"num_tricks_fixed": 3}),
    Trial("os_goofspiel", "prizes", options={"num_cards": 4}),
    Trial("bingo", "marked", seeds=200),
    Trial("hearts", "points", options={"single": "yes"}, depth=4, seeds=300),
    Trial("os_go_fish", "books", options={"ranks": 6}, depth=2, seeds=200),
    Trial("os_pig", "banked", options={"winscore": 20}, seeds=120),
    Trial("go_fish", "collected", options={"ranks": 6, "hand": 4, "asks": 60}, seeds=120),
    Trial("two_phase", "walked", seeds=80),
    Trial("risk_lite", "holdings", players=3, seeds=120),
    Trial("os_crazy_eights", "cards", options={"max_turns": 15}, depth=2, seeds=32),
    Trial("os_cribbage", "score", depth=2, seeds=32),
    Trial("os_hearts", "points", depth=2, worlds=2, seeds=32),
    Trial("os_maedn", "steps", depth=2, seeds=24),
)


def agent(trial: Trial, name: str, **more: Any) -> str:
    settings = {**more, "evaluator": trial.evaluator, "depth": trial.depth, "worlds": trial.worlds}
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in settings.items())


def won(job: Job) -> list[float]:
    return play_job(job)[0].shares()


def shares(
    store: Store, place: Table, trial: Trial, text: str, *, arm: str, seeds: int, first: int
) -> np.ndarray[Any, Any]:
    """The share of the win of one agent among MaxN, by seed: the mean over all seats."""
    others = agent(trial, "maxn")
    # Who is like all others need not change seats: the games would be the same.
    seats = range(place.players) if text != others else range(1)
    jobs: list[Job] = []
    for seed in range(first, first + seeds):
        for seat in seats:
            field = [others] * place.players
            field[seat] = text
            # Where there is no chance, random moves first: else all games would be the same.
            setting = place.setting(*field, seed=seed)
            setting = attrs.evolve(setting, opening=2 * place.players)
            jobs.append(Job(arm=arm, number=len(jobs), setting=setting))
    answers = ordered_answers(
        won, jobs, store=store, engine=Local(processes=1),
        write=lambda found: found, read=lambda job, document: document,
    )  # fmt: skip
    found = np.array(list(answers)).reshape(seeds, len(seats), place.players)
    if text == others:
        return np.asarray(found.mean(axis=(1, 2)))
    return np.asarray(found.diagonal(axis1=1, axis2=2).mean(axis=1))


def measured(trial: Trial, *, factor: float, folder: Path) -> dict[str, Any]:
    place = table(trial.game, players=trial.players, **trial.options)
    test = max(4, round(trial.seeds * factor))
    trained = max(2, test // TRAINED)
    names = [agent(trial, "mpmix", td=td, to=to) for td, to in THRESHOLDS]
    texts = {"maxn": agent(trial, "maxn"), "paranoid": agent(trial, "paranoid")}
    about = {"trial": attrs.asdict(trial, filter=lambda field, _: field.name != "seeds")}
    folder.mkdir(parents=True, exist_ok=True)
    with Store(folder / f"{trial.game}.sqlite") as store:
        store.bind(about)
        tried = [
            shares(store, place, trial, text, arm=f"training {text}", seeds=trained, first=TRAINING)
            for text in names
        ]
        best = int(np.argmax([found.mean() for found in tried]))
        texts["mpmix"] = names[best]
        found = {
            name: shares(store, place, trial, text, arm=text, seeds=test, first=TEST)
            for name, text in texts.items()
        }
    # A seed is one draw: its games share their luck.
    draws = found["mpmix"] - (found["maxn"] + found["paranoid"]) / 2
    error = student(len(draws) - 1) * float(draws.std(ddof=1)) / math.sqrt(len(draws))
    td, to = THRESHOLDS[best]
    return {
        "game": trial.game,
        "evaluator": trial.evaluator,
        "depth": trial.depth,
        "thresholds": f"td={td} to={to}",
        "gain": float(draws.mean()),
        "low": float(draws.mean()) - error,
        "high": float(draws.mean()) + error,
        **{name: float(values.mean()) for name, values in sorted(found.items())},
        "seeds": test,
        "games": test * place.players,
        "trained": trained * place.players,
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
    parser.add_argument("--store", type=Path, required=True, help="a folder for the games played")
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--factor", type=float, default=1.0, help="of the numbers of seeds")
    parser.add_argument(
        "--game", action="append", help="only this game; of others what the CSV has is kept"
    )
    given = parser.parse_args()
    found = known_rows(given.csv) if given.game else {}
    for trial in TRIALS:
        if trial.game not in (given.game or [trial.game]):
            continue
        started = time.process_time()
        try:
            found[trial.game] = measured(trial, factor=given.factor, folder=given.store)
        except MpsearchError as error:
            print(f"left out: {trial.game}: {error}", flush=True)
            continue
        seconds = time.process_time() - started
        gain, low, high = (100 * found[trial.game][name] for name in ("gain", "low", "high"))
        print(
            f"{trial.game}: {gain:.1f} points ({low:.1f} to {high:.1f}), {seconds:.0f} s",
            flush=True,
        )
        given.csv.write_bytes(csv_bytes(in_order(found), COLUMNS))
    report(in_order(found), given.atlas, given.plot)


def known_rows(path: Path) -> dict[str, dict[str, Any]]:
    """What a file that was written before has, by game."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["game"]: dict(row) for row in csv.DictReader(file)}


def in_order(found: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [found[trial.game] for trial in TRIALS if trial.game in found]


def in_words(x: Sequence[float], y: Sequence[float]) -> str:
    rho, low, high = correlation(x, y)
    return f"Spearman {rho:.2f} ({low:.2f} to {high:.2f}), {len(x)} games"


def report(rows: Sequence[dict[str, Any]], atlas: Path, plot: Path | None) -> None:
    figure = new_figure(figsize=(12, 6), layout="constrained")
    for axes, reading in zip(
        figure.subplots(1, 2, sharey=True), ("variation", "spread"), strict=True
    ):
        known = impact(atlas, reading)
        shown = [row for row in rows if row["game"] in known]
        x = [known[row["game"]] for row in shown]
        y = [float(row["gain"]) for row in shown]
        if len(shown) < 4:
            continue
        words = in_words(x, y)
        print(f"{reading}: {words}")
        alone = [float(row["mpmix"]) - float(row["maxn"]) for row in shown]
        print(f"{reading}, gain over MaxN alone: {in_words(x, alone)}")
        for row, at, gain in zip(shown, x, y, strict=True):
            axes.plot([at, at], [float(row["low"]), float(row["high"])], "-", color="C0", alpha=0.5)
            axes.plot([at], [gain], "o", color="C0")
            # Many gains are about 0: names go up, beside each other.
            axes.annotate(row["game"], (at, gain), fontsize="x-small", rotation=55,
                          xytext=(1, 4), textcoords="offset points")  # fmt: skip
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.set(xlabel=f"Opponent Impact, {reading}", ylabel="gain in win share",
                 ylim=(-0.15, 0.15))  # fmt: skip
        axes.set_title(words, fontsize="small")
    if plot is not None:
        plot.write_bytes(figure_bytes(figure, plot))


if __name__ == "__main__":
    main()
