"""Games a second through the store, and what it costs beside playing alone.

    python benchmarks/games.py [--games 200]

Three ways in turn, round after round, in one run: the bare referee; the same games through design,
record and store in one process; and in two processes. Ratios are of medians over rounds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from mpsearch.catalog import installed
from mpsearch.experiments.design_file import make_design
from mpsearch.experiments.engines import Local
from mpsearch.experiments.run import play_design
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile
from mpsearch.table import table_of

DESIGN = """
game = "scramble"
players = 3
games = {games}
seed = {seed}
[arms]
all = ["maxn:depth=7", "maxn:depth=7", "maxn:depth=7"]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    bare, one, two = [], [], []
    for round_ in range(given.rounds + 1):
        text = DESIGN.format(games=given.games, seed=round_)
        design = make_design(TomlFile(text, name="games"), installed())
        started = time.perf_counter()
        for job in design.jobs():
            for _ in table_of(job.setting).plies(job.setting):
                pass
        seconds = [time.perf_counter() - started]
        for processes in (1, 2):
            with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "s.db") as store:
                store.bind(design.document())
                started = time.perf_counter()
                play_design(design, store=store, engine=Local(processes))
                seconds.append(time.perf_counter() - started)
        if round_:  # the first round compiles
            bare.append(seconds[0])
            one.append(seconds[1])
            two.append(seconds[2])
    base, single, double = (statistics.median(times) for times in (bare, one, two))
    print(f"a game alone         {1000 * base / given.games:.1f} ms")
    print(f"through the store    {given.games / single:.1f} games/s, {single / base - 1:+.1%}")
    print(f"two processes        {given.games / double:.1f} games/s, with their start")
    print(f"two over one         {single / double:.2f}")


if __name__ == "__main__":
    main()
