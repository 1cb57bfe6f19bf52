"""Angry: everything in one place, then to the death."""

from __future__ import annotations

import numpy as np

from mpsearch_risk_lite.players.survey import Survey


def angry(survey: Survey, rng: np.random.Generator) -> list[int]:
    """All armies to where it meets most enemies with most armies; from there it attacks the
    weakest enemy neighbour whenever it has more armies, and so on.

    The described player looks at enemy neighbours alone, but may attack from everywhere. Here
    one territory attacks in a turn, and without regard to its armies they would be left idle
    wherever the last campaign ended.
    """
    pressure = [len(survey.foes(t)) * survey.force(t) for t in survey.fronts]
    choice = [t for t, p in zip(survey.fronts, pressure, strict=True) if p == max(pressure)]
    path = [choice[int(rng.integers(len(choice)))]]
    force = float(survey.force(path[0]))
    while len(path) <= survey.reach:
        here = path[-1]
        foes = [t for t in survey.foes(here) if t not in path]
        if not foes:
            break
        weakest = min(foes, key=lambda t: survey.armies[t])
        # It does not reckon with dice: an army for an army.
        if force <= survey.armies[weakest] or force < 1:
            break
        path.append(weakest)
        force -= survey.armies[weakest] + 1
    return path
