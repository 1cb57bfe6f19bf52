"""Plays a design of thresholds, but no game that can only be the baseline's.

    cd benchmarks/findings
    python thresholds.py hearts-thresholds.toml --store hearts-thresholds.db

Until a threshold is first reached MP-Mix is MaxN, move for move. So where the MaxN player of the
baseline arm (or either of two) never reached it in game g, game g of the arm with the threshold is
the same game: its result is copied, without a record. All others are played. `mpsearch experiment
report` reads the store as any other, and says the same as if all had been played. The arms are
played in blocks of BLOCK games, so that a run that is stopped has nearly as many of each; of the
last block copied games come first, and `keep.py` leaves out what some arm lacks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import attrs

from mpsearch.agents import read_agent
from mpsearch.experiments import Design, GameResult, Local, Store, played_games, read_design
from mpsearch.experiments.games import play_job
from mpsearch.experiments.plan import bind_design
from mpsearch.experiments.resume import run_jobs
from mpsearch.experiments.room import TD, TO, reaches
from mpsearch.experiments.run import kept_game
from mpsearch.plugins import installed

#: Games of every arm that are played before the next ones are begun: all seatings of four players
#: of which two are alike.
BLOCK = 12


def limits(text: str) -> dict[str, float]:
    """The thresholds in an agent's text; none if it is not MP-Mix."""
    spec = read_agent(text)
    found = {key: float(value) for key, value in dict(spec.settings).items() if key in (TD, TO)}
    return found if text.startswith("mpmix:") else {}


def same_but_thresholds(text: str, base: str) -> bool:
    """Whether an agent is MP-Mix with thresholds, and else as the MaxN player of the baseline."""
    parts = text.partition(":")[2].split(",")
    rest = [part for part in parts if part.partition("=")[0] not in (TD, TO, "own")]
    return text.startswith("mpmix:") and base == ":".join(["maxn", ",".join(rest)])


def copy_equal_games(design: Design, store: Store) -> int:
    """Copy the baseline's games where the threshold was not reached; how many there were."""
    games: dict[str, dict[int, GameResult]] = {}
    for played in played_games(store, design):
        games.setdefault(played.arm, {})[played.number] = played
    copied = 0
    for first, second in design.comparisons():
        arm, base = design.arm(first), design.arm(second)
        hero, other = arm.seated[0], base.seated[0]
        if not same_but_thresholds(hero.text, other.text):
            continue
        for number, played in games.get(second, {}).items():
            seats = played.seats(other.role)
            if any(reaches(played.logs[seat], limits(hero.text)) for seat in seats):
                continue
            document = played.document()
            document["roles"] = [hero.role if r == other.role else r for r in played.roles]
            copied += store.add(first, number, document)
    return copied


def play(design: Design, store: Store, *, arms: set[str]) -> None:
    """Play the games of some arms that the store lacks."""
    jobs = (job for job in design.jobs() if job.arm in arms)
    run_jobs(play_job, jobs, store=store, engine=Local(processes=1), keep=kept_game)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("design", type=Path)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--games", type=int, help="instead of the design's")
    asked = parser.parse_args()
    design = read_design(asked.design, installed())
    if asked.games is not None:
        design = attrs.evolve(design, games=asked.games)
    with Store(asked.store) as store:
        design = bind_design(store, design, text=asked.design.read_text(encoding="utf-8"))
        bases = {second for _, second in design.comparisons()}
        copied = 0
        for done in range(0, design.games, BLOCK):
            part = attrs.evolve(design, games=min(done + BLOCK, design.games))
            play(part, store, arms=bases)
            copied += copy_equal_games(part, store)
            play(part, store, arms={arm.label for arm in design.arms})
            print(f"{part.games} games of every arm, {copied} copied", flush=True)
    print(f"{copied} games are the baseline's")


if __name__ == "__main__":
    main()
