"""Opponent models: given ones, the SOS paper's learning rule, and rules based on choices.

| module | row i of the matrix |
|---|---|
| `given` | selfish, or given by the user |
| `recent` | mean effect of seat i's last k moves (SOS paper) |
| `average` | the same with decaying weights |
| `advantage` | mean effect beyond that of the legal alternatives |
| `adaptive` | the same over the history length that predicted best |
| `likelihood` | mean of the orientations that explain the choices, with horizons if asked |
| `orientation` | not learned: the observer's own row, for `oriented` agents |
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
