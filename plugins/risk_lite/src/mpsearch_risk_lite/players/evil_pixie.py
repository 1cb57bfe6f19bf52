"""EvilPixie: wanted continents with strong borders, and an eye for the weak."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mpsearch_risk_lite.players.survey import Plan, Survey

#: Attack inside wanted continents when this many times as strong.
ODDS = 1.3
#: Go for the end of a player with this fraction of its own armies.
PREY = 5
#: Armies that the border of a wanted continent should hold, at least and at most.
LEAST_GUARD, MOST_GUARD = 7, 21


def evil_pixie(survey: Survey, rng: np.random.Generator) -> list[int]:
    """Against whoever holds half of anything; then prey, then other people's continents,
    then its own wanted continents, and their borders."""
    wanted = wanted_continents(survey)
    for plans in (
        _against_tyrant(survey),
        _finish_off(survey),
        _break_continents(survey),
        _grow(survey, wanted),
    ):
        best = _best(survey, plans)
        if best is not None:
            return list(best.path)
    guard = weakest_guard(survey, wanted)
    if guard is not None:
        return [guard]
    best = _best(survey, survey.plans(lambda t: True, ratio=ODDS))
    if best is not None:
        return list(best.path)
    return [max(survey.fronts, key=lambda t: survey.danger(t) / survey.armies[t])]


def wanted_continents(survey: Survey) -> list[int]:
    """Continents by what they bring for what is still in the way, the best first."""

    def appeal(c: int) -> float:
        members = survey.world.members(c)
        ours = sum(survey.armies[t] for t in members if survey.owner[t] == survey.me)
        theirs = sum(survey.armies[t] for t in members if survey.owner[t] != survey.me)
        doors = sum(any(n not in members for n in survey.near(t)) for t in members)
        return (survey.world.continents[c].bonus / doors + 1) * (ours + 1) / (theirs + 1)

    ranked = sorted(range(len(survey.world.continents)), key=lambda c: -appeal(c))
    open_ones = [c for c in ranked if survey.holder(c) != survey.me]
    return [c for c in ranked if survey.holder(c) == survey.me] + open_ones[:1]


def weakest_guard(survey: Survey, wanted: list[int]) -> int | None:
    """A border of a continent it holds with too few armies for what faces it."""
    held = {t for c in wanted if survey.holder(c) == survey.me for t in survey.world.members(c)}
    guards = [t for t in held if survey.foes(t) and survey.armies[t] < _guard(survey, t)]
    return min(guards, key=lambda t: survey.armies[t] - _guard(survey, t), default=None)


def _guard(survey: Survey, territory: int) -> int:
    strongest = max((survey.armies[t] for t in survey.foes(territory)), default=0)
    return min(max(strongest, LEAST_GUARD), MOST_GUARD)


def _against_tyrant(survey: Survey) -> Iterable[Plan]:
    tyrant = survey.dominant()
    if tyrant is None:
        return []
    return survey.plans(lambda t: survey.owner[t] == tyrant, ratio=1.0)


def _finish_off(survey: Survey) -> Iterable[Plan]:
    prey = {q for q in survey.rivals if PREY * survey.troops[q] <= survey.troops[survey.me]}
    prey |= {q for q in survey.rivals if survey.land[q] <= survey.reach}
    for plan in survey.plans(lambda t: True, ratio=ODDS):
        taken = [survey.owner[t] for t in plan.taken]
        if any(taken.count(q) == survey.land[q] for q in prey):
            yield plan


def _break_continents(survey: Survey) -> Iterable[Plan]:
    held = {
        t
        for c in range(len(survey.world.continents))
        if survey.holder(c) not in (None, survey.me)
        for t in survey.world.members(c)
    }
    for plan in survey.plans(lambda t: True, ratio=ODDS):
        if held & set(plan.taken):
            yield plan


def _grow(survey: Survey, wanted: list[int]) -> Iterable[Plan]:
    goals = {t for c in wanted for t in survey.world.members(c)}
    return survey.plans(lambda t: t in goals, ratio=ODDS)


def _best(survey: Survey, plans: Iterable[Plan]) -> Plan | None:
    def merit(plan: Plan) -> tuple[float, float]:
        return _worth(survey, plan), plan.left

    return max(plans, key=merit, default=None)


def _worth(survey: Survey, plan: Plan) -> float:
    """Territories taken, and continents completed or broken on the way."""
    gain = float(len(plan.taken))
    for c, continent in enumerate(survey.world.continents):
        members = survey.world.members(c)
        taken = set(plan.taken) & set(members)
        if not taken:
            continue
        missing = {t for t in members if survey.owner[t] != survey.me} - taken
        if not missing or survey.holder(c) is not None:
            gain += continent.bonus
    return gain
