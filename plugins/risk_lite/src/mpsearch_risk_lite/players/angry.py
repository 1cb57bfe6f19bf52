"""Angry: everything in one place, then to the death."""

from __future__ import annotations

import numpy as np

from mpsearch_risk_lite.players.survey import Survey


def angry(survey: Survey, rng: np.random.Generator) -> list[int]:
    """All armies on the territory with most enemy neighbours; from there it attacks the
    weakest enemy neighbour whenever it has more armies, and moves on unless the place it
    came from has more enemy neighbours."""
    most = max(len(survey.foes(t)) for t in survey.own)
    choice = [t for t in survey.own if len(survey.foes(t)) == most]
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
