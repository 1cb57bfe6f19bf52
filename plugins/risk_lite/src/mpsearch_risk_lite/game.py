"""RiskLite: the game around the compiled rules."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import CompiledGame
from mpsearch.errors import MoveError, UsageError
from mpsearch.gamekit import drawn, native_luck
from mpsearch_risk_lite import picture, roll, svg
from mpsearch_risk_lite.dice import defence
from mpsearch_risk_lite.learned import FEATURES
from mpsearch_risk_lite.maps import load_map
from mpsearch_risk_lite.rules import RULES
from mpsearch_risk_lite.state import (
    BATTLE,
    CAMPAIGN,
    DEAL,
    LIKELIEST,
    MOST_ARMIES,
    MOST_MOVES,
    NOBODY,
    income,
    path_of,
    source_of,
)
from mpsearch_risk_lite.text import Deal, read_move, write_move

#: The map size of the table of initial troops, which is scaled for other maps.
_TABLE_SIZE = 42
#: Initial troops by number of players.
TROOPS = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
#: Outcomes of a campaign per group: two for arriving and two for stalling.
OUTCOMES_PER_GROUP = 4


class RiskLite(CompiledGame):
    """Risk-lite on a map, `map` being the name of a built-in one or of a TOML file."""

    rules = RULES
    features = FEATURES

    def __init__(
        self,
        *,
        players: int,
        map: str,
        rounds: int,
        reach: int,
        outcomes: int,
        bonus: int = 1,
        lead: int = 0,
        leader: int = 0,
    ) -> None:
        if leader >= players:
            raise UsageError(f"risk_lite: leader={leader}: seats are 0 to {players - 1}")
        self.players = players
        self.world_map = load_map(map).with_bonuses(bonus)
        self.rounds = rounds
        self.reach = reach
        self.groups = LIKELIEST if outcomes == 1 else outcomes // OUTCOMES_PER_GROUP
        self.size = len(self.world_map.territories)
        if self.size < players:
            raise UsageError(f"map {map}: {self.size} territories; {players} players need one each")
        paths = self.world_map.paths(reach)
        if paths > MOST_MOVES:
            raise UsageError(
                f"map {map}: {paths} paths of up to {reach} steps; there may be {MOST_MOVES} "
                "at most: give it fewer borders, or the game a smaller reach"
            )
        even = max(round(TROOPS[players] * self.size / _TABLE_SIZE), -(-self.size // players) + 1)
        #: The armies that each seat is dealt.
        self.troops = tuple(even + lead * (seat == leader) for seat in range(players))

    def setup(self, s: Any) -> None:
        lands = self.world_map.territories
        s.players = self.players
        s.round_limit = self.rounds
        s.reach = self.reach
        s.groups = self.groups
        s.territories = self.size
        s.owner[:] = NOBODY
        s.near_from[1 : self.size + 1] = np.cumsum([len(land.borders) for land in lands])
        s.near_from[self.size + 1 :] = s.near_from[self.size]
        borders = [border for land in lands for border in land.borders]
        s.near[: len(borders)] = borders
        s.continent[: self.size] = [land.continent for land in lands]
        s.continents = len(self.world_map.continents)
        for number, continent in enumerate(self.world_map.continents):
            s.bonus[number] = continent.bonus
            s.members[number] = len(self.world_map.members(number))

    def play(self, state: Any, move: Any) -> Any:
        records = self.records(state)
        if records["phase"][0] != DEAL:
            return super().play(state, move)
        self._deal(records[0], move)
        return records.tobytes()

    def _deal(self, s: Any, deal: Deal) -> None:
        if len(deal) != self.size or any(
            owner >= self.players or not 0 < armies <= MOST_ARMIES for owner, armies in deal
        ):
            raise MoveError(f"the deal is not one for {self.players} players on this map")
        for territory, (owner, armies) in enumerate(deal):
            s.owner[territory] = owner
            s.armies[territory] = armies
            s.land[owner] += 1
            s.troops[owner] += armies
            s.held[owner, s.continent[territory]] += 1
        s.phase = CAMPAIGN

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        """A deal, or a campaign fought out with real dice."""
        records = self.records(state)
        s = records[0]
        if s.phase == DEAL:
            return roll.deal(self.size, self.troops, rng)
        if native_luck(rng):
            out = np.empty(1, np.int64)
            drawn(rng, roll.draw, records, out)
            return int(out[0])
        path = path_of(int(s.campaign))
        return roll.campaign([int(s.armies[t]) for t in path], rng)

    def possible(self, state: Any, outcome: Any) -> bool:
        if self.record(state).phase != DEAL:
            return super().possible(state, outcome)
        return isinstance(outcome, tuple) and roll.can_be_dealt(outcome, self.size, self.troops)

    def write(self, move: int | Deal) -> str:
        return write_move(self.world_map, move)

    def parts(self, move: int | Deal) -> tuple[str, ...]:
        """The territories of a campaign, one after the other."""
        return tuple(self.write(move).split(">"))

    def remark(self, state: Any, move: int | Deal) -> str:
        """The armies in a campaign, its probability of success, and its outcome."""
        s = self.record(state)
        if s.phase != BATTLE:
            return ""
        [told] = picture.last_campaign(self.world_map, self.record(self.play(state, move)))
        names, _, end = told.removeprefix("last campaign: ").rpartition(": ")
        free, against = int(s.armies[source_of(s.campaign)]) - 1, int(defence(s, s.campaign))
        return f"{names}: {free} against {against}, {self._odds(state):.0%} to arrive; {end}"

    def _odds(self, state: Any) -> float:
        """The probability that the current campaign succeeds."""
        return sum(chance for outcome, chance in self.chance(state) if outcome > 0)

    def stage(self, view: Any) -> str:
        s = self.record(view)
        return "" if s.phase == DEAL else f"round {int(s.rounds_played) + 1}"

    def read(self, text: str) -> int | Deal:
        return read_move(self.world_map, text)

    def objection(self, state: Any, move: Any) -> str:
        s = self.record(state)
        if isinstance(move, tuple) or not 0 <= move < 1 << 40:
            return "it is an outcome of chance, not a campaign"
        path = path_of(move)
        names = [self.world_map.territories[t].name for t in path]
        if s.owner[path[0]] != s.mover:
            return f"{names[0]} is not its own"
        if len(path) - 1 > self.reach:
            return f"a campaign has {self.reach} steps at most"
        for here, there in itertools.pairwise(path):
            if there not in self.world_map.territories[here].borders:
                lands = self.world_map.territories
                return f"{lands[here].name} does not border on {lands[there].name}"
        for name, territory in zip(names[1:], path[1:], strict=True):
            if s.owner[territory] == s.mover:
                return f"{name} is its own already"
            if path.count(territory) > 1:
                return f"{name} is attacked twice"
        free = int(s.armies[path[0]]) + income(s, s.mover) - 1
        return f"{len(path) - 1} steps need as many free armies and {names[0]} has {free}"

    def picture(self, view: Any, *, colour: bool = False) -> str:
        return picture.draw(self.world_map, self.record(view), colour=colour)

    def svg(self, view: Any, *, moves: Sequence[int] = ()) -> str:
        s = self.record(view)
        odds = self._odds(view) if s.phase == BATTLE else None
        return svg.draw(self.world_map, s, moves=moves, odds=odds)
