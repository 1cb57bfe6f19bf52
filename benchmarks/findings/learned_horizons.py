"""How often `likelihood` finds out how far each opponent looks.

    cd benchmarks/findings
    python learned_horizons.py --games 100 --csv ../../docs/results/learned-horizons.csv

One learner against three selfish players of Quoridor that look one, two and three plies ahead, in
all seats in turn. At each of the learner's moves: the horizon it takes each opponent to have, by
how many choices of that opponent it has seen; `low` and `high` are of the share that is right,
where a game is one draw.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from pathlib import Path

import mpsearch
from mpsearch.builtin.opponent_models.likelihood import OFFER, Likelihood
from mpsearch.contracts import Beliefs, OpponentModelOffer
from mpsearch.experiments import clustered_share, csv_bytes

SEED = 2470
SETTINGS = "evaluator=margin,branching=near"
LEARNER = f"maxn:model=watched,farthest=3,depth=3,search=horizon,{SETTINGS}"
OPPONENTS = {
    1: f"oriented:row=1:0:0:0,{SETTINGS}",
    2: f"maxn:depth=2,{SETTINGS}",
    3: f"maxn:depth=3,{SETTINGS}",
}
#: Choices seen: from this number on, up to the next.
SEEN = (1, 4, 8, 16)

told: list[list[tuple[int, int]]] = []


class Watched(Likelihood):
    """Notes each seat's choices seen and horizon."""

    def horizons(self, beliefs: Beliefs) -> tuple[int, ...] | None:
        found = super().horizons(beliefs)
        assert found is not None
        told.append([(cloud.seen, far) for cloud, far in zip(beliefs[1], found, strict=True)])
        return found


@mpsearch.hookimpl
def mpsearch_opponent_models() -> list[OpponentModelOffer]:
    """The learner's model."""
    return [OpponentModelOffer(name="watched", summary="", make=Watched, options=OFFER.options)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--csv", type=Path, required=True)
    asked = parser.parse_args()
    mpsearch.add_plugin()
    games = [found(number) for number in range(asked.games)]
    rows = []
    for true, seen in itertools.product(OPPONENTS, SEEN):
        moves = [sum(game[true, seen, far] for far in OPPONENTS) for game in games]
        share = {
            far: clustered_share([game[true, seen, far] for game in games], moves)
            for far in OPPONENTS
        }
        rows.append(
            {
                "looks": true,
                "choices": seen,
                **{f"taken_{far}": round(share[far].mean, 4) for far in OPPONENTS},
                "low": round(share[true].low, 4),
                "high": round(share[true].high, 4),
                "moves": sum(moves),
                "games": len(games),
                "seed": SEED,
            }
        )
    asked.csv.write_bytes(csv_bytes(rows))


def found(number: int) -> Counter[tuple[int, int, int]]:
    """One game: how often a horizon, after so many choices, was taken for which."""
    horizons = [0, 1, 2, 3]
    horizons = horizons[number % 4 :] + horizons[: number % 4]
    told.clear()
    agents = [OPPONENTS.get(horizon, LEARNER) for horizon in horizons]
    mpsearch.play("quoridor", *agents, players=4, seed=SEED + number)
    counts: Counter[tuple[int, int, int]] = Counter()
    for row in told:
        for true, (seen, far) in zip(horizons, row, strict=True):
            if true and seen:
                counts[true, max(s for s in SEEN if s <= seen), far or 3] += 1
    return counts


if __name__ == "__main__":
    main()
