"""What a learned evaluator sees of a position, and the one that comes with this plugin.

Seats count from the one that looks, so that one network serves all.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from mpsearch.contracts import Evaluator, Features, compiled
from mpsearch.gamekit import learned_evaluator, read_network
from mpsearch_risk_lite.maps import MOST_CONTINENTS, MOST_TERRITORIES
from mpsearch_risk_lite.options import SEATS
from mpsearch_risk_lite.state import DEAL, income

# Where the inputs begin. By seat: shares of armies, land, income and control, and whether it is
# next. By territory: armies of one's own there, or of others. By continent: how much of it is one's
# own, whether all of it is, and whether all of it is another's. Last, how much of the game is over.
TROOPS = 0
LAND = TROOPS + SEATS
INCOME = LAND + SEATS
CONTROL = INCOME + SEATS
NEXT = CONTROL + SEATS
OWN = NEXT + SEATS
OTHERS = OWN + MOST_TERRITORIES
PART = OTHERS + MOST_TERRITORIES
WHOLE = PART + MOST_CONTINENTS
LOST = WHOLE + MOST_CONTINENTS
OVER = LOST + MOST_CONTINENTS
#: At the end land decides: what is over of the game, times the share of land, by seat.
LATE_LAND = OVER + 1
INPUTS = LATE_LAND + SEATS
MOST = INPUTS


@compiled
def put(out: Any, count: int, number: int, value: float) -> int:
    """Write an input unless it is zero; the new number of inputs."""
    if value == 0.0:
        return count
    out[count, 0] = number
    out[count, 1] = value
    return count + 1


@compiled
def turned(seat: int, other: int, players: int) -> int:
    """How many seats another one is behind a seat."""
    return other - seat if other >= seat else other - seat + players


@compiled
def put_continents(s: Any, seat: int, out: Any, count: int) -> int:
    for c in range(s.continents):
        count = put(out, count, PART + c, s.held[seat, c] / s.members[c])
        for other in range(s.players):
            if s.held[other, c] == s.members[c]:
                count = put(out, count, (WHOLE if other == seat else LOST) + c, 1.0)
    return count


@compiled
def put_territories(s: Any, seat: int, troops: float, out: Any, count: int) -> int:
    """Armies by territory, and what of it each seat controls beside its strongest neighbour."""
    first = count
    for k in range(SEATS):
        out[count, 0] = CONTROL + k
        out[count, 1] = 0.0
        count += 1
    for territory in range(s.territories):
        owner = int(s.owner[territory])
        strongest, rival = 0, owner
        for i in range(s.near_from[territory], s.near_from[territory + 1]):
            other = s.near[i]
            if s.owner[other] != owner and s.armies[other] > strongest:
                strongest, rival = int(s.armies[other]), int(s.owner[other])
        lost = strongest / (s.armies[territory] + strongest) / s.territories
        out[first + turned(seat, owner, s.players), 1] += 1.0 / s.territories - lost
        out[first + turned(seat, rival, s.players), 1] += lost
        number = (OWN if owner == seat else OTHERS) + territory
        count = put(out, count, number, 10.0 * s.armies[territory] / troops)
    return count


@compiled
def look(s: Any, seat: int, out: Any) -> Any:
    """The position as a seat sees it; nothing before the deal."""
    if s.phase == DEAL:
        return 0
    troops, incomes = 0.0, 0.0
    for other in range(s.players):
        troops += s.troops[other]
        if s.land[other] > 0:
            incomes += income(s, other)
    over = s.rounds_played / s.round_limit
    count = put(out, 0, OVER, over)
    for other in range(s.players):
        k = turned(seat, other, s.players)
        land = s.land[other] / s.territories
        count = put(out, count, TROOPS + k, s.troops[other] / troops)
        count = put(out, count, LAND + k, land)
        count = put(out, count, LATE_LAND + k, over * land)
        if s.land[other] > 0:
            count = put(out, count, INCOME + k, income(s, other) / incomes)
    count = put(out, count, NEXT + turned(seat, s.mover, s.players), 1.0)
    count = put_continents(s, seat, out, count)
    return put_territories(s, seat, troops, out, count)


FEATURES = Features(write=look, inputs=INPUTS, most=MOST)


def make_learned(game: Any) -> Evaluator:
    """The evaluator with the weights for this number of players."""
    folder = resources.files("mpsearch_risk_lite") / "weights"
    return learned_evaluator(game, read_network(folder / f"{game.players}.npz"))
