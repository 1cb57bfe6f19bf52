"""Tables of conquest: its probability and the survivors. Exact up to 32 armies a side.

Chance nodes never use these tables: they work out the whole distribution (`dice`). They are
for whoever must judge hundreds of campaigns at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mpsearch.contracts import compiled
from mpsearch_risk_lite.dice import ATTACK_DICE, DEFENCE_DICE, ODDS

#: Most armies a side in the tables; larger battles are scaled down.
TABLE = 32


def _table(won: Callable[[int], float]) -> npt.NDArray[np.float64]:
    """The mean of won(attackers left) over all battles, 0 for lost ones. By [A, D]."""
    table = np.zeros((TABLE + 1, TABLE + 1))
    for a in range(1, TABLE + 1):
        table[a, 0] = won(a)
        for d in range(1, TABLE + 1):
            p = ODDS[min(a, ATTACK_DICE), min(d, DEFENCE_DICE)]
            n = 1 if a == 1 or d == 1 else 2
            table[a, d] = p[0] * table[a, d - n] + p[2] * table[a - n, d]
            table[a, d] += p[1] * table[a - 1, d - 1]
    return table


#: CONQUEST[A, D]: the probability that A free armies conquer a territory with D.
CONQUEST = _table(lambda a: 1.0)
#: SURVIVORS[A, D]: the mean number of them left if they do.
SURVIVORS = _table(lambda a: float(a)) / np.maximum(CONQUEST, 1e-300)


@compiled
def _entry(table: Any, attackers: float, defenders: float) -> Any:
    """A table's entry for A >= 1, linearly interpolated between numbers of attackers."""
    lower = int(attackers)
    part = attackers - lower
    d = int(defenders)
    here = table[lower, d]
    if part > 0.0:
        here += part * (table[lower + 1, d] - here)
    return here


@compiled
def conquest(attackers: float, defenders: float) -> Any:
    """The probability of conquering a territory; the number of attackers may be a mean."""
    if attackers < 1.0:
        return 0.0
    most = max(attackers, defenders)
    if most < TABLE:
        return _entry(CONQUEST, attackers, defenders)
    scale = (TABLE - 1) / most
    return _entry(CONQUEST, max(attackers * scale, 1.0), defenders * scale)


@compiled
def survivors(attackers: float, defenders: float) -> Any:
    """The mean number of attackers left after taking a territory."""
    if attackers < 1.0:
        return 0.0
    most = max(attackers, defenders)
    if most < TABLE:
        return _entry(SURVIVORS, attackers, defenders)
    scale = (TABLE - 1) / most
    return _entry(SURVIVORS, max(attackers * scale, 1.0), defenders * scale) / scale
