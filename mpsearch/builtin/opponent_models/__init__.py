"""Opponent models: given ones, the printed learning rule, and rules that look at choices.

| module | row i of the matrix |
|---|---|
| `given` | selfish, or what the user says |
| `recent` | mean effect of seat i's last k moves (SOS paper) |
| `average` | the same with weights that fade |
| `advantage` | mean effect beyond that of the legal alternatives |
| `adaptive` | the same over the history length that predicted best |
| `likelihood` | mean of the orientations that explain the choices |
| `orientation` | not learned: the observer's own row, as `oriented` agents have it |
"""

from __future__ import annotations

from mpsearch.builtin.opponent_models import (
    adaptive,
    advantage,
    average,
    given,
    likelihood,
    orientation,
    recent,
)

MODELS = [
    *given.OFFERS,
    recent.OFFER,
    average.OFFER,
    advantage.OFFER,
    likelihood.OFFER,
    adaptive.OFFER,
    orientation.OFFER,
]
