"""Yakool: a cluster around one continent, grown at good odds; all against a tyrant."""

from __future__ import annotations

import numpy as np

from mpsearch_risk_lite.players.outlook import Campaign, Outlook

#: Attack when this many times as strong.
ODDS = 1.2


def yakool(outlook: Outlook, rng: np.random.Generator) -> list[int]:
    """Whoever holds half of anything is its target. Else it grows the cluster around its most
    valuable continent, when it is behind, has the highest income or owns no continent; once
    it outnumbers all others together, it attacks everything."""
    me = outlook.me
    others = [outlook.troops[q] for q in outlook.rivals]
    tyrant = outlook.dominant()
    if outlook.troops[me] > sum(others):
        campaigns = list(outlook.campaigns(lambda t: True, ratio=1.0))
        if campaigns:
            return list(max(campaigns, key=_spoils).path)
    if tyrant is not None:
        campaigns = list(outlook.campaigns(lambda t: outlook.owner[t] == tyrant, ratio=1.0))
        if campaigns:
            return list(max(campaigns, key=_spoils).path)
    home = home_continent(outlook)
    owned = [c for c in range(len(outlook.world.continents)) if outlook.holder(c) == me]
    behind = outlook.troops[me] < max(others)
    richest = outlook.incomes[me] == max(outlook.incomes)
    cluster = cluster_around(outlook, home)
    if behind or richest or not owned:
        inside = set(outlook.world.members(home))
        campaigns = [
            campaign
            for campaign in outlook.campaigns(lambda t: True, ratio=ODDS)
            if campaign.source in cluster
            and (not inside - set(outlook.own) or campaign.taken[0] in inside)
        ] or [
            campaign
            for campaign in outlook.campaigns(lambda t: True, ratio=ODDS)
            if campaign.source in cluster
        ]
        if campaigns:
            return list(
                max(campaigns, key=lambda p: (len(inside & set(p.taken)), *_spoils(p))).path
            )
    edge = [t for t in cluster if outlook.foes(t)] or outlook.fronts
    return [max(edge, key=lambda t: outlook.danger(t) / outlook.armies[t])]


def home_continent(outlook: Outlook) -> int:
    """The most valuable continent it owns, or the easiest to take."""
    continents = range(len(outlook.world.continents))
    owned = [c for c in continents if outlook.holder(c) == outlook.me]
    if owned:
        return max(owned, key=lambda c: outlook.world.continents[c].bonus)

    def ease(c: int) -> float:
        members = outlook.world.members(c)
        ours = sum(outlook.armies[t] for t in members if outlook.owner[t] == outlook.me)
        return ours / sum(outlook.armies[t] for t in members)

    return max(continents, key=ease)


def cluster_around(outlook: Outlook, continent: int) -> set[int]:
    """Own territories joined to own ones in a continent; all, if there are none in it."""
    cluster = {t for t in outlook.world.members(continent) if outlook.owner[t] == outlook.me}
    waiting = list(cluster)
    while waiting:
        joined = {
            t for t in outlook.near(waiting.pop()) if outlook.owner[t] == outlook.me
        } - cluster
        cluster |= joined
        waiting += joined
    return cluster or set(outlook.own)


def _spoils(campaign: Campaign) -> tuple[int, float]:
    return len(campaign.taken), campaign.left
