"""Outlook: the board as the rule-based players see it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.maps import WorldMap
from mpsearch_risk_lite.odds import survivors
from mpsearch_risk_lite.state import MOST_ARMIES, income

#: Dice favour the attacker in large battles: with so many free armies this ratio is enough.
#: Without this rule careful players would never attack each other's full territories.
MANY = 30
MANY_RATIO = 0.9


@attrs.frozen(kw_only=True)
class Campaign:
    """A campaign that a player considers."""

    #: Source first.
    path: tuple[int, ...]
    #: Armies expected to arrive.
    left: float
    #: The least ratio of free armies to defenders along the way.
    ratio: float

    @property
    def source(self) -> int:
        return self.path[0]

    @property
    def taken(self) -> tuple[int, ...]:
        return self.path[1:]


@attrs.frozen(kw_only=True, eq=False)
class Outlook:
    """The board and the mover's options."""

    me: int
    reach: int
    world: WorldMap
    owner: list[int]
    armies: list[int]
    #: By seat.
    troops: list[int]
    land: list[int]
    incomes: list[int]

    @classmethod
    def of(cls, game: RiskLite, view: Any) -> Outlook:
        s = game.record(view)
        n, seats = game.size, range(game.players)
        return cls(
            me=int(s.mover),
            reach=game.reach,
            world=game.world_map,
            owner=s.owner[:n].tolist(),
            armies=s.armies[:n].tolist(),
            troops=s.troops[: game.players].tolist(),
            land=s.land[: game.players].tolist(),
            incomes=[int(income(s, seat)) if s.land[seat] else 0 for seat in seats],
        )

    @property
    def own(self) -> list[int]:
        """The mover's territories."""
        return [t for t, owner in enumerate(self.owner) if owner == self.me]

    @property
    def rivals(self) -> list[int]:
        """The other seats still in the game."""
        return [q for q, land in enumerate(self.land) if land and q != self.me]

    def near(self, territory: int) -> tuple[int, ...]:
        """Neighbours of a territory."""
        return self.world.territories[territory].borders

    def foes(self, territory: int) -> list[int]:
        """Neighbours of a territory that are not the mover's."""
        return [t for t in self.near(territory) if self.owner[t] != self.me]

    def danger(self, territory: int) -> int:
        """Foreign armies next to a territory."""
        return sum(self.armies[t] for t in self.foes(territory))

    @functools.cached_property
    def fronts(self) -> list[int]:
        """The mover's territories with foreign neighbours; there is always one."""
        return [t for t in self.own if self.foes(t)]

    def force(self, source: int) -> int:
        """Free armies in a territory once all reinforcements are there."""
        return min(self.armies[source] + self.incomes[self.me], MOST_ARMIES) - 1

    def holder(self, continent: int) -> int | None:
        """The seat that holds a continent, if one does."""
        owners = {self.owner[t] for t in self.world.members(continent)}
        return owners.pop() if len(owners) == 1 else None

    def dominant(self) -> int | None:
        """A rival with half of all armies, income or territories, the strongest first."""
        for q in sorted(self.rivals, key=lambda q: -self.troops[q]):
            if any(
                2 * amount[q] >= sum(amount) for amount in (self.troops, self.incomes, self.land)
            ):
                return q
        return None

    def campaigns(
        self, allowed: Callable[[int], bool], *, ratio: float, source: int | None = None
    ) -> Iterator[Campaign]:
        """All campaigns through allowed territories whose every step is at `ratio` or better."""
        for start in self.fronts if source is None else [source]:
            free = float(self.force(start))
            yield from self._onward(
                Campaign(path=(start,), left=free, ratio=float("inf")), free, allowed, ratio
            )

    def _onward(
        self, campaign: Campaign, free: float, allowed: Callable[[int], bool], ratio: float
    ) -> Iterator[Campaign]:
        if len(campaign.taken) == min(self.reach, self.force(campaign.source)):
            return
        enough = ratio if free < MANY else min(ratio, MANY_RATIO)
        for t in self.foes(campaign.path[-1]):
            odds = free / self.armies[t]
            if t in campaign.path or odds < enough or free < 1 or not allowed(t):
                continue
            left = float(survivors(free, float(self.armies[t])))
            longer = Campaign(path=(*campaign.path, t), left=left, ratio=min(campaign.ratio, odds))
            yield longer
            yield from self._onward(longer, left - 1, allowed, ratio)
