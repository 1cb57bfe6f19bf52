"""A small learner against MaxN: how its win share grows in a minute.

    python plugins/pettingzoo/examples/learn.py --seconds 60 --plot curve.png

A softmax policy, linear in what it observes, learns by the policy gradient (REINFORCE) with the
mean result as its baseline, in seat 0 of `scramble`; the others are `maxn:depth=1`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from mpsearch_pettingzoo import env

#: Games over which a point of the curve is a mean.
WINDOW = 100


class Learner:
    """Chances of actions from one layer of weights, with what is not legal left out."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator, rate: float) -> None:
        self.weights = np.zeros((actions, inputs + 1))
        self.rng, self.rate = rng, rate
        self.mean, self.square, self.seen = np.zeros(inputs), np.ones(inputs), 1

    def act(self, entry: dict[str, Any]) -> tuple[int, Any]:
        """An action, and the direction in which it becomes more likely."""
        raw = entry["observation"].astype(np.float64)
        self.seen += 1
        self.mean += (raw - self.mean) / self.seen
        self.square += ((raw - self.mean) ** 2 - self.square) / self.seen
        inputs = np.append((raw - self.mean) / np.sqrt(self.square + 1e-6), 1.0).clip(-3, 3)
        wish = self.weights @ inputs
        wish[entry["action_mask"] == 0] = -np.inf
        chances = np.exp(wish - wish.max())
        chances /= chances.sum()
        action = int(self.rng.choice(len(chances), p=chances))
        return action, np.outer((np.arange(len(chances)) == action) - chances, inputs)

    def learn(self, directions: list[Any], advantage: float) -> None:
        self.weights += self.rate * advantage * np.sum(directions, axis=0)


def play(made: Any, learner: Learner, seed: int) -> tuple[list[Any], float]:
    made.reset(seed=seed)
    directions, reward = [], 0.0
    for _ in made.agent_iter():
        seen, reward, over, cut, _ = made.last()
        if over or cut:
            made.step(None)
            continue
        action, direction = learner.act(seen)
        directions.append(direction)
        made.step(action)
    return directions, float(reward)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--plot")
    given = parser.parse_args()
    made = env("scramble", players=3, opponents={1: "maxn:depth=1", 2: "maxn:depth=1"})
    space = made.observation_space("seat_0")["observation"]
    learner = Learner(
        space.shape[0], made.action_space("seat_0").n, np.random.default_rng(0), rate=0.02
    )
    won, baseline, end = [], 1 / 3, time.monotonic() + given.seconds
    while time.monotonic() < end:
        directions, reward = play(made, learner, seed=len(won))
        won.append(float(reward > 0))
        learner.learn(directions, won[-1] - baseline)
        baseline += (won[-1] - baseline) / WINDOW
        if len(won) % WINDOW == 0:
            print(f"{len(won)} games: {np.mean(won[-WINDOW:]):.2f} of the last {WINDOW} won")
    if given.plot and len(won) >= WINDOW:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6, 3.5), layout="constrained")
        axes = figure.subplots()
        shares = np.convolve(won, np.ones(WINDOW) / WINDOW, mode="valid")
        axes.plot(np.arange(WINDOW, len(won) + 1), shares)
        axes.axhline(1 / 3, color="grey", linewidth=0.8)
        axes.set(xlabel="games", ylabel=f"share of the last {WINDOW} won", ylim=(0, 1.02))
        figure.savefig(given.plot)


if __name__ == "__main__":
    main()
