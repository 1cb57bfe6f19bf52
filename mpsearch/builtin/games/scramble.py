"""Scramble: a race for 2 to 6 runners who bump and trip each other.

Each runner starts on square 0 with 3 stamina. On its turn it runs 1, 2 or 3 squares, or trips
somebody. Running 1 restores 1 stamina (up to 6), running 2 costs 1, running 3 costs 2. A runner
that ends on an occupied square bumps everybody there back 3 squares. Tripping costs 2 stamina
and throws back by 2 squares a runner at most 4 squares away. Square 0 is safe. The first on the
last square wins; after `plies` moves nobody does. With `back` a trip throws back so many squares
and a bump one more; with 0 neither does, and nobody can touch anybody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import OVER, Bounds, CompiledEvaluator, CompiledGame, Field, Rules, compiled
from mpsearch.errors import MoveError

SEATS = 6
START_STAMINA = 3
MOST_STAMINA = 6
LONGEST_RUN = 3
TRIP_COST = 2
TRIP_RANGE = 4
LONGEST_TRACK = 100
#: Moves 1 to 3 run that far; TRIP + seat trips that seat.
TRIP = 10

STATE = np.dtype(
    [
        ("square", "i8", SEATS),
        ("stamina", "i8", SEATS),
        ("mover", "i8"),
        ("players", "i8"),
        ("length", "i8"),
        ("plies_left", "i8"),
        ("finished", "i8"),
        # Squares that a trip and a bump throw back.
        ("trip_back", "i8"),
        ("bump_back", "i8"),
    ],
    align=True,
)


@compiled
def mover(s: Any) -> int:
    return OVER if s.finished else s.mover


@compiled
def moves(s: Any, out: Any) -> int:
    me = s.mover
    count = 0
    for squares in range(1, LONGEST_RUN + 1):
        if squares - 1 <= s.stamina[me]:
            out[count] = squares
            count += 1
    if s.stamina[me] >= TRIP_COST:
        for seat in range(s.players):
            away = abs(s.square[seat] - s.square[me])
            if seat != me and s.square[seat] > 0 and away <= TRIP_RANGE:
                out[count] = TRIP + seat
                count += 1
    return count


@compiled
def play(s: Any, move: int) -> None:
    me = s.mover
    if move >= TRIP:
        s.stamina[me] -= TRIP_COST
        victim = move - TRIP
        s.square[victim] = max(s.square[victim] - s.trip_back, 0)
    else:
        s.stamina[me] += 1 if move == 1 else 1 - move
        s.stamina[me] = min(s.stamina[me], MOST_STAMINA)
        s.square[me] = min(s.square[me] + move, s.length)
        for seat in range(s.players):
            if seat != me and s.square[seat] == s.square[me]:
                s.square[seat] = max(s.square[seat] - s.bump_back, 0)
    s.plies_left -= 1
    if s.square[me] == s.length or s.plies_left == 0:
        s.finished = 1
    s.mover = me + 1 if me + 1 < s.players else 0


@compiled
def payoff(s: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = 1.0 if s.square[seat] == s.length else 0.0


@compiled
def progress(s: Any, parameters: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = 100.0 * s.square[seat] / s.length


@compiled
def share(s: Any, parameters: Any, out: Any) -> None:
    """Each runner's share of all squares run and stamina left; all of it for a winner."""
    total = 0.0
    for seat in range(s.players):
        out[seat] = 1.0 + s.square[seat] + parameters[0] * s.stamina[seat]
        total += out[seat]
    for seat in range(s.players):
        if s.square[seat] == s.length:
            for other in range(s.players):
                out[other] = 0.0
            out[seat] = 100.0
            return
    for seat in range(s.players):
        out[seat] = 100.0 * out[seat] / total


RULES = Rules(
    state=STATE,
    mover=mover,
    moves=moves,
    play=play,
    payoff=payoff,
    most_moves=LONGEST_RUN + SEATS,
    fields=(
        Field(name="square", values=(0, LONGEST_TRACK), by_seat=True),
        Field(name="stamina", values=(0, MOST_STAMINA), by_seat=True),
        Field(name="mover", seats=True),
    ),
)


class Scramble(CompiledGame):
    """Scramble on a track of `length` squares."""

    rules = RULES

    def __init__(self, *, players: int, length: int, plies: int, back: int = 2) -> None:
        self.players = players
        self.length = length
        self.plies = plies
        self.back = back

    def setup(self, s: Any) -> None:
        s.players = self.players
        s.length = self.length
        s.plies_left = self.plies
        s.stamina[: self.players] = START_STAMINA
        s.trip_back = self.back
        s.bump_back = self.back + 1 if self.back else 0

    def write(self, move: int) -> str:
        return f"x{move - TRIP}" if move >= TRIP else f"+{move}"

    def read(self, text: str) -> int:
        kind, number = text[:1], text[1:]
        if kind in ("+", "x") and number.isdecimal() and len(number) == 1:
            return int(number) if kind == "+" else TRIP + int(number)
        raise MoveError(f"move '{text}' is neither a run such as '+2' nor a trip such as 'x3'")

    def objection(self, state: Any, move: int) -> str:
        s = self.record(state)
        me = int(s.mover)
        if move < TRIP:
            if not 1 <= move <= LONGEST_RUN:
                return f"a run is 1 to {LONGEST_RUN} squares"
            return f"it costs {move - 1} stamina and there is {s.stamina[me]}"
        victim = move - TRIP
        if victim >= self.players or victim == me:
            return "it names no other runner"
        if s.stamina[me] < TRIP_COST:
            return f"it costs {TRIP_COST} stamina and there is {s.stamina[me]}"
        if s.square[victim] == 0:
            return f"seat {victim} is safe on the first square"
        return f"seat {victim} is more than {TRIP_RANGE} squares away"

    def picture(self, view: Any, *, colour: bool = False) -> str:
        s = self.record(view)
        lines = []
        for seat in range(self.players):
            at = int(s.square[seat])
            track = "".join("o" if square == at else "." for square in range(self.length + 1))
            mark = ">" if seat == s.mover and not s.finished else " "
            line = f"{mark} seat {seat}  {track}  square {at:2}  stamina {s.stamina[seat]}"
            lines.append(f"[bold]{line}[/bold]" if colour and mark == ">" else line)
        return "\n".join(lines)


def make_progress(game: Scramble) -> CompiledEvaluator:
    step = 100 / game.length
    greatest = 100 + (game.players - 1) * (100 - step)
    bounds = Bounds(step=step, total=(0, greatest))
    return CompiledEvaluator(game, progress, bounds=bounds, own_affairs=True)


def make_share(game: Scramble, *, stamina: float) -> CompiledEvaluator:
    return CompiledEvaluator(game, share, bounds=Bounds(total=(100, 100)), parameters=[stamina])
