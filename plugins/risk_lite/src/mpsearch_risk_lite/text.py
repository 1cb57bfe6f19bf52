"""Campaigns, outcomes and deals as text, both ways."""

from __future__ import annotations

import re
from typing import TypeAlias

from mpsearch.contracts import whole_number
from mpsearch.errors import MoveError
from mpsearch_risk_lite.maps import WorldMap
from mpsearch_risk_lite.options import MOST_REACH
from mpsearch_risk_lite.state import ARRIVED, campaign_of, path_of

#: Owner and armies of each territory.
Deal: TypeAlias = tuple[tuple[int, int], ...]

_DEAL = re.compile(r"\d{1,9}x\d{1,9}(,\d{1,9}x\d{1,9})*", re.ASCII)


def write_move(world: WorldMap, move: int | Deal) -> str:
    """`alaska>kamchatka`, `alaska` (no attack), `stalled=3`, `arrived=5` or `deal=0x3,...`."""
    if isinstance(move, tuple):
        return "deal=" + ",".join(f"{owner}x{armies}" for owner, armies in move)
    if move < 0:
        return f"stalled={-move}"
    if move >= ARRIVED:
        return f"arrived={move - ARRIVED}"
    return ">".join(world.territories[t].name for t in path_of(move))


def read_move(world: WorldMap, text: str) -> int | Deal:
    """What `write_move` wrote; MoveError says what is wrong."""
    kind, equals, rest = text.partition("=")
    if kind == "deal" and _DEAL.fullmatch(rest):
        pairs = (pair.split("x") for pair in rest.split(","))
        return tuple((int(owner), int(armies)) for owner, armies in pairs)
    armies_left = whole_number(rest)
    if kind in ("stalled", "arrived") and armies_left is not None and 0 < armies_left < ARRIVED:
        return -armies_left if kind == "stalled" else ARRIVED + armies_left
    if equals:
        raise MoveError(
            f"move '{text}' is neither a campaign such as 'alaska>kamchatka' nor an outcome"
        )
    return _read_campaign(world, text)


def _read_campaign(world: WorldMap, text: str) -> int:
    path = []
    for name in text.split(">"):
        number = world.find(name)
        if number is None:
            raise MoveError(f"move '{text}': there is no territory '{name}'")
        path.append(number)
    if len(path) - 1 > MOST_REACH:
        raise MoveError(f"move '{text}': a campaign has {MOST_REACH} steps at most")
    return campaign_of(path[0], path[1:])
