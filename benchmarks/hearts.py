"""Hearts: nodes per second of the compiled search against the same search written in C.

    python benchmarks/hearts.py [--depth 9] [--deals 6] [--rounds 5] [--search-only] [--json]

Unpruned MaxN from open deals with the evaluator `paper`. Both must visit the same number of
nodes and find the same values. Speeds alternate within one run and the median ratio is printed:
absolute numbers of a shared machine mean little. Then: worlds drawn per second, how long a
decision at depth 6 with 30 worlds takes, and what a second thread gains on it.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.contracts import Limits, SearchSpace, Stance, Turn
from mpsearch.search import make_engine, search

SOURCE = Path(__file__).with_suffix(".c")
#: -ffp-contract=off: fused operations would round differently from the compiled search.
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC"]
SEED = 20


def build(folder: str) -> Any:
    library = Path(folder) / "hearts.so"
    subprocess.run(["gcc", *FLAGS, str(SOURCE), "-o", str(library)], check=True)
    run = ctypes.CDLL(str(library)).run
    run.restype = ctypes.c_int64
    return run


def c_search(run: Any, game: Any, state: bytes, weights: Any, depth: int) -> tuple[int, Any]:
    s = game.record(state)
    scalars = [s.pile, s.best, s.winner, s.count, s.mover, s.limit]
    numbers = np.array([*s.hands, *s.points, *s.scores, *scalars], dtype=np.int64)
    out = np.zeros(4)
    pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (numbers, weights, out)]
    return run(pointers[0], pointers[1], depth, pointers[2]), out


def open_deals(game: Any, count: int) -> list[bytes]:
    """States with all hands known, 4 to 28 cards into a deal."""
    rng = np.random.default_rng(SEED)
    states = []
    for k in range(count):
        state = game.play(game.new(), game.draw(game.new(), rng))
        for _ in range(4 + 24 * k // max(count - 1, 1)):
            state = game.play(state, int(rng.choice(game.moves(state))))
        states.append(state)
    return states


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--search-only", action="store_true", help="no worlds, no decisions")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    catalog = load_catalog()
    game = catalog.game("hearts")
    evaluator = catalog.evaluator_offer("hearts", "paper").make(game)
    weights = np.array(evaluator.parameters)
    space = SearchSpace(game=game, evaluator=evaluator)
    engine = make_engine(space)
    stance = Stance(matrix=np.eye(4), label="maxn")
    states = open_deals(game, options.deals)
    search(space, states[:1], stance, Limits(depth=1), prune=False, engine=engine)

    ratios, ours, theirs, nodes = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        run = build(folder)
        for _ in range(options.rounds):
            seconds, seconds_c, nodes = 0.0, 0.0, 0
            for state in states:
                started = time.process_time()
                report = search(
                    space,
                    [state],
                    stance,
                    Limits(depth=options.depth),
                    prune=False,
                    engine=engine,
                )
                middle = time.process_time()
                count, value = c_search(run, game, state, weights, options.depth)
                seconds += middle - started
                seconds_c += time.process_time() - middle
                assert count == report.nodes, (count, report.nodes)
                assert np.array_equal(value, report.value), (value, report.value)
                nodes += count
            ratios.append(seconds_c / seconds)
            ours.append(nodes / seconds)
            theirs.append(nodes / seconds_c)
    row: dict[str, Any] = {
        "game": "hearts",
        "propagator": "maxn",
        "depth": options.depth,
        "nodes": nodes,
        "seconds": nodes / statistics.median(ours),
        "nodes_per_second": statistics.median(ours),
        "c_nodes_per_second": statistics.median(theirs),
        "ratio_to_c": statistics.median(ratios),
    }
    if not options.search_only:
        row |= {"worlds_per_second": world_speed(game), **decision_times(catalog, game)}
    if options.json:
        print(json.dumps([row]))
    else:
        for name, entry in row.items():
            print(f"{name:24} {entry:.6g}" if isinstance(entry, float) else f"{name:24} {entry}")


def world_speed(game: Any, decisions: int = 700, worlds: int = 30) -> float:
    """Worlds drawn per second for decisions with so many, 28 cards into a deal."""
    rng = np.random.default_rng(SEED)
    state = open_deals(game, 2)[-1]
    view = game.view(state, game.mover(state))
    game.worlds(view, worlds, rng)
    started = time.perf_counter()
    for _ in range(decisions):
        game.worlds(view, worlds, rng)
    return decisions * worlds / (time.perf_counter() - started)


def decision_times(catalog: Any, game: Any) -> dict[str, float]:
    """Seconds of decisions at depth 6 with 30 worlds all through a deal, with 1 and 2 threads."""
    agents = {
        threads: make_agent(
            catalog, "hearts", game, f"maxn:depth=6,worlds=30,ties=first,threads={threads}"
        )
        for threads in (1, 2)
    }
    times: dict[int, list[float]] = {1: [], 2: []}
    rng = np.random.default_rng(SEED)
    state = game.play(game.new(), game.draw(game.new(), rng))
    while game.mover(state) >= 0:
        seat = game.mover(state)
        turn = Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))
        if not times[1]:  # the first use compiles
            agents[1].choose(turn, agents[1].start(seat, rng), np.random.default_rng(0))
        chosen = []
        for threads, agent in agents.items():
            memory = agent.start(seat, np.random.default_rng(seat))
            started = time.perf_counter()
            decision = agent.choose(turn, memory, np.random.default_rng(len(times[1])))
            times[threads].append(time.perf_counter() - started)
            chosen.append(decision.move)
        state = game.play(state, chosen[0])
    return {
        "decision_mean_seconds_1_thread": statistics.mean(times[1]),
        "decision_mean_seconds_2_threads": statistics.mean(times[2]),
        "decision_longest_seconds_2_threads": max(times[2]),
        "threads_ratio": sum(times[1]) / sum(times[2]),
    }


if __name__ == "__main__":
    main()
