"""The board in the terminal: territories with owner, armies and borders."""

from __future__ import annotations

from typing import Any

from mpsearch.gamekit import SEAT_COLOURS, painted
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

#: A terminal of 80 columns and 24 lines, with a line for the prompt.
_WIDTH, _HEIGHT = 79, 23
#: More territories than this go into two columns, and all seats into one line.
_ONE_COLUMN = 14
_SHORTEST_NAME = 6


def draw(world: WorldMap, s: Any, *, colour: bool) -> str:
    """A line for each territory: code, name, `owner:armies` and the codes of its neighbours.

    A code is the letter of the continent and a number; the first line has the bonuses. On large
    maps there are two columns, names are cut, and a seat is `territories/armies+reinforcements`.
    """
    large = len(world.territories) > _ONE_COLUMN
    lines = _head(world, s) + _board(world, s, columns=2 if large else 1, colour=colour)
    if s.phase == DEAL:
        return "\n".join(lines)
    if large:
        seats = (_short_seat(s, seat, colour=colour) for seat in range(s.players))
        lines.append(" ".join(seats))
    else:
        lines += [_seat_line(s, seat, colour=colour) for seat in range(s.players)]
    campaign = [line[:_WIDTH] for line in last_campaign(world, s)]
    return "\n".join(lines + campaign if len(lines) < _HEIGHT else lines)


def _head(world: WorldMap, s: Any) -> list[str]:
    pairs = zip(world.letters, world.continents, strict=True)
    bonuses = " ".join(f"{letter}+{continent.bonus}" for letter, continent in pairs)
    line = headline(world, s)
    fits = len(line) + len(bonuses) + 2 <= _WIDTH
    return [f"{line}  {bonuses}"] if fits else [line, bonuses]


def _board(world: WorldMap, s: Any, *, columns: int, colour: bool) -> list[str]:
    order = [t for number in range(len(world.continents)) for t in world.members(number)]
    near = [" ".join(world.codes[border] for border in land.borders) for land in world.territories]
    code, border = max(map(len, world.codes)), max(map(len, near))
    # Code, name, "owner:armies" and neighbours, and the spaces between them.
    room = _WIDTH // columns - (code + 1 + 1 + 5 + 1 + border)
    longest = max(len(land.name) for land in world.territories)
    name = max(min(longest, room), _SHORTEST_NAME)
    cells = [_cell(world, s, t, near[t], widths=(code, name, border), colour=colour) for t in order]
    rows = -(-len(cells) // columns)
    return [" ".join(cells[row::rows]).rstrip() for row in range(rows)]


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
    left = -int(s.outcome)
    return [f"last campaign: {names}: stalled, {left} defender{'s' * (left != 1)} left"]


def _cell(
    world: WorldMap,
    s: Any,
    territory: int,
    near: str,
    *,
    widths: tuple[int, int, int],
    colour: bool,
) -> str:
    owner = int(s.owner[territory])
    code, name, border = widths
    held = "-" if owner == NOBODY else f"{owner}:{int(s.armies[territory])}"
    land = world.territories[territory].name[:name]
    text = f"{world.codes[territory]:{code}} {land:{name}} {held:5}"
    style = "" if owner == NOBODY else SEAT_COLOURS[owner]
    return f"{painted(text, style, colour=colour)} {near:{border}}"


def _short_seat(s: Any, seat: int, *, colour: bool) -> str:
    mark = ">" if seat == s.mover and s.phase in (CAMPAIGN, BATTLE) else " "
    held = f"{s.land[seat]}/{s.troops[seat]}+{income(s, seat)}" if s.land[seat] else "out"
    return painted(f"{mark}{seat} {held}", SEAT_COLOURS[seat], colour=colour)


def _seat_line(s: Any, seat: int, *, colour: bool) -> str:
    if s.land[seat] == 0:
        return f"  seat {seat}  out"
    mark = ">" if seat == s.mover and s.phase in (CAMPAIGN, BATTLE) else " "
    line = (
        f"{mark} seat {seat}  {s.land[seat]:2} territories  {s.troops[seat]:4} armies  "
        f"+{income(s, seat)} a turn"
    )
    return painted(line, SEAT_COLOURS[seat], colour=colour)
