"""Yakool: a cluster around one continent, grown at good odds; everybody against a tyrant."""

from __future__ import annotations

import numpy as np

from mpsearch_risk_lite.players.survey import Plan, Survey

#: Attack when this many times as strong.
ODDS = 1.2


def yakool(survey: Survey, rng: np.random.Generator) -> list[int]:
    """Whoever holds half of anything is its target. Else it grows the cluster around its most
    valuable continent, when it is behind, has the highest income or owns no continent; once
    it outnumbers all others together, it attacks everything."""
    me = survey.me
    others = [survey.troops[q] for q in survey.rivals]
    tyrant = survey.dominant()
    if survey.troops[me] > sum(others):
        plans = list(survey.plans(lambda t: True, ratio=1.0))
        if plans:
            return list(max(plans, key=_spoils).path)
    if tyrant is not None:
        plans = list(survey.plans(lambda t: survey.owner[t] == tyrant, ratio=1.0))
        if plans:
            return list(max(plans, key=_spoils).path)
    home = home_continent(survey)
    owned = [c for c in range(len(survey.world.continents)) if survey.holder(c) == me]
    behind = survey.troops[me] < max(others)
    richest = survey.incomes[me] == max(survey.incomes)
    cluster = cluster_around(survey, home)
    if behind or richest or not owned:
        inside = set(survey.world.members(home))
        plans = [
            plan
            for plan in survey.plans(lambda t: True, ratio=ODDS)
            if plan.source in cluster and (not inside - set(survey.own) or plan.taken[0] in inside)
        ] or [plan for plan in survey.plans(lambda t: True, ratio=ODDS) if plan.source in cluster]
        if plans:
            return list(max(plans, key=lambda p: (len(inside & set(p.taken)), *_spoils(p))).path)
    edge = [t for t in cluster if survey.foes(t)] or survey.fronts
    return [max(edge, key=lambda t: survey.danger(t) / survey.armies[t])]


def home_continent(survey: Survey) -> int:
    """The most valuable continent it owns, or the easiest to take."""
    continents = range(len(survey.world.continents))
    owned = [c for c in continents if survey.holder(c) == survey.me]
    if owned:
        return max(owned, key=lambda c: survey.world.continents[c].bonus)

    def ease(c: int) -> float:
        members = survey.world.members(c)
        ours = sum(survey.armies[t] for t in members if survey.owner[t] == survey.me)
        return ours / sum(survey.armies[t] for t in members)

    return max(continents, key=ease)


def cluster_around(survey: Survey, continent: int) -> set[int]:
    """Own territories joined to own ones in a continent; all, if there are none in it."""
    cluster = {t for t in survey.world.members(continent) if survey.owner[t] == survey.me}
    waiting = list(cluster)
    while waiting:
        joined = {t for t in survey.near(waiting.pop()) if survey.owner[t] == survey.me} - cluster
        cluster |= joined
        waiting += joined
    return cluster or set(survey.own)


def _spoils(plan: Plan) -> tuple[int, float]:
    return len(plan.taken), plan.left
