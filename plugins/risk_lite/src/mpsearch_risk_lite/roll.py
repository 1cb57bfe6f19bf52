"""Random outcomes of the game: the deal, and dice thrown one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch.gamekit import below
from mpsearch_risk_lite.dice import ATTACK_DICE, DEFENCE_DICE, defence
from mpsearch_risk_lite.state import ARRIVED, BATTLE, source_of, step_of, steps_of
from mpsearch_risk_lite.text import Deal

_SIDES = 6


def deal(territories: int, troops: Sequence[int], rng: np.random.Generator) -> Deal:
    """Territories like cards, in turn from seat 0; each seat's troops evenly over its own.

    What cannot be spread evenly goes to territories drawn at random.
    """
    order = rng.permutation(territories)
    owner = np.empty(territories, dtype=np.int64)
    armies = np.empty(territories, dtype=np.int64)
    for seat, armed in enumerate(troops):
        own = order[seat :: len(troops)]
        owner[own] = seat
        even, more = divmod(armed, len(own))
        armies[own] = even
        armies[own[:more]] += 1  # `own` is in random order already
    return tuple(zip(owner.tolist(), armies.tolist(), strict=True))


def can_be_dealt(found: Deal, territories: int, troops: Sequence[int]) -> bool:
    """Whether `deal` can give this: its number of territories and even troops for each seat."""
    if len(found) != territories:
        return False
    for seat, armed in enumerate(troops):
        armies = sorted(armies for owner, armies in found if owner == seat)
        own = len(range(seat, territories, len(troops)))
        if len(armies) != own or sum(armies) != armed or armies[-1] - armies[0] > 1:
            return False
    return True


def throw(dice: int, rng: np.random.Generator) -> list[int]:
    """Dice, the highest first."""
    return sorted(rng.integers(1, _SIDES + 1, size=dice).tolist(), reverse=True)


def battle(attackers: int, defenders: int, rng: np.random.Generator) -> tuple[int, int]:
    """A battle to the end: the free attackers and the defenders left."""
    while attackers > 0 and defenders > 0:
        attack = throw(min(attackers, ATTACK_DICE), rng)
        defend = throw(min(defenders, DEFENCE_DICE), rng)
        for ours, theirs in zip(attack, defend, strict=False):
            if ours > theirs:
                defenders -= 1
            else:
                attackers -= 1
    return attackers, defenders


def campaign(armies: Sequence[int], rng: np.random.Generator) -> int:
    """The outcome of a campaign, given the armies in its source and along its path."""
    free = armies[0] - 1
    for step in range(1, len(armies)):
        free, defenders = battle(free, armies[step], rng)
        if defenders > 0:
            return -(defenders + sum(armies[step + 1 :]))
        if step + 1 < len(armies):
            free -= 1
    return ARRIVED + free


@compiled
def throw_two(dice: int, stream: Any) -> Any:
    """The two highest of some dice; the second is 0 if there is but one."""
    first, second = 0, 0
    for _ in range(dice):
        points = 1 + below(stream, _SIDES)
        if points > first:
            first, second = points, first
        elif points > second:
            second = points
    return first, second


@compiled
def draw(s: Any, out: Any, stream: Any) -> int:
    """The same dice as `campaign`, for the current one, in compiled code."""
    if s.phase != BATTLE:
        return 0
    free = int(s.armies[source_of(s.campaign)]) - 1
    standing = defence(s, s.campaign)
    steps = steps_of(s.campaign)
    for step in range(steps):
        defenders = int(s.armies[step_of(s.campaign, step)])
        standing -= defenders
        while free > 0 and defenders > 0:
            high, low = throw_two(min(free, ATTACK_DICE), stream)
            theirs, their_low = throw_two(min(defenders, DEFENCE_DICE), stream)
            pairs = 2 if low > 0 and their_low > 0 else 1
            won = int(high > theirs) + int(pairs == 2 and low > their_low)
            defenders -= won
            free -= pairs - won
        if defenders > 0:
            out[0] = -(defenders + standing)
            return 1
        if step + 1 < steps:
            free -= 1
    out[0] = ARRIVED + free
    return 1
