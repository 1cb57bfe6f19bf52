"""Risk-lite beside the same search in C: same tree, same values, nodes a second.

    python benchmarks/risk_lite.py [--depth 4 --depth 6] [--repeats 3] [--json]

Six seats on the classic map, after two rounds of best bids (seed 4); MaxN with the branching
`bids` (k = 3), the evaluator `paper` and four outcomes per campaign, no pruning. Node counts
and values must agree. Both run by turns; the ratio is that of the least processor time of the
repeats on either side, which other work on the machine disturbs least.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, Limits, SearchSpace, Stance
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import make_engine, search

SOURCE = Path(__file__).with_suffix(".c")
SEATS = 6
ROUNDS = 2
SEED = 4
BIDS = 3


def defaults(offer: Any) -> dict[str, Any]:
    return {option.name: option.default for option in offer.options}


def opening(game: Any, branching: Any) -> bytes:
    """A position from real dice and best bids."""
    rng = np.random.default_rng(SEED)
    state = game.new()
    while game.record(state).rounds_played < ROUNDS or game.mover(state) == CHANCE:
        chance = game.mover(state) == CHANCE
        state = game.play(state, game.draw(state, rng) if chance else branching.moves(state)[0])
    return bytes(state)


def in_c(folder: Path, state: bytes, depth: int, weights: list[float]) -> list[str]:
    program = folder / "risk_lite"
    if not program.exists():
        command = ["gcc", "-O3", "-march=native", "-o", str(program), str(SOURCE)]
        subprocess.run(command, check=True)
    (folder / "state").write_bytes(state)
    arguments = [folder / "state", depth, BIDS, *weights]
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, action="append")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    catalog = load_catalog()
    offer = catalog.game_offer("risk_lite")
    game = offer.new_game(players=SEATS)
    evaluator_offer = catalog.evaluator_offer("risk_lite", "paper")
    evaluator: Any = evaluator_offer.make(game, **defaults(evaluator_offer))
    bids = next(b for b in offer.branchings if b.name == "bids")
    branching: Any = bids.make(game, k=BIDS)
    space = SearchSpace(game=game, evaluator=evaluator, branching=branching)
    engine = make_engine(space)
    state = opening(game, branching)
    stance = Stance(matrix=np.eye(SEATS), label="maxn")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for depth in given.depth or [4, 6]:
            ours, theirs = [], []
            for turn in range(given.repeats + 1):
                begun = time.process_time()
                report = search(
                    space, [state], stance, Limits(depth=depth), engine=engine, prune=False
                )
                if turn > 0:  # the first one compiles
                    ours.append(time.process_time() - begun)
                nodes, c_seconds, *values = in_c(
                    Path(folder), state, depth, evaluator.parameters.tolist()
                )
                theirs.append(float(c_seconds))
            best = min(ours)
            if int(nodes) != report.nodes:
                raise SystemExit(f"depth {depth}: {report.nodes} nodes, but {nodes} in C")
            np.testing.assert_allclose(report.value, [float(v) for v in values], atol=1e-6)
            row = {
                "game": "risk_lite",
                "propagator": "maxn",
                "depth": depth,
                "nodes": report.nodes,
                "seconds": best,
                "nodes_per_second": report.nodes / best,
                "ratio_to_c": min(theirs) / best,
            }
            rows.append(row)
            if not given.json:
                print(
                    f"depth {depth}: {report.nodes} nodes, {report.nodes / best / 1e6:.2f} M a "
                    f"second, {row['ratio_to_c']:.2f} of C"
                )
    if given.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
