"""The board in the terminal: territories with owner, armies and borders."""

from __future__ import annotations

from itertools import zip_longest
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
#: More territories are listed in two columns, with all seats on one line.
_ONE_COLUMN = 14
_SHORTEST_NAME = 6
#: A code and `owner:armies` of up to two digits.
_HOLDER = 7
#: Spaces between columns.
_GAP = 2
#: Before the short form of all seats, where there is room for it.
_LEGEND = "land/armies+income "


def draw(world: WorldMap, s: Any, *, colour: bool) -> str:
    """A line for each territory: code, `owner:armies`, name and the codes of its neighbours.

    A code is the letter of the continent and a number; the first line has the bonuses. On large
    maps there are two columns, and a seat is `territories/armies+reinforcements`.
    """
    large = len(world.territories) > _ONE_COLUMN
    lines = _head(world, s) + _board(world, s, columns=2 if large else 1, colour=colour)
    if s.phase == DEAL:
        return "\n".join(lines)
    if large:
        plain = " ".join(_short_seat(s, seat, colour=False) for seat in range(s.players))
        seats = " ".join(_short_seat(s, seat, colour=colour) for seat in range(s.players))
        lines.append(f"{_LEGEND}{seats}" if len(_LEGEND + plain) <= _WIDTH else seats)
    else:
        lines += [_seat_line(s, seat, colour=colour) for seat in range(s.players)]
    campaign = [line[:_WIDTH] for line in last_campaign(world, s)]
    return "\n".join(lines + campaign if len(lines) < _HEIGHT else lines)


def _head(world: WorldMap, s: Any) -> list[str]:
    pairs = zip(world.letters, world.continents, strict=True)
    bonuses = " ".join(f"{letter}+{continent.bonus}" for letter, continent in pairs)
    bonuses = f"whole continents earn {bonuses}"
    line = headline(world, s)
    short = line.removeprefix(f"{world.title}: ")
    for head in (line, short):
        if len(head) + len(bonuses) + 2 <= _WIDTH:
            return [f"{head}; {bonuses}"]
    return [line, bonuses]


def _board(world: WorldMap, s: Any, *, columns: int, colour: bool) -> list[str]:
    order = [t for number in range(len(world.continents)) for t in world.members(number)]
    rows = -(-len(order) // columns)
    cells = [_Cell(world, s, territory) for territory in order]
    shown = [cells[first : first + rows] for first in range(0, len(cells), rows)]
    widths = [max(map(len, column)) for column in shown]
    spare = _WIDTH - sum(widths) - _GAP * (columns - 1)
    if spare < 0:
        # Only names can be shorter: all columns give up as much.
        widths = [width + spare // columns for width in widths]
    texts = [
        [cell.text(width, colour=colour) for cell in column]
        for column, width in zip(shown, widths, strict=True)
    ]
    return [(" " * _GAP).join(line).rstrip() for line in zip_longest(*texts, fillvalue="")]


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
    """A line about the current or last campaign, if any."""
    if not (int(s.campaign) >> SOURCE_BITS) & STEPS_MASK:
        return []
    names = " > ".join(world.territories[t].name for t in path_of(int(s.campaign)))
    if s.outcome == 0:
        return [f"under way: {names}"]
    if s.outcome > 0:
        return [f"last campaign: {names}: arrived with {int(s.outcome) - ARRIVED}"]
    left = -int(s.outcome)
    return [f"last campaign: {names}: stalled, {left} defender{'s' * (left != 1)} left"]


class _Cell:
    """One territory: code, `owner:armies` and name at the left, its neighbours at the right."""

    def __init__(self, world: WorldMap, s: Any, territory: int) -> None:
        land = world.territories[territory]
        owner = int(s.owner[territory])
        held = "-" if owner == NOBODY else f"{owner}:{int(s.armies[territory])}"
        self.style = "" if owner == NOBODY else SEAT_COLOURS[owner]
        self.holder = f"{world.codes[territory]} {held}"
        self.name = land.name
        self.near = " ".join(world.codes[border] for border in land.borders)

    def __len__(self) -> int:
        return len(self.holder) + len(self.name) + len(self.near) + 2

    def text(self, width: int, *, colour: bool) -> str:
        room = max(width - len(self.near) - 1, len(self.holder) + 1 + _SHORTEST_NAME)
        # Names begin at one place, but for those that need all the room there is.
        for holder in (f"{self.holder:{_HOLDER}}", self.holder):
            if len(land := f"{holder} {self.name}") <= room:
                break
        return f"{painted(f'{land[:room]:{room}}', self.style, colour=colour)} {self.near}"


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
