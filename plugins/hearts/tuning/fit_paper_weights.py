"""How the weights of `paper` were found: least squares on the points that hands went on to take.

    python plugins/hearts/tuning/fit_paper_weights.py [--deals 250] [--rounds 2] [--seed 1]

`paper` says that seat i will take the share g(x_i) / sum of all g(x) of the points still in play,
    x_i = 26 / 4 + w . (features of hand i - mean features of all hands),
    g(x) = x + sqrt(x**2 + ROUNDING**2).
Deals are played by four equal agents with the weights of the round before; every state of every
deal gives four rows, and Gauss-Newton finds the w that fits what the seats did take best. The
last round's weights, rounded to two digits, are those in use. Their strength is measured
elsewhere, with other seeds (`mpsearch tournament`).
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from mpsearch_hearts.cards import DEAL_POINTS
from mpsearch_hearts.evaluators import ROUNDING, danger
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.options import PAPER_WEIGHTS
from mpsearch_hearts.rules import deal_points, penalty

from mpsearch import load_catalog
from mpsearch.agents import make_agent
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


class Rows:
    """What is known of every state: features, points left, points that came. Shapes below."""

    def __init__(self) -> None:
        #: Shape (N, 4, F): features less their mean over the seats.
        self.features: list[Any] = []
        #: Shape (N,).
        self.left: list[int] = []
        #: Shape (N, 4).
        self.came: list[Any] = []

    def add_deal(self, game: Any, states: list[bytes], final: Any) -> None:
        """All states of a deal; `final` are the points each seat took in it."""
        for state in states:
            s = game.record(state)
            hands = [int(hand) for hand in s.hands]
            held = hands[0] | hands[1] | hands[2] | hands[3]
            table = np.array([features(hand, held & ~hand) for hand in hands])
            self.features.append(table - table.mean(axis=0))
            self.left.append(int(penalty(held)))
            self.came.append([final[seat] - deal_points(s, seat) for seat in range(4)])

    def errors(self, weights: Any) -> Any:
        """Points predicted less points that came. Shape (4 N,)."""
        x = DEAL_POINTS / 4 + np.array(self.features) @ weights
        share = x + np.sqrt(x * x + ROUNDING**2)
        share /= share.sum(axis=1, keepdims=True)
        return (np.array(self.left)[:, None] * share - np.array(self.came)).ravel()

    def fit(self, weights: Any, *, steps: int = 12) -> Any:
        """Gauss-Newton from `weights`, with half steps where a full one does not help."""
        for _ in range(steps):
            now = self.errors(weights)
            nudges = 1e-4 * np.eye(len(weights))
            slope = np.stack([(self.errors(weights + n) - now) / 1e-4 for n in nudges], axis=1)
            step, *_ = np.linalg.lstsq(slope, -now, rcond=None)
            while np.sum(self.errors(weights + step) ** 2) > np.sum(now**2):
                step = step / 2
                if np.abs(step).max() < 1e-6:
                    return weights
            weights = weights + step
        return weights


Weights = dict[str, float]


def play_and_fit(weights: Weights, deals: int, seed: int) -> tuple[Weights, float]:
    """The weights that fit deals played with `weights`, and the share of variance explained."""
    catalog = load_catalog()
    game = catalog.game("hearts", limit=10_000)
    assert isinstance(game, Hearts)
    settings = "".join(f",{name}={value}" for name, value in weights.items())
    players = [make_agent(catalog, "hearts", game, AGENT + settings) for _ in range(4)]
    rows = Rows()
    states: list[bytes] = []
    for ply in play_match(game, players, seed=seed):
        before, after = game.record(ply.before), game.record(ply.state)
        if after.deals == before.deals:
            states.append(ply.state)
            continue
        rows.add_deal(game, states, after.scores - before.scores)
        states = []
        if after.deals == deals:
            break
    found = rows.fit(np.array(list(weights.values())))
    nothing = rows.errors(np.zeros(len(NAMES)))
    explained = 1 - float((rows.errors(found) ** 2).sum() / (nothing**2).sum())
    return dict(zip(NAMES, found.tolist(), strict=True)), explained


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    weights = FIRST
    for number in range(options.rounds):
        weights, explained = play_and_fit(weights, options.deals, options.seed + number)
        weights = {name: round(value, 2) for name, value in weights.items()}
        print(f"round {number}: {weights}  explains {explained:.3f}", flush=True)


if __name__ == "__main__":
    main()
