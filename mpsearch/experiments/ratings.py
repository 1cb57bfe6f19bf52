"""Ratings: one number for the strength of each agent, from all games together."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from mpsearch.errors import MpsearchError
from mpsearch.experiments.analysis import ranks
from mpsearch.experiments.games import GameResult


@attrs.frozen(kw_only=True)
class Rating:
    """A role's strength as openskill's Plackett-Luce model has it: mean and deviation."""

    role: str
    mu: float
    sigma: float
    games: int


def rate(games: Iterable[GameResult]) -> list[Rating]:
    """The ratings after all games in their order, the strongest first.

    A role that has several seats in a game takes the mean of what they bring it.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise MpsearchError(
            "--ratings needs the package openskill: pip install 'mpsearch[ratings]'"
        ) from None
    model = PlackettLuce()
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
