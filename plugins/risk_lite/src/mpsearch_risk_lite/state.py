"""The record of a state: the board, whose turn it is, and the map it is played on.

The map is part of the record, so that one compilation serves every map. That costs about a
kilobyte copied per node; rules made anew for each map would be compiled anew for each map,
which takes longer than most games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch.gamekit import record_type
from mpsearch_risk_lite.maps import MOST_BORDERS, MOST_CONTINENTS, MOST_TERRITORIES
from mpsearch_risk_lite.options import SEATS

#: The greatest number of armies in a territory; the rest is lost.
MOST_ARMIES = 250
#: Capacities for legal moves, for listed outcomes, and for computing them.
MOST_MOVES = 1 << 13
LEAST_INCOME = 3
TERRITORIES_PER_ARMY = 3

#: The owner of a territory before the deal.
NOBODY = 255
#: What happens next.
DEAL, CAMPAIGN, BATTLE, DONE = 0, 1, 2, 3

#: Instead of a number of groups: chance has only the likeliest outcome.
LIKELIEST = -1

STATE = np.dtype(
    [
        # The board, by territory. Indices are unsigned: numba need not look for negative ones.
        ("armies", "i2", MOST_TERRITORIES),
        ("owner", "u1", MOST_TERRITORIES),
        # By seat: territories, armies, territories in each continent.
        ("land", "i4", SEATS),
        ("troops", "i4", SEATS),
        ("held", "i1", (SEATS, MOST_CONTINENTS)),
        ("phase", "i8"),
        ("mover", "i8"),
        ("players", "i8"),
        # Rounds played, and how many end the game.
        ("rounds_played", "i8"),
        ("round_limit", "i8"),
        # The campaign under way, or the last one, and its outcome.
        ("campaign", "i8"),
        ("outcome", "i8"),
        # Groups into which chance gathers the outcomes of each result; 0: it lists all; LIKELIEST.
        ("groups", "i8"),
        # The map. The neighbours of t are near[near_from[t]:near_from[t + 1]].
        ("territories", "i8"),
        ("continents", "i8"),
        ("reach", "i8"),
        ("near_from", "u2", MOST_TERRITORIES + 1),
        ("near", "u1", 2 * MOST_BORDERS),
        ("continent", "u1", MOST_TERRITORIES),
        ("bonus", "i2", MOST_CONTINENTS),
        ("members", "i2", MOST_CONTINENTS),
    ],
    align=True,
)

#: The same, for copies of a state that are made inside compiled functions.
RECORD = record_type(STATE)

# A campaign is a number: the source, the number of steps, then a territory for each step.
SOURCE_BITS = 6
STEPS_BITS = 3
STEPS_MASK = (1 << STEPS_BITS) - 1
TERRITORY_MASK = (1 << SOURCE_BITS) - 1
PATH_AT = SOURCE_BITS + STEPS_BITS
# So is an outcome: ARRIVED plus the armies left, or minus the defending armies left along the
# path, which also says where it stalled, because they fall one after another.
ARRIVED = 1 << 60


@compiled
def source_of(campaign: int) -> int:
    return campaign & TERRITORY_MASK


@compiled
def steps_of(campaign: int) -> int:
    return (campaign >> SOURCE_BITS) & STEPS_MASK


@compiled
def step_of(campaign: int, step: int) -> int:
    """The territory attacked in a step of a campaign, the first step being 0."""
    return (campaign >> (PATH_AT + SOURCE_BITS * step)) & TERRITORY_MASK


@compiled
def goal_of(campaign: int) -> Any:
    """The last territory of a campaign: its source, if it attacks nothing."""
    steps = steps_of(campaign)
    return step_of(campaign, steps - 1) if steps > 0 else source_of(campaign)


@compiled
def extended(campaign: int, territory: int) -> Any:
    """The campaign with one more step."""
    steps = steps_of(campaign)
    return campaign + (1 << SOURCE_BITS) + (territory << (PATH_AT + SOURCE_BITS * steps))


@compiled
def visits(campaign: int, territory: int) -> bool:
    """Whether a territory is attacked in a campaign."""
    for step in range(steps_of(campaign)):  # noqa: SIM110 (numba has no any)
        if step_of(campaign, step) == territory:
            return True
    return False


@compiled
def income(s: Any, seat: int) -> Any:
    """The armies that a seat gets at the beginning of its turn."""
    armies = max(int(s.land[seat]) // TERRITORIES_PER_ARMY, LEAST_INCOME)
    for c in range(s.continents):
        if s.held[seat, c] == s.members[c]:
            armies += s.bonus[c]
    return armies


@compiled
def at_border(s: Any, territory: int) -> bool:
    """Whether some neighbour of a territory belongs to somebody else."""
    for i in range(s.near_from[territory], s.near_from[territory + 1]):
        if s.owner[s.near[i]] != s.owner[territory]:
            return True
    return False


def campaign_of(source: int, path: list[int]) -> int:
    """The number of a campaign."""
    code = source | len(path) << SOURCE_BITS
    for step, territory in enumerate(path):
        code |= territory << (PATH_AT + SOURCE_BITS * step)
    return code


def path_of(campaign: int) -> list[int]:
    """Source and steps of a campaign as territories."""
    steps = campaign >> SOURCE_BITS & STEPS_MASK
    return [campaign & TERRITORY_MASK] + [
        campaign >> (PATH_AT + SOURCE_BITS * step) & TERRITORY_MASK for step in range(steps)
    ]
