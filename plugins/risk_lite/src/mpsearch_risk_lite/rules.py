"""The rules: deal, campaign, battle, and the order of turns."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import CHANCE, OVER, Rules, compiled
from mpsearch_risk_lite.dice import defence, list_outcomes
from mpsearch_risk_lite.options import SEATS
from mpsearch_risk_lite.roll import draw
from mpsearch_risk_lite.state import (
    ARRIVED,
    BATTLE,
    CAMPAIGN,
    DONE,
    MOST_ARMIES,
    MOST_MOVES,
    STATE,
    at_border,
    extended,
    goal_of,
    income,
    source_of,
    step_of,
    steps_of,
    visits,
)


@compiled
def mover(s: Any) -> Any:
    if s.phase == CAMPAIGN:
        return s.mover
    return OVER if s.phase == DONE else CHANCE


@compiled
def moves(s: Any, out: Any) -> int:
    """All campaigns: from each own territory no attack, then all paths, shorter ones first."""
    me = s.mover
    fresh = income(s, me)
    count = 0
    # Fields of a record take plain Python long to read.
    owners, near, near_from, reach = s.owner, s.near, s.near_from, s.reach
    for source in range(s.territories):
        if owners[source] != me:
            continue
        free = min(s.armies[source] + fresh, MOST_ARMIES) - 1
        longest = min(reach, free)
        out[count] = source
        # The list is its own queue: each campaign is extended by one step.
        following = count
        count += 1
        while following < count:
            campaign = out[following]
            following += 1
            if steps_of(campaign) >= longest:
                continue
            end = goal_of(campaign)
            for i in range(near_from[end], near_from[end + 1]):
                territory = int(near[i])
                if owners[territory] != me and not visits(campaign, territory):
                    out[count] = extended(campaign, territory)
                    count += 1
    return count


@compiled
def play(s: Any, move: int) -> None:
    if s.phase == CAMPAIGN:
        source = source_of(move)
        reinforce(s, source, income(s, s.mover))
        s.campaign = move
        s.outcome = 0
        if steps_of(move) > 0:
            s.phase = BATTLE
            return
    else:
        march(s, move)
    withdraw(s)
    end_turn(s)


@compiled
def reinforce(s: Any, territory: int, armies: int) -> None:
    """Add armies to a territory, as many as it has room for."""
    added = min(armies, MOST_ARMIES - s.armies[territory])
    s.armies[territory] += added
    s.troops[s.owner[territory]] += added


@compiled
def march(s: Any, outcome: int) -> None:
    """Carry out the current campaign with the given outcome."""
    campaign = s.campaign
    me = s.mover
    s.outcome = outcome
    source = source_of(campaign)
    standing = defence(s, campaign)
    left = -outcome if outcome < 0 else 0
    arrived = outcome - ARRIVED
    steps = steps_of(campaign)
    s.troops[me] -= s.armies[source]
    s.armies[source] = 1
    s.troops[me] += 1
    for step in range(steps):
        territory = step_of(campaign, step)
        standing -= s.armies[territory]
        held = max(left - standing, 0)
        s.troops[s.owner[territory]] -= s.armies[territory] - held
        s.armies[territory] = held
        if held > 0:
            return
        conquer(s, territory)
    s.armies[goal_of(campaign)] = arrived
    s.troops[me] += arrived - 1


@compiled
def conquer(s: Any, territory: int) -> None:
    """Hand an emptied territory to the mover, who leaves one army in it."""
    me = s.mover
    loser = s.owner[territory]
    c = s.continent[territory]
    s.land[loser] -= 1
    s.held[loser, c] -= 1
    s.land[me] += 1
    s.held[me, c] += 1
    s.owner[territory] = me
    s.armies[territory] = 1
    s.troops[me] += 1


@compiled
def withdraw(s: Any) -> None:
    """Send armies that face no enemy to the border: from each inland territory all but one,
    over own land, to the nearest border territory (of equally near ones, the first found)."""
    me = s.mover
    if s.land[me] == s.territories:
        return
    for territory in range(s.territories):
        if s.owner[territory] == me and s.armies[territory] > 1 and not at_border(s, territory):
            front = nearest_border(s, territory)
            armies = min(s.armies[territory] - 1, MOST_ARMIES - s.armies[front])
            s.armies[territory] -= armies
            s.armies[front] += armies


@compiled
def nearest_border(s: Any, start: int) -> int:
    """The nearest own territory with a foreign neighbour; the map is connected."""
    seen = 0
    ring = 1 << start
    while ring != 0:
        seen |= ring
        following = 0
        for territory in range(s.territories):
            if ring & (1 << territory) == 0:
                continue
            if at_border(s, territory):
                return territory
            for i in range(s.near_from[territory], s.near_from[territory + 1]):
                following |= 1 << int(s.near[i])
        ring = following & ~seen
    return start


@compiled
def end_turn(s: Any) -> None:
    """The next seat that still has land is to move, unless the game is over."""
    s.phase = CAMPAIGN
    if s.land[s.mover] == s.territories:
        s.phase = DONE
        return
    seat = s.mover
    while True:
        seat += 1
        if seat == s.players:
            seat = 0
            s.rounds_played += 1
        if s.land[seat] > 0:
            break
    s.mover = seat
    if s.rounds_played >= s.round_limit:
        s.phase = DONE


@compiled
def strength(s: Any, seat: int) -> Any:
    """The order at the round limit: territories, then armies, then the later seat."""
    return (int(s.land[seat]) * (1 << 20) + int(s.troops[seat])) * SEATS + seat


@compiled
def payoff(s: Any, out: Any) -> None:
    """1 for the winner: the last seat left or, at the round limit, the strongest."""
    winner = 0
    for seat in range(s.players):
        out[seat] = 0.0
        if strength(s, seat) > strength(s, winner):
            winner = seat
    out[winner] = 1.0


@compiled
def chance(s: Any, out: Any, probabilities: Any) -> int:
    """All outcomes of the current battle; deals are too many to list."""
    return list_outcomes(s, 0, out, probabilities) if s.phase == BATTLE else 0


@compiled
def merged_chance(s: Any, out: Any, probabilities: Any) -> int:
    """The outcomes of the current battle, merged as the options say."""
    return list_outcomes(s, s.groups, out, probabilities) if s.phase == BATTLE else 0


RULES = Rules(
    state=STATE,
    mover=mover,
    moves=moves,
    play=play,
    payoff=payoff,
    chance=chance,
    merged_chance=merged_chance,
    draw=draw,
    most_moves=MOST_MOVES,
)
