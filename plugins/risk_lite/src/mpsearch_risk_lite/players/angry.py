"""Angry: all armies in one place, then attack to the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch.gamekit import below
from mpsearch_risk_lite.players.outlook import Outlook
from mpsearch_risk_lite.state import MOST_ARMIES, extended, goal_of, income, steps_of, visits


def angry(outlook: Outlook, rng: np.random.Generator) -> list[int]:
    """All armies to where it meets most enemies with most armies; from there it attacks the
    weakest enemy neighbour whenever it has more armies, and so on.

    The described player looks at enemy neighbours alone, but may attack from everywhere. Here
    one territory attacks in a turn, and without regard to its armies they would be left idle
    wherever the last campaign ended.
    """
    pressure = [len(outlook.foes(t)) * outlook.force(t) for t in outlook.fronts]
    choice = [t for t, p in zip(outlook.fronts, pressure, strict=True) if p == max(pressure)]
    path = [choice[int(rng.integers(len(choice)))]]
    force = float(outlook.force(path[0]))
    while len(path) <= outlook.reach:
        here = path[-1]
        foes = [t for t in outlook.foes(here) if t not in path]
        if not foes:
            break
        weakest = min(foes, key=lambda t: outlook.armies[t])
        # It ignores dice and counts one army for one.
        if force <= outlook.armies[weakest] or force < 1:
            break
        path.append(weakest)
        force -= outlook.armies[weakest] + 1
    return path


@compiled
def angry_policy(s: Any, moves: Any, count: int, stream: Any) -> int:
    """The same choice as a policy."""
    greatest = -1
    equal = 0
    for territory in range(s.territories):
        here = pressure(s, territory)
        if here > greatest:
            greatest = here
            equal = 0
        if here == greatest:
            equal += 1
    left = below(stream, equal)
    campaign = 0
    for territory in range(s.territories):
        if pressure(s, territory) == greatest:
            if left == 0:
                campaign = territory
                break
            left -= 1
    campaign = advanced(s, campaign)
    for i in range(count):
        if moves[i] == campaign:
            return i
    return count


@compiled
def force_at(s: Any, territory: int) -> Any:
    """Free armies in a territory once all reinforcements are there."""
    return min(s.armies[territory] + income(s, s.mover), MOST_ARMIES) - 1


@compiled
def pressure(s: Any, territory: int) -> int:
    """Enemy neighbours times free armies; -1 where there is no enemy, or no own territory."""
    if s.owner[territory] != s.mover:
        return -1
    foes = 0
    for i in range(s.near_from[territory], s.near_from[territory + 1]):
        if s.owner[s.near[i]] != s.mover:
            foes += 1
    return foes * int(force_at(s, territory)) if foes > 0 else -1


@compiled
def advanced(s: Any, source: int) -> Any:
    """The campaign from a source, as long as its armies outnumber those in the way."""
    campaign = source
    force = force_at(s, source)
    while steps_of(campaign) < s.reach:
        here = goal_of(campaign)
        weakest = -1
        for i in range(s.near_from[here], s.near_from[here + 1]):
            there = int(s.near[i])
            if s.owner[there] == s.mover or visits(campaign, there):
                continue
            if weakest < 0 or s.armies[there] < s.armies[weakest]:
                weakest = there
        if weakest < 0 or force <= s.armies[weakest] or force < 1:
            break
        campaign = extended(campaign, weakest)
        force -= s.armies[weakest] + 1
    return campaign
