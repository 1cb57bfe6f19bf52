"""EvilPixie: wanted continents with strong borders, and an eye for the weak."""

from __future__ import annotations

import numpy as np

from mpsearch_risk_lite.players.survey import Plan, Survey

#: Attack when this many times as strong.
ODDS = 1.3
#: Against whoever holds half of anything, even odds will do.
TYRANT_ODDS = 1.0
#: Go for the end of a player with this fraction of its own armies.
PREY = 5
#: Armies that the border of a continent it holds should have, at least and at most.
LEAST_GUARD, MOST_GUARD = 7, 21
#: What its aims are worth beside a territory: an end of a player, a territory of a tyrant, one
#: in a wanted continent.
END, TYRANT, WANTED = 4.0, 0.5, 0.5


def evil_pixie(survey: Survey, rng: np.random.Generator) -> list[int]:
    """The campaign that does most for its aims, else the weakest guard of its continents.

    Its aims: what tyrants have; the end of players it outnumbers; breaking the continents of
    others; its own wanted continents.
    """
    wanted = wanted_continents(survey)
    tyrant = survey.dominant()
    plans = list(survey.plans(lambda t: True, ratio=ODDS))
    if tyrant is not None:
        plans += survey.plans(lambda t: survey.owner[t] == tyrant, ratio=TYRANT_ODDS)
    if plans:
        best = max(plans, key=lambda plan: (merit(survey, plan, wanted, tyrant), plan.left))
        return list(best.path)
    return [weakest_guard(survey, wanted)]


def wanted_continents(survey: Survey) -> list[int]:
    """Those it holds, and the one that brings most for what is still in the way."""

    def appeal(c: int) -> float:
        members = survey.world.members(c)
        ours = sum(survey.armies[t] for t in members if survey.owner[t] == survey.me)
        theirs = sum(survey.armies[t] for t in members if survey.owner[t] != survey.me)
        doors = sum(any(n not in members for n in survey.near(t)) for t in members)
        return (survey.world.continents[c].bonus / doors + 1) * (ours + 1) / (theirs + 1)

    continents = range(len(survey.world.continents))
    held = [c for c in continents if survey.holder(c) == survey.me]
    return held + sorted(set(continents) - set(held), key=lambda c: -appeal(c))[:1]


def merit(survey: Survey, plan: Plan, wanted: list[int], tyrant: int | None) -> float:
    """What a campaign does for its aims, in territories."""
    gain = float(len(plan.taken))
    for t in plan.taken:
        gain += TYRANT * (survey.owner[t] == tyrant)
        gain += WANTED * (survey.world.territories[t].continent in wanted)
    for c in {survey.world.territories[t].continent for t in plan.taken}:
        members = survey.world.members(c)
        missing = {t for t in members if survey.owner[t] != survey.me} - set(plan.taken)
        if not missing or survey.holder(c) is not None:
            gain += survey.world.continents[c].bonus
    for q in {survey.owner[t] for t in plan.taken}:
        left = survey.land[q] - sum(survey.owner[t] == q for t in plan.taken)
        weak = PREY * survey.troops[q] <= survey.troops[survey.me]
        gain += END * (left == 0) + END * weak / (left + 1)
    return gain


def weakest_guard(survey: Survey, wanted: list[int]) -> int:
    """The border of a continent it holds that lacks most armies; else the front in danger."""
    held = {t for c in wanted if survey.holder(c) == survey.me for t in survey.world.members(c)}
    short = [t for t in held if survey.foes(t) and survey.armies[t] < guard(survey, t)]
    if short:
        return min(short, key=lambda t: survey.armies[t] - guard(survey, t))
    return max(survey.fronts, key=lambda t: survey.danger(t) / survey.armies[t])


def guard(survey: Survey, territory: int) -> int:
    """The armies that a border should have: as many as face it, within limits."""
    strongest = max((survey.armies[t] for t in survey.foes(territory)), default=0)
    return min(max(strongest, LEAST_GUARD), MOST_GUARD)
