"""Games a second through the store, and what it costs beside playing alone.

    python benchmarks/games.py [--games 40]

Three ways in turn, round after round, in one run: the bare referee; the same games through design,
record and store in one process; and in two processes. The cost is a ratio of processor times, so
that other jobs on the machine do not matter much; games a second are by the clock.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from mpsearch.catalog import installed
from mpsearch.experiments.design import Design
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
    ratios, alone, rates = [], [], []
    for round_ in range(given.rounds + 1):
        text = DESIGN.format(games=given.games, seed=round_)
        design = make_design(TomlFile(text, name="games"), installed())
        started = time.process_time()
        for job in design.jobs():
            for _ in table_of(job.setting).plies(job.setting):
                pass
        bare = time.process_time() - started
        started = time.process_time()
        one = _rate(design, 1)
        kept = time.process_time() - started
        if round_:  # the first round compiles
            alone.append(bare / given.games)
            ratios.append(kept / bare)
            rates.append((one, _rate(design, 2)))
    one, two = (statistics.median(rate) for rate in zip(*rates, strict=True))
    print(f"a game alone       {1000 * statistics.median(alone):.1f} ms of processor time")
    print(f"through the store  {statistics.median(ratios) - 1:+.1%} processor time")
    print(f"games a second     {one:.1f} in one process, {two:.1f} in two: {two / one:.2f} times")


def _rate(design: Design, processes: int) -> float:
    """Games a second after the first, so that the start of processes does not count."""
    times = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "s.db") as store:
        store.bind(design.document())
        play_design(
            design,
            store=store,
            engine=Local(processes),
            show=lambda done: times.append(time.perf_counter()),
        )
    first = 2 * processes
    return (len(times) - 1 - first) / (times[-1] - times[first])


if __name__ == "__main__":
    main()
