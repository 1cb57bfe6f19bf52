"""Coverage of 95 % intervals with few games and rare, clustered shares.

    python benchmarks/intervals.py --runs 2000

A game has 20 to 59 states and a share of its own, drawn from a beta distribution around the truth;
`alike` is the sum of its parameters: at 0.5 the states of a game are nearly all alike, at 1000
nearly independent. Means are of games that differ by as much as their entries.
"""

from __future__ import annotations

import argparse

import numpy as np

from mpsearch.experiments import clustered_mean, clustered_share

GAMES = (2, 3, 5, 10, 20, 100)


def share_coverage(truth: float, alike: float, games: int, runs: int) -> tuple[float, float]:
    """The share of intervals that hold the truth, and their mean width."""
    rng = np.random.default_rng(5)
    held, width = 0, 0.0
    for _ in range(runs):
        counts = rng.integers(20, 60, games)
        hits = rng.binomial(counts, rng.beta(alike * truth, alike * (1 - truth), games))
        found = clustered_share(hits.tolist(), counts.tolist())
        held += found.low <= truth <= found.high
        width += found.high - found.low
    return held / runs, width / runs


def mean_coverage(games: int, runs: int) -> float:
    """The share of intervals that hold the truth."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(runs):
        counts = rng.integers(20, 60, games)
        sums = counts * rng.normal(5.0, 1.0, games) + rng.normal(0.0, 1.0, games) * counts**0.5
        found = clustered_mean(sums.tolist(), counts.tolist())
        held += found.low <= 5.0 <= found.high
    return held / runs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    print(f"| | {' | '.join(f'{games} games' for games in GAMES)} |")
    print(f"|---|{'---|' * len(GAMES)}")
    means = " | ".join(f"{mean_coverage(games, runs):.3f}" for games in GAMES)
    print(f"| mean | {means} |")
    for truth in (0.02, 0.1, 0.3):
        for alike in (0.5, 4.0, 1000.0):
            cells = [share_coverage(truth, alike, games, runs) for games in GAMES]
            shown = " | ".join(f"{held:.3f} ({width:.2f})" for held, width in cells)
            print(f"| share {truth}, alike {alike:g} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
