"""How SPREAD of the learned evaluator was found: the most likely numbers for who won tournaments.

    python plugins/hearts/tuning/fit_spread.py [--tournaments 400] [--seed 1]

The evaluator says that seat i wins with a chance in proportion to
    exp(-t_i / sqrt(a + b * (points to the limit) + c * (points to come in this deal))),
with t_i its score and the points that it is expected to take in this deal. Tournaments under
standard rules are played by four equal agents; Nelder and Mead's method finds a, b and c.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from mpsearch_hearts.cards import DEAL_POINTS, SEATS
from mpsearch_hearts.learned import SPREAD, put_deal
from mpsearch_hearts.rules import penalty
from scipy.optimize import minimize

import mpsearch
from mpsearch.gamekit import shares
from mpsearch.match import play_match

AGENT = "maxn:depth=1,worlds=1,evaluator=paper"
#: States of a tournament that are looked at.
STATES = 60


def seen(game: Any, state: bytes, parameters: Any) -> list[float]:
    """Expected totals of the seats less a constant, points to the limit and points to come."""
    s = game.record(state)
    deal = np.zeros(SEATS)
    to_come = 0
    if s.mover >= 0:
        put_deal.on(game.records(state), parameters, deal)
        to_come = int(penalty(int(s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3])))
    totals = deal + s.scores
    left = s.limit - totals.max() - (DEAL_POINTS / SEATS if s.mover >= 0 else 0)
    return [*totals.tolist(), max(float(left), 0.0), to_come]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    table = mpsearch.table("hearts", preset="standard")
    parameters = table.space("learned").evaluator.parameters[: -len(SPREAD)]  # type: ignore[attr-defined]
    rng = np.random.default_rng(chosen.seed)
    rows, won = [], []
    for number in range(chosen.tournaments):
        plies = list(play_match(table.game, [table.agent(AGENT)] * SEATS, seed=number))
        got = shares(table.game.payoff(plies[-1].state))
        for k in rng.integers(len(plies), size=STATES):
            rows.append(seen(table.game, plies[k].before, parameters))
            won.append(got)
    data, target = np.array(rows), np.array(won)

    def loss(spread: Any) -> float:
        a, b, c = np.exp(spread)
        variance = a + b * data[:, 4] + c * data[:, 5]
        logits = -data[:, :4] / np.sqrt(variance)[:, None]
        logits -= logits.max(axis=1, keepdims=True)
        said = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return float(-(target * said).sum(axis=1).mean())

    found = minimize(loss, np.log(SPREAD), method="Nelder-Mead")
    print("SPREAD", np.exp(found.x).round(2).tolist(), "loss", loss(np.log(SPREAD)), found.fun)


if __name__ == "__main__":
    main()
