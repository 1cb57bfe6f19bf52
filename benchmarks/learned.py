"""Millions of evaluations a second by learned evaluators, for networks of different sizes.

    python benchmarks/learned.py

Random weights; 64 positions of random games in turn. Processor time, the least of seven turns.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from decisions import positions
from harness import arguments, print_result

from mpsearch.contracts import compiled
from mpsearch.gamekit import Network, features_of, learned_evaluator
from mpsearch.plugins.catalog import installed

GAMES = (("quoridor", 2), ("quoridor", 4), ("hearts", 4), ("risk_lite", 4))
UNITS = (0, 16, 24, 32)
POSITIONS, EVALUATIONS, TURNS = 64, 50_000, 7


def network(inputs: int, units: int) -> Network:
    """Weights that are none in particular."""
    rng = np.random.default_rng(1)
    shapes: dict[str, Any] = {"skip": inputs, "hidden": (inputs, units)}
    shapes |= {"bias": units, "out": units}
    return Network(**{name: rng.normal(0, 0.1, shape) for name, shape in shapes.items()})


def speeds(name: str, players: int) -> dict[str, float]:
    """Millions of evaluations a second, by units."""
    game: Any = installed().game(name, players=players)
    states = [state for state, _ in positions(game, POSITIONS, every=5)]
    records, out = game.records(b"".join(states)), np.zeros(players)
    made: list[Any] = [
        learned_evaluator(game, network(features_of(game).inputs, units)) for units in UNITS
    ]
    evaluate = made[0].evaluate  # the same for all sizes

    @compiled
    def work(records: Any, parameters: Any, out: Any, count: int) -> None:
        for k in range(count):
            evaluate(records[k % len(records)], parameters, out)

    least = [float("inf")] * len(UNITS)
    for _ in range(TURNS):
        for at, evaluator in enumerate(made):
            parameters = np.array(evaluator.parameters)
            work(records, parameters, out, 1)
            before = time.thread_time()
            work(records, parameters, out, EVALUATIONS)
            least[at] = min(least[at], time.thread_time() - before)
    rates = (EVALUATIONS / seconds / 1e6 for seconds in least)
    return {f"{units} units": rate for units, rate in zip(UNITS, rates, strict=True)}


def main() -> None:
    given = arguments(__doc__).parse_args()
    rows = [{"game": name, "players": players, **speeds(name, players)} for name, players in GAMES]
    print_result(rows, as_json=given.json)


if __name__ == "__main__":
    main()
