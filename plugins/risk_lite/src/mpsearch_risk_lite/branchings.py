"""Branchings: the campaigns worth searching, by what they promise.

A campaign's bid is the value of what it takes times the chance of taking all of it. For each
goal the best campaign stands; the best bids of all goals are searched. Staying put is a goal
too: its bid is what the safest use of the reinforcements protects.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import CompiledBranching, compiled
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.maps import MOST_TERRITORIES
from mpsearch_risk_lite.odds import conquest, survivors
from mpsearch_risk_lite.options import MOST_REACH
from mpsearch_risk_lite.state import MOST_ARMIES, extended, income

#: A path is not followed beyond the step at which it has become this unlikely.
_HOPELESS = 0.05
#: Fields of `parameters`.
_MOST, _REACH = 0, 1


@compiled
def worth(s: Any, territory: int) -> Any:
    """What taking a territory is worth to the mover, in territories."""
    me = s.mover
    owner = s.owner[territory]
    c = s.continent[territory]
    bonus = float(s.bonus[c])
    part = (s.held[me, c] + 1.0) / s.members[c]
    value = 1.0 + bonus * part * part
    if s.held[me, c] + 1 == s.members[c]:
        value += bonus
    if s.held[owner, c] == s.members[c]:
        value += 1.5 * bonus
    if s.land[owner] <= 2:
        value += 3.0
    return value


@compiled
def exposure(s: Any, territory: int) -> float:
    """The chance that the strongest neighbour could take an own territory, roughly."""
    most = 0
    for i in range(s.near_from[territory], s.near_from[territory + 1]):
        other = s.near[i]
        if s.owner[other] != s.owner[territory]:
            most = max(most, int(s.armies[other]))
    return conquest(float(most + 2), float(s.armies[territory])) if most > 0 else 0.0


@compiled
def hold_bid(s: Any, territory: int, fresh: int) -> Any:
    """What reinforcing a territory, and no attack, saves."""
    c = s.continent[territory]
    value = 1.0 + float(s.bonus[c]) * s.held[s.mover, c] / s.members[c]
    before = exposure(s, territory)
    kept = s.armies[territory]
    s.armies[territory] = min(kept + fresh, MOST_ARMIES)
    after = exposure(s, territory)
    s.armies[territory] = kept
    return value * max(before - after, 0.0)


@compiled
def bid_for_goals(s: Any, reach: int, best: Any, bid: Any) -> None:
    """The best campaign for each goal, and its bid; below zero where there is none.

    Own territories are goals too: to hold them.
    """
    me = s.mover
    fresh = income(s, me)
    for goal in range(s.territories):
        bid[goal] = -1.0
    # One entry per step of the path that is being followed.
    at = np.empty(MOST_REACH + 1, np.int64)
    cursor = np.empty(MOST_REACH + 1, np.int64)
    code = np.empty(MOST_REACH + 1, np.int64)
    sure = np.empty(MOST_REACH + 1)
    free = np.empty(MOST_REACH + 1)
    gain = np.empty(MOST_REACH + 1)
    for source in range(s.territories):
        if s.owner[source] != me:
            continue
        best[source] = source
        bid[source] = hold_bid(s, source, fresh)
        at[0] = source
        cursor[0] = s.near_from[source]
        code[0] = source
        sure[0] = 1.0
        free[0] = min(s.armies[source] + fresh, MOST_ARMIES) - 1.0
        gain[0] = 0.0
        longest = min(reach, int(free[0]))
        step = 0
        while step >= 0:
            if step == longest or cursor[step] == s.near_from[at[step] + 1]:
                step -= 1
                continue
            goal = int(s.near[cursor[step]])
            cursor[step] += 1
            if s.owner[goal] == me:
                continue
            again = False
            for k in range(1, step + 1):
                again = again or at[k] == goal
            if again:
                continue
            chance = sure[step] * conquest(free[step], float(s.armies[goal]))
            value = gain[step] + worth(s, goal)
            campaign = extended(code[step], goal)
            if chance * value > bid[goal]:
                bid[goal] = chance * value
                best[goal] = campaign
            if chance > _HOPELESS and step + 1 < longest:
                left = survivors(free[step], float(s.armies[goal]))
                step += 1
                at[step] = goal
                cursor[step] = s.near_from[goal]
                code[step] = campaign
                sure[step] = chance
                free[step] = left - 1.0
                gain[step] = value


@compiled
def bids(s: Any, parameters: Any, out: Any) -> int:
    """The campaigns of the highest bids, highest first; of equal ones the lower goal."""
    best = np.empty(MOST_TERRITORIES, np.int64)
    bid = np.empty(MOST_TERRITORIES)
    bid_for_goals(s, min(int(parameters[_REACH]), s.reach), best, bid)
    most = int(parameters[_MOST])
    count = 0
    while count < most:
        first = -1
        for goal in range(s.territories):
            if bid[goal] >= 0.0 and (first < 0 or bid[goal] > bid[first]):
                first = goal
        if first < 0:
            break
        out[count] = best[first]
        bid[first] = -1.0
        count += 1
    return count


def make_bids(game: RiskLite, *, k: int) -> CompiledBranching:
    return CompiledBranching(game, bids, parameters=[k, MOST_REACH])


def make_bids_all(game: RiskLite) -> CompiledBranching:
    return CompiledBranching(game, bids, parameters=[MOST_TERRITORIES, MOST_REACH])


def make_border(game: RiskLite) -> CompiledBranching:
    return CompiledBranching(game, bids, parameters=[MOST_TERRITORIES, 1])
