"""Ratings: the strength of each agent from all games together."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from mpsearch._util import optional_import
from mpsearch.experiments.analysis import ranks
from mpsearch.experiments.games import GameResult


@attrs.frozen(kw_only=True)
class Rating:
    """A role's strength in openskill's Plackett-Luce model: mean and standard deviation."""

    role: str
    mu: float
    sigma: float
    games: int


def rate(games: Iterable[GameResult]) -> list[Rating]:
    """The ratings after all games in order, strongest first.

    A role with several seats in a game takes the mean of their new ratings.
    """
    model = optional_import("openskill.models", by="--ratings", extra="ratings").PlackettLuce()
    fresh = model.rating()
    known: dict[str, tuple[float, float, int]] = {}
    for played in games:
        before = [known.get(role, (fresh.mu, fresh.sigma, 0)) for role in played.roles]
        teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma, _ in before]
        after = model.rate(teams, ranks=ranks(played.payoff).tolist())
        for role in dict.fromkeys(played.roles):
            own = [after[seat][0] for seat in played.seats(role)]
            count = before[played.seats(role)[0]][2]
            known[role] = (
                sum(rating.mu for rating in own) / len(own),
                sum(rating.sigma for rating in own) / len(own),
                count + 1,
            )
    found = [
        Rating(role=role, mu=mu, sigma=sigma, games=count)
        for role, (mu, sigma, count) in known.items()
    ]
    return sorted(found, key=lambda rating: -rating.mu)
