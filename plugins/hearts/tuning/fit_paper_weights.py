"""How the weights of `paper` were found: least squares on the points that hands went on to take.

    python plugins/hearts/tuning/fit_paper_weights.py [--deals 300] [--rounds 3] [--seed 1]

`paper` says: of the points still in play, seat i will take
    left / 4 + left / 26 * w . (features of hand i - mean features of all hands).
So w is a linear regression of what each seat did take. Deals are played by four equal agents
with the weights of the round before; every state of every deal gives four rows. The last round's
weights are rounded to two digits. Their strength is measured elsewhere, with other seeds
(benchmarks/hearts_strength.py).
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from mpsearch_hearts.cards import DEAL_POINTS, penalty
from mpsearch_hearts.evaluators import PAPER_WEIGHTS, danger
from mpsearch_hearts.rules import deal_points

from mpsearch import load_catalog
from mpsearch.agent import make_agent
from mpsearch.match import play_match

NAMES = list(PAPER_WEIGHTS)
#: What round 0 plays with: signs from common sense.
FIRST = dict(zip(NAMES, [1.0, -0.5, 1.0, 1.0, -0.5, 0.1], strict=True))
AGENT = "maxn:depth=4,worlds=8"


def features(hand: int, others: int) -> list[float]:
    """Each feature of a hand: `danger` with one weight at a time."""
    units = np.zeros((len(NAMES), 2 + len(NAMES)))
    units[:, 2:] = np.eye(len(NAMES))
    return [float(danger(hand, others, unit)) for unit in units]


def rows(game: Any, states: list[bytes], final: Any) -> tuple[list[Any], list[float]]:
    """Regression rows of one deal; `final` are the points each seat took in it."""
    x, y = [], []
    for state in states:
        s = game.record(state)
        hands = [int(hand) for hand in s.hands]
        held = hands[0] | hands[1] | hands[2] | hands[3]
        scale = penalty(held) / DEAL_POINTS
        table = np.array([features(hand, held & ~hand) for hand in hands])
        x.extend(scale * (table - table.mean(axis=0)))
        to_come = [final[seat] - deal_points(s, seat) for seat in range(4)]
        y.extend(points - scale * DEAL_POINTS / 4 for points in to_come)
    return x, y


def play_and_fit(
    weights: dict[str, float], deals: int, seed: int
) -> tuple[dict[str, float], float]:
    """The weights that fit deals played with `weights`, and the share of variance explained."""
    catalog = load_catalog()
    game = catalog.game("hearts", limit=10_000)
    settings = "".join(f",{name}={value}" for name, value in weights.items())
    players = [make_agent(catalog, "hearts", game, AGENT + settings) for _ in range(4)]
    x: list[Any] = []
    y: list[float] = []
    states: list[bytes] = []
    for ply in play_match(game, players, seed=seed):
        before, after = game.record(ply.before), game.record(ply.state)
        if after.deals > before.deals:
            more = rows(game, states, after.scores - before.scores)
            x.extend(more[0])
            y.extend(more[1])
            states = []
            if after.deals == deals:
                break
        else:
            states.append(ply.state)
    a, b = np.array(x), np.array(y)
    found, *_ = np.linalg.lstsq(a, b, rcond=None)
    explained = 1 - float(((b - a @ found) ** 2).sum() / (b**2).sum())
    return dict(zip(NAMES, found.tolist(), strict=True)), explained


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    weights = FIRST
    for number in range(options.rounds):
        weights, explained = play_and_fit(weights, options.deals, options.seed + number)
        weights = {name: round(value, 2) for name, value in weights.items()}
        print(f"round {number}: {weights}  explains {explained:.3f}", flush=True)


if __name__ == "__main__":
    main()
