"""The board in the terminal: territories by continent, with owner and armies."""

from __future__ import annotations

from typing import Any

from mpsearch.kit import SEAT_COLOURS, painted
from mpsearch_risk_lite.maps import WorldMap
from mpsearch_risk_lite.rules import strength
from mpsearch_risk_lite.state import (
    ARRIVED,
    BATTLE,
    CAMPAIGN,
    DEAL,
    NOBODY,
    SOURCE_BITS,
    STEPS_MASK,
    income,
    path_of,
)

_COLUMNS = 3


def draw(world: WorldMap, s: Any, *, colour: bool) -> str:
    """Lines of text; each territory as `name seat:armies`."""
    lines = [headline(world, s)]
    width = max(len(land.name) for land in world.territories)
    for number, continent in enumerate(world.continents):
        lines.append(f"{continent.name} (+{continent.bonus})")
        cells = [_cell(world, s, t, width, colour=colour) for t in world.members(number)]
        rows = range(0, len(cells), _COLUMNS)
        lines += ["  " + "   ".join(cells[row : row + _COLUMNS]) for row in rows]
    if s.phase != DEAL:
        lines += [_seat_line(s, seat, colour=colour) for seat in range(s.players)]
        lines += last_campaign(world, s)
    return "\n".join(lines)


def headline(world: WorldMap, s: Any) -> str:
    """Whose turn it is, or who has won and why."""
    if s.phase == DEAL:
        return f"{world.title}: territories are to be dealt"
    if s.phase in (CAMPAIGN, BATTLE):
        doing = "to move" if s.phase == CAMPAIGN else "fights"
        return (
            f"{world.title}: round {s.rounds_played + 1} of {s.round_limit}, seat {s.mover} {doing}"
        )
    strengths = [int(strength(s, seat)) for seat in range(s.players)]
    best = strengths.index(max(strengths))
    if max(s.land) == s.territories:
        return f"{world.title}: seat {best} has conquered the world"
    limit = f"round limit {s.round_limit} reached"
    return f"{world.title}: {limit}; seat {best} is strongest and wins"


def last_campaign(world: WorldMap, s: Any) -> list[str]:
    """A line on the campaign under way or just fought; none if there was none."""
    if not (int(s.campaign) >> SOURCE_BITS) & STEPS_MASK:
        return []
    names = " > ".join(world.territories[t].name for t in path_of(int(s.campaign)))
    if s.outcome == 0:
        return [f"under way: {names}"]
    if s.outcome > 0:
        return [f"last campaign: {names}: arrived with {int(s.outcome) - ARRIVED}"]
    return [f"last campaign: {names}: stalled, {-int(s.outcome)} defenders left"]


def _cell(world: WorldMap, s: Any, territory: int, width: int, *, colour: bool) -> str:
    owner = int(s.owner[territory])
    name = f"{world.territories[territory].name:{width}}"
    if owner == NOBODY:
        return f"{name}  -     "
    text = f"{name} {owner}:{int(s.armies[territory]):<4}"
    return painted(text, SEAT_COLOURS[owner], colour=colour)


def _seat_line(s: Any, seat: int, *, colour: bool) -> str:
    if s.land[seat] == 0:
        return f"  seat {seat}  out"
    mark = ">" if seat == s.mover and s.phase in (CAMPAIGN, BATTLE) else " "
    line = (
        f"{mark} seat {seat}  {s.land[seat]:2} territories  {s.troops[seat]:4} armies  "
        f"+{income(s, seat)} a turn"
    )
    return painted(line, SEAT_COLOURS[seat], colour=colour)
