"""EvilPixie: continents with strong borders, and attacks on the weak."""

from __future__ import annotations

import numpy as np

from mpsearch_risk_lite.players.outlook import Campaign, Outlook

#: Attack when this many times as strong.
ODDS = 1.3
#: Against a seat that holds half of anything, even odds suffice.
TYRANT_ODDS = 1.0
#: It eliminates a player with at most this fraction of its own armies.
PREY = 5
#: Armies that the border of a continent it holds should have, at least and at most.
LEAST_GUARD, MOST_GUARD = 7, 21
#: What its aims are worth beside a territory: an end of a player, a territory of a tyrant, one
#: in a wanted continent.
END, TYRANT, WANTED = 4.0, 0.5, 0.5


def evil_pixie(outlook: Outlook, rng: np.random.Generator) -> list[int]:
    """The campaign that does most for its aims, else the weakest guard of its continents.

    Its aims: what tyrants have; the end of players it outnumbers; breaking the continents of
    others; its own wanted continents.
    """
    wanted = wanted_continents(outlook)
    tyrant = outlook.dominant()
    campaigns = list(outlook.campaigns(lambda t: True, ratio=ODDS))
    if tyrant is not None:
        campaigns += outlook.campaigns(lambda t: outlook.owner[t] == tyrant, ratio=TYRANT_ODDS)
    if campaigns:
        best = max(
            campaigns,
            key=lambda campaign: (gain_of(outlook, campaign, wanted, tyrant), campaign.left),
        )
        return list(best.path)
    return [weakest_guard(outlook, wanted)]


def wanted_continents(outlook: Outlook) -> list[int]:
    """Those it holds, and the one that brings most for what is still in the way."""

    def appeal(c: int) -> float:
        members = outlook.world.members(c)
        ours = sum(outlook.armies[t] for t in members if outlook.owner[t] == outlook.me)
        theirs = sum(outlook.armies[t] for t in members if outlook.owner[t] != outlook.me)
        doors = sum(any(n not in members for n in outlook.near(t)) for t in members)
        return (outlook.world.continents[c].bonus / doors + 1) * (ours + 1) / (theirs + 1)

    continents = range(len(outlook.world.continents))
    held = [c for c in continents if outlook.holder(c) == outlook.me]
    return held + sorted(set(continents) - set(held), key=lambda c: -appeal(c))[:1]


def gain_of(outlook: Outlook, campaign: Campaign, wanted: list[int], tyrant: int | None) -> float:
    """The value of a campaign for its aims, in territories."""
    gain = float(len(campaign.taken))
    for t in campaign.taken:
        gain += TYRANT * (outlook.owner[t] == tyrant)
        gain += WANTED * (outlook.world.territories[t].continent in wanted)
    for c in {outlook.world.territories[t].continent for t in campaign.taken}:
        members = outlook.world.members(c)
        missing = {t for t in members if outlook.owner[t] != outlook.me} - set(campaign.taken)
        if not missing or outlook.holder(c) is not None:
            gain += outlook.world.continents[c].bonus
    for q in {outlook.owner[t] for t in campaign.taken}:
        left = outlook.land[q] - sum(outlook.owner[t] == q for t in campaign.taken)
        weak = PREY * outlook.troops[q] <= outlook.troops[outlook.me]
        gain += END * (left == 0) + END * weak / (left + 1)
    return gain


def weakest_guard(outlook: Outlook, wanted: list[int]) -> int:
    """The border of a continent it holds that lacks most armies; else the front in danger."""
    held = {t for c in wanted if outlook.holder(c) == outlook.me for t in outlook.world.members(c)}
    short = [t for t in held if outlook.foes(t) and outlook.armies[t] < guard(outlook, t)]
    if short:
        return min(short, key=lambda t: outlook.armies[t] - guard(outlook, t))
    return max(outlook.fronts, key=lambda t: outlook.danger(t) / outlook.armies[t])


def guard(outlook: Outlook, territory: int) -> int:
    """The armies that a border should have: as many as face it, within limits."""
    strongest = max((outlook.armies[t] for t in outlook.foes(territory)), default=0)
    return min(max(strongest, LEAST_GUARD), MOST_GUARD)
