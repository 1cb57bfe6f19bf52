"""Branchings: the campaigns worth searching, by expected gain.

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

#: A path is cut at the step where its probability falls below this.
_HOPELESS = 0.05
#: Fields of `parameters`.
_MOST, _REACH = 0, 1


@compiled
def worth(s: Any, territory: int) -> Any:
    """The value of conquering a territory to the mover, in territories."""
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
def hold_bid(s: Any, territory: int, fresh: int) -> Any:
    """What reinforcing a territory without an attack saves.

    How exposed it is: the chance that the strongest neighbour could take it, roughly.
    """
    most = 0
    for i in range(s.near_from[territory], s.near_from[territory + 1]):
        other = s.near[i]
        if s.owner[other] != s.owner[territory]:
            most = max(most, int(s.armies[other]))
    if most == 0:
        return 0.0
    c = s.continent[territory]
    value = 1.0 + float(s.bonus[c]) * s.held[s.mover, c] / s.members[c]
    armies = int(s.armies[territory])
    before = conquest(float(most + 2), float(armies))
    after = conquest(float(most + 2), float(min(armies + fresh, MOST_ARMIES)))
    return value * max(before - after, 0.0)


@compiled
def bid_for_goals(s: Any, reach: int, best: Any, bid: Any) -> None:
    """The best campaign for each goal and its bid; negative if there is none.

    Own territories are goals too: to hold them.
    """
    me = s.mover
    fresh = income(s, me)
    # Paths cross a territory many times, so its value is computed once.
    prize = np.zeros(MOST_TERRITORIES)
    own = 0
    for goal in range(s.territories):
        bid[goal] = -1.0
        if s.owner[goal] == me:
            own |= 1 << goal
        else:
            prize[goal] = worth(s, goal)
    # One entry per step of the path that is being followed: the next neighbour and the last, the
    # campaign so far and where it cannot go; its chance, the armies left, what it has taken.
    following, last, code, barred = np.empty((4, MOST_REACH), np.int64)
    sure, free, gain = np.empty((3, MOST_REACH))
    for source in range(s.territories):
        if own & (1 << source) == 0:
            continue
        best[source] = source
        bid[source] = hold_bid(s, source, fresh)
        following[0], last[0] = s.near_from[source], s.near_from[source + 1]
        code[0], barred[0] = source, own
        sure[0], gain[0] = 1.0, 0.0
        free[0] = min(s.armies[source] + fresh, MOST_ARMIES) - 1.0
        longest = min(reach, int(free[0]))
        step = 0 if longest > 0 else -1
        while step >= 0:
            if following[step] == last[step]:
                step -= 1
                continue
            goal = int(s.near[following[step]])
            following[step] += 1
            if barred[step] & (1 << goal) != 0:
                continue
            defenders = float(s.armies[goal])
            chance = sure[step] * conquest(free[step], defenders)
            value = gain[step] + prize[goal]
            if chance * value > bid[goal]:
                bid[goal] = chance * value
                best[goal] = extended(code[step], goal)
            if chance <= _HOPELESS or step + 1 == longest:
                continue
            campaign = extended(code[step], goal)
            left = survivors(free[step], defenders) - 1.0
            closed = barred[step] | (1 << goal)
            if step + 2 == longest:
                # Most steps are the last of their path, and nothing follows them: apart from the
                # others, they take the whole list down to 0.82 of its time.
                for i in range(s.near_from[goal], s.near_from[goal + 1]):
                    end = int(s.near[i])
                    made = chance * conquest(left, float(s.armies[end])) * (value + prize[end])
                    if closed & (1 << end) == 0 and made > bid[end]:
                        bid[end] = made
                        best[end] = extended(campaign, end)
                continue
            step += 1
            following[step], last[step] = s.near_from[goal], s.near_from[goal + 1]
            code[step], barred[step] = campaign, closed
            sure[step], free[step], gain[step] = chance, left, value


@compiled
def bids(s: Any, parameters: Any, out: Any) -> int:
    """The campaigns with the highest bids, highest first, ties by goal."""
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
