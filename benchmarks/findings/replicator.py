"""The game of stances: payoffs by mixture, and what population of stances is stable.

    mpsearch experiment run benchmarks/findings/stances-scramble.toml
    python benchmarks/findings/replicator.py benchmarks/findings/stances-scramble.db --csv out.csv

A store of all mixtures of some roles at a table gives each role's share of wins per seat, by who
else sits there. In a large population with shares x whose members meet at random, a role's fitness
is its mean payoff over the company it meets; the replicator dynamics let what does better than the
mean grow. From many starts they end in the stable populations. A role *invades* another if one of
it, alone among the other's, wins more than its equal share.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from mpsearch.contracts import Array
from mpsearch.experiments import Store, played_games, stored_design
from mpsearch.plugins import installed

#: Who sits at a table, in the order of the roles' names.
Company = tuple[str, ...]
Payoffs = Mapping[tuple[str, Company], float]


def payoffs(store: Store) -> tuple[dict[tuple[str, Company], float], dict[Company, int]]:
    """Share of wins per seat of a role, by the company of the others; and games by table."""
    design = stored_design(store, installed())
    won: dict[tuple[str, Company], float] = defaultdict(float)
    seats: dict[tuple[str, Company], int] = defaultdict(int)
    games: dict[Company, int] = defaultdict(int)
    for played in played_games(store, design):
        games[tuple(sorted(played.roles))] += 1
        for seat, (role, share) in enumerate(zip(played.roles, played.shares(), strict=True)):
            others = tuple(sorted(r for k, r in enumerate(played.roles) if k != seat))
            won[role, others] += share
            seats[role, others] += 1
    return {key: won[key] / seats[key] for key in seats}, dict(games)


def fitness(found: Payoffs, roles: Sequence[str], players: int) -> Callable[[Array], Array]:
    """Each role's mean payoff by the population that the other seats are drawn from. Shape (R,)."""
    companies = list(itertools.combinations_with_replacement(range(len(roles)), players - 1))
    ways = np.array(
        [
            math.factorial(players - 1) / math.prod(map(math.factorial, Counter(others).values()))
            for others in companies
        ]
    )
    payoff = np.array(
        [[found[role, tuple(sorted(roles[k] for k in o))] for o in companies] for role in roles]
    )
    seated = np.array(companies)

    def mean(x: Array) -> Array:
        result: Array = payoff @ (ways * x[seated].prod(axis=1))
        return result

    return mean


def rest_point(
    found: Payoffs,
    roles: Sequence[str],
    start: Array,
    players: int,
    *,
    pace: float = 1.0,
    steps: int = 200_000,
) -> Array:
    """Where the replicator dynamics come to rest from a population. Shape (R,)."""
    x: Array = start / start.sum()
    gains = fitness(found, roles, players)
    for _ in range(steps):
        gain = gains(x)
        change = pace * x * (gain - x @ gain)
        x = np.clip(x + change, 0.0, None)
        x /= x.sum()
        if np.abs(change).max() < 1e-9:
            break
    return x


def redrawn(
    found: Payoffs, games: Mapping[Company, int], rng: np.random.Generator
) -> dict[tuple[str, Company], float]:
    """Payoffs as another run of as many games might have them: each game's winner drawn anew."""
    drawn = {}
    for table, count in games.items():
        seats = Counter(table)
        others = {
            role: tuple(sorted((Counter(table) - Counter([role])).elements())) for role in seats
        }
        shares = [seats[role] * found[role, others[role]] for role in seats]
        # Whoever is left over won none of the games.
        nobody = max(1.0 - sum(shares), 0.0)
        total = np.array([*shares, nobody])
        wins = rng.multinomial(count, total / total.sum())
        for role, won in zip(seats, wins, strict=False):
            drawn[role, others[role]] = won / count / seats[role]
    return drawn


def redrawn_ends(
    found: Payoffs, games: Mapping[Company, int], roles: Sequence[str], *, draws: int, seed: int
) -> Array:
    """Where an even population comes to rest, for many redraws of the games. Shape (draws, R)."""
    rng, players = np.random.default_rng(seed), len(next(iter(games)))
    start = np.ones(len(roles))
    return np.array(
        [
            rest_point(redrawn(found, games, rng), roles, start, players, pace=5.0, steps=20_000)
            for _ in range(draws)
        ]
    )


def stable(
    found: Payoffs, roles: Sequence[str], players: int, *, starts: int, seed: int
) -> Counter[tuple[float, ...]]:
    """The populations that are reached from starts drawn uniformly, and how often."""
    rng = np.random.default_rng(seed)
    reached: Counter[tuple[float, ...]] = Counter()
    for _ in range(starts):
        start = rng.dirichlet(np.ones(len(roles)))
        end = rest_point(found, roles, start, players, pace=5.0)
        reached[tuple(np.round(end, 2).tolist())] += 1
    return reached


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--csv", type=Path)
    asked = parser.parse_args()
    with Store(asked.store, read_only=True) as store:
        found, games = payoffs(store)
    roles = sorted({role for role, _ in found})
    players = len(next(iter(games)))
    print(f"{sum(games.values())} games of {len(games)} mixtures; equal share {1 / players:.3f}")
    print("one of the row among the column's, share of wins")
    print(" ".join(["".ljust(12), *(role.ljust(10) for role in roles)]))
    for role in roles:
        alone = [found.get((role, (other,) * (players - 1)), math.nan) for other in roles]
        print(" ".join([role.ljust(12), *(f"{share:.3f}".ljust(10) for share in alone)]))
    wanted = itertools.combinations_with_replacement(roles, players)
    if set(map(tuple, map(sorted, wanted))) - set(games):
        print("some mixtures have not been played: no dynamics yet")
        return
    for end, count in stable(
        found, roles, players, starts=asked.starts, seed=asked.seed
    ).most_common():
        told = ", ".join(f"{role} {x:.2f}" for role, x in zip(roles, end, strict=True) if x > 0)
        print(f"{count} of {asked.starts} starts end at {told}")
    if asked.csv is not None:
        with asked.csv.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["role", "others", "share", "games"])
            for (role, others), share in sorted(found.items()):
                table = tuple(sorted((role, *others)))
                rows.writerow([role, " ".join(others), f"{share:.4f}", games[table]])


if __name__ == "__main__":
    main()
