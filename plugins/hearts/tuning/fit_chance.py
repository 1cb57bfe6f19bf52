"""The weights of `chance`: how uncertain a lead is, fitted to tournaments.

    python plugins/hearts/tuning/fit_chance.py --games 400 --seed 1

Four equal agents play tournaments with `paper`. A state after every trick gives the expected
totals of the four seats, and what can still happen: the points out in the deal and the points to
the limit. Greatest likelihood of who won then gives the three weights of the temperature. Log-loss
and calibration are told for tournaments that were not fitted.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from mpsearch_hearts.evaluators import expected_totals, totals
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.options import CHANCE_WEIGHTS, PAPER_WEIGHTS
from mpsearch_hearts.rules import penalty
from scipy.optimize import minimize

from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.match import play_match

AGENT = "maxn:depth={depth},worlds=4"


def tournament(game: Hearts, players: list[Any], seed: int) -> tuple[Any, Any, Any]:
    """Expected totals (N, 4), points out and to the limit (N, 2), shares of the win (4,)."""
    parameters = np.array([*totals(game), *PAPER_WEIGHTS.values()])
    found, left = [], []
    for ply in play_match(game, players, seed=seed):
        s = game.record(ply.state)
        if s.mover < 0 or s.count % 4:
            continue
        out = np.zeros(4)
        expected_totals(s, parameters, out)
        held = int(s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3])
        found.append(out)
        left.append([float(penalty(held)), max(float(s.limit) - out.max(), 0.0)])
    scores = game.record(ply.state).scores
    won = (scores == scores.min()).astype(float)
    return np.array(found), np.array(left), won / won.sum()


def chances(expected: Any, left: Any, weights: Any) -> Any:
    """The softmax of `chance`. Shape (N, 4)."""
    heat = weights[0] + left @ weights[1:]
    behind = expected - expected.min(axis=1, keepdims=True)
    odds = np.exp(-behind / np.sqrt(heat)[:, None])
    return odds / odds.sum(axis=1, keepdims=True)


def log_loss(games: list[tuple[Any, Any, Any]], weights: Any) -> float:
    """The mean surprise at who won, over states."""
    expected = np.concatenate([game[0] for game in games])
    left = np.concatenate([game[1] for game in games])
    won = np.concatenate([np.tile(game[2], (len(game[0]), 1)) for game in games])
    return float(-(won * np.log(chances(expected, left, weights))).sum(axis=1).mean())


def calibration(games: list[tuple[Any, Any, Any]], weights: Any) -> list[tuple[float, float, int]]:
    """Predicted and real share of wins by tenths of the prediction."""
    said = np.concatenate([chances(game[0], game[1], weights).ravel() for game in games])
    won = np.concatenate([np.tile(game[2], (len(game[0]), 1)).ravel() for game in games])
    bins = np.minimum((said * 10).astype(int), 9)
    kept = [bins == k for k in range(10)]
    return [(float(said[k].mean()), float(won[k].mean()), int(k.sum())) for k in kept if k.any()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    catalog = load_catalog()
    game = catalog.game("hearts", end="trick")
    assert isinstance(game, Hearts)
    text = AGENT.format(depth=asked.depth)
    players = [make_agent(catalog, "hearts", game, text) for _ in range(4)]
    played = [tournament(game, players, asked.seed + k) for k in range(asked.games)]
    train, test = played[: asked.games * 3 // 4], played[asked.games * 3 // 4 :]
    start = np.log(list(CHANCE_WEIGHTS.values()))
    best = minimize(lambda x: log_loss(train, np.exp(x)), start, method="Nelder-Mead")
    weights = np.exp(best.x)
    print({name: round(float(w), 2) for name, w in zip(CHANCE_WEIGHTS, weights, strict=True)})
    print(f"log-loss {log_loss(test, weights):.3f} of {len(test)} others; knowing nothing 1.386")
    for said, won, count in calibration(test, weights):
        print(f"said {said:.2f} won {won:.2f} ({count})")


if __name__ == "__main__":
    main()
