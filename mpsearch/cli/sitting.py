"""Sitting: one game at the terminal, from the first ply or from where it was left."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mpsearch.cli.common import numbers
from mpsearch.cli.lines import in_columns, wrapped
from mpsearch.company import hints
from mpsearch.contracts import CHANCE, Array, Player, State, Turn
from mpsearch.contracts.spelling import written_line
from mpsearch.errors import MpsearchError
from mpsearch.match import Ply, RecordWriter, Setting, TakenBackError, undo_point
from mpsearch.match.record import (
    HINT,
    HURRY,
    RESIGN,
    RESUME,
    UNDO,
    header_entry,
    mark_entry,
    ply_entry,
    standing,
)
from mpsearch.table import Table

#: Longer moves, such as whole deals, are cut where a ply is one line.
_LONGEST = 48


class LeftError(MpsearchError):
    """The person left the table."""


class ResignedError(LeftError):
    """The person gave up."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} resigned")
        self.seat = seat


class Sitting:
    """The plies of a game so far, their lines for a record, and the file that gets them."""

    def __init__(self, table: Table, setting: Setting, past: list[Ply], lines: list[Any]) -> None:
        self.table = table
        self.setting = setting
        self.plies = past
        #: The lines of the record after its head, marks included.
        self.lines = lines
        #: Whether everything that was to be recorded is.
        self.whole = True
        self._writer: RecordWriter | None = None
        self._recorded = 0

    @property
    def viewers(self) -> list[int]:
        """Who is looking: the people at the terminal, or, where there are none, everybody."""
        return list(self.setting.people) or list(range(self.setting.players))

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.plies[-1].state if self.plies else self.setting.first_state(self.table.game)

    def record_to(self, path: Path) -> None:
        """From now on, and with all that was, write the game to a new file."""
        self._writer = RecordWriter(path, self.setting)
        for line in self.lines:
            self._write(line)

    def go_on_in(self, path: Path) -> None:
        """Go on in the file that the game was taken from."""
        self._writer = RecordWriter.resume(path)
        self.note(mark_entry(RESUME, ply=len(self.plies)))

    def play(self, players: list[Player]) -> Iterator[Ply]:
        """Every ply to the end; a person may take moves back, and they are played anew."""
        while True:
            past = [ply.move for ply in self.plies]
            try:
                for ply in self.table.plies(self.setting, players, past=past):
                    self.plies.append(ply)
                    self.note(ply_entry(self.table.game, ply))
                    yield ply
                return
            except TakenBackError as taken:
                del self.plies[taken.ply :]
                self.note(mark_entry(UNDO, ply=taken.ply, seat=taken.seat))
            except ResignedError as resigned:
                self.note(mark_entry(RESIGN, ply=len(self.plies), seat=resigned.seat))
                raise

    def note(self, line: dict[str, Any]) -> None:
        """One more line. The game goes on when the disk is full."""
        self.lines.append(line)
        self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        if self._writer is not None and self.whole:
            try:
                self._writer.write(line)
                self._recorded = len(self.plies)
            except MpsearchError as error:
                self.whole = False
                print(f"mpsearch: {error}; the game goes on without it", file=sys.stderr)

    def words(self) -> str:
        """Where to find what was played."""
        if self._writer is None:
            return ""
        return f"; {self._recorded} plies are in {self._writer.path}"

    def close(self) -> None:
        if self._writer is not None:
            self._writer.__exit__(None, None, None)

    def save(self, path: Path) -> None:
        """Write the game so far to a new file."""
        with RecordWriter(path, self.setting) as record:
            for line in self.lines:
                record.write(line)

    def document(self, result: dict[str, Any]) -> dict[str, Any]:
        """The game as JSON has it."""
        moves = standing(line for line in self.lines if "payoff" not in line)
        return {**header_entry(self.setting), **result, "moves": moves}

    def undo_point(self, seat: int) -> int:
        """From which ply on the seat may take moves back; UsageError says why it may not."""
        return undo_point(self.table.game, [ply.seat for ply in self.plies], seat)

    def hurried(self, seat: int) -> None:
        """Mark that an agent was not given the time it wanted."""
        self.note(mark_entry(HURRY, ply=len(self.plies), seat=seat))

    def hint(self, turn: Turn) -> str:
        """What three agents would play in the person's place, and what they expect of it."""
        self.note(mark_entry(HINT, ply=len(self.plies), seat=turn.seat))
        game = self.table.game
        lines = [f"  values are those of seats {', '.join(map(str, range(game.players)))}"]
        for found in hints(self.table, turn, seed=len(self.plies)):
            name = found.agent.partition(":")[0]
            parts = [f"  {name:9} {found.move:8}", f"value{numbers(found.report.value)}"]
            # With hidden cards the line was found in one drawn world: its cards are made up.
            then = "" if game.hidden else " ".join(found.written(found.report.line)[1:4])
            lines.append(in_columns([*parts, f"then {then}"] if then else parts, " " * 12))
        return "\n".join(lines)

    def why(self, seat: int) -> str:
        """The moves of the others since the seat's last one, with stance and matrix."""
        since = max((ply.number for ply in self.plies if ply.seat == seat), default=-1)
        shown = [p for p in self.plies[since + 1 :] if p.seat not in (CHANCE, seat)]
        lines = [line for ply in shown for line in self._why(ply)]
        return "\n".join(lines) or "  nobody has moved since"

    def _why(self, ply: Ply) -> Iterator[str]:
        yield told(self.table, ply, self.viewers)
        decision = ply.decision
        if decision is None or decision.stance is None:
            yield "        it does not search, or was recorded: there is nothing to tell"
            return
        yield from (f"        {line}" for line in _cares(decision.stance.matrix))
        if decision.report is not None and not self.table.game.hidden:
            line = " ".join(written_line(self.table.game, ply.before, decision.report.line[:6]))
            told_of = f"expected: {line}; {decision.nodes:,} nodes, depth {decision.depth}"
            yield wrapped(told_of, indent=" " * 8)


def _cares(matrix: Array) -> Iterator[str]:
    """Who cares about whom, a line for all seats that do so alike."""
    alike: dict[tuple[float, ...], list[str]] = {}
    selfish = []
    for seat, row in enumerate(matrix):
        if row[seat] == 1 and np.count_nonzero(row) == 1:
            selfish.append(str(seat))
        else:
            alike.setdefault(tuple(row), []).append(str(seat))
    for row, seats in alike.items():
        # What rounds to nothing is nothing, and has no sign.
        yield f"{_subject(seats)}  {' '.join(f'{round(entry, 2) + 0.0:g}' for entry in row)}"
    if selfish:
        yield f"{_subject(selfish)} about {'itself' if len(selfish) == 1 else 'themselves'}"


def _subject(seats: list[str]) -> str:
    return f"seat {seats[0]} cares" if len(seats) == 1 else f"seats {', '.join(seats)} care"


def told(table: Table, ply: Ply, viewers: Sequence[int] = ()) -> str:
    """A ply in one line or two, as far as every viewer, or every seat, saw it alike."""
    game = table.game
    # The ply is the referee's; all that is shown of its move is what every viewer saw alike.
    seen = [game.seen(ply.before, ply.move, seat) for seat in viewers or range(game.players)]
    common = seen[0] is not None and all(other == seen[0] for other in seen)
    move = (
        game.write_in(ply.before, seen[0])
        if common
        else "(hidden)"
        if ply.seat == CHANCE
        else "(secret)"
    )
    if len(move) > _LONGEST:
        move = move[: _LONGEST - 4] + " ..."
    if ply.seat == CHANCE:
        parts = [f"{ply.number:4}  chance  {move}"]
    else:
        parts = [f"{ply.number:4}  seat {ply.seat}  {move:8}"]
        decision = ply.decision
        if decision is not None and decision.stance is not None:
            stance = decision.stance
            target = "" if stance.target is None else f" -> seat {stance.target}"
            parts.append(f"{stance.label}{target}")
        if decision is not None and decision.value is not None and not game.hidden:
            parts.append(f"expects{numbers(decision.value)}")
    remark = game.remark(ply.before, ply.move)
    return in_columns([*parts, remark] if remark else parts, " " * 14)
