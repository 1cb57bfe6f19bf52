"""LiveGame: a game in progress, with its record, undo and resume."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from mpsearch.contracts import OVER, Array, Game, Player, State
from mpsearch.errors import ForfeitError, MpsearchError
from mpsearch.match.record.format import (
    FORFEIT,
    UNDO,
    Record,
    Setting,
    final_payoff,
    forfeiting_seat,
    header_entry,
    mark_entry,
    ply_entry,
    result_entry,
)
from mpsearch.match.record.replay import recalled
from mpsearch.match.record.write import RecordWriter, record_line, write_record
from mpsearch.match.referee import Ply
from mpsearch.match.undo import TakenBackError
from mpsearch.match.variations import VariationTree


@attrs.frozen(kw_only=True)
class History:
    """A snapshot of a game: its plies, and the lines of its record."""

    game: Game = attrs.field(repr=False)
    setting: Setting
    #: The state before the first ply.
    first: State
    plies: tuple[Ply, ...]
    #: The line of each ply in the record.
    entries: tuple[dict[str, Any], ...]
    #: All lines of the record after its header, with marks and plies that were taken back.
    lines: tuple[dict[str, Any], ...]
    #: The number of undos since the game was begun or resumed.
    undos: int

    def state(self, ply: int) -> State:
        return self.plies[ply - 1].state if ply else self.first

    def mover(self, ply: int) -> int:
        """The seat to move after so many plies, CHANCE or OVER."""
        return self.game.mover(self.state(ply))

    @property
    def over(self) -> bool:
        forfeited = forfeiting_seat(self.lines) is not None
        return forfeited or self.mover(len(self.plies)) == OVER

    def record(self, variations: Sequence[dict[str, Any]] = ()) -> Record:
        """The game as a record, with its variations."""
        payoff, tried = self.payoff, tuple(variations)
        return Record(setting=self.setting, lines=self.lines, payoff=payoff, variations=tried)

    @property
    def payoff(self) -> Array | None:
        """The result; None before the end. Shape (P,)."""
        last = self.state(len(self.plies))
        return final_payoff(self.game, last, self.lines) if self.over else None

    def variation_tree(self, seat: int | None = None) -> VariationTree:
        """The game's positions, for variations; of a hidden game perhaps for one seat."""
        return VariationTree(self.game, self.first, self.plies, self.entries, seat=seat)

    def record_text(self, variations: Sequence[dict[str, Any]] = ()) -> str:
        """The text of a record, with its variations."""
        entries = [header_entry(self.setting, variations), *self.lines]
        if self.payoff is not None:
            entries.append(result_entry(self.payoff))
        return "".join(f"{record_line(entry)}\n" for entry in entries)


class LiveGame:
    """The plies of a game so far, the lines of its record, and the file they are written to.

    Every line is written before anybody hears of it: what was shown is never lost. One thread
    plays; others may add marks and read the history meanwhile.
    """

    def __init__(
        self,
        game: Game,
        setting: Setting,
        *,
        past: Record | None = None,
        changed: Callable[[], None] = lambda: None,
        unwritten: Callable[[MpsearchError], None] | None = None,
    ) -> None:
        """A new game, or the one in a record; RecordError if that contradicts the rules.

        `changed` is called after every line. With `unwritten`, which is called with the error, the
        game continues without a record when the disk is full.
        """
        self.game, self.setting = game, setting
        self.first = setting.first_state(game)
        self.plies: list[Ply] = [] if past is None else list(recalled(game, past))
        self.entries: list[dict[str, Any]] = [] if past is None else [*past.plies]
        self.lines: list[dict[str, Any]] = [] if past is None else [*past.lines]
        self.undos = 0
        #: The seat that forfeited the game, and why.
        self.forfeit: ForfeitError | None = None
        #: The last line of the record, once the game is over.
        self.result: dict[str, Any] | None = None
        #: The record's file, the number of plies in it, and whether it has every line.
        self.path: Path | None = None
        self.recorded, self.whole = 0, True
        self._changed, self._unwritten = changed, unwritten
        self._writer: RecordWriter | None = None
        self._closed = False
        # Readers never wait for the disk.
        self._writing, self._lists = threading.RLock(), threading.Lock()

    @property
    def state(self) -> State:
        return self.plies[-1].state if self.plies else self.first

    @property
    def over(self) -> bool:
        return self.forfeit is not None or self.game.mover(self.state) == OVER

    def history(self) -> History:
        """A snapshot of the game so far."""
        with self._lists:
            return History(
                game=self.game,
                setting=self.setting,
                first=self.first,
                plies=tuple(self.plies),
                entries=tuple(self.entries),
                lines=tuple(self.lines),
                undos=self.undos,
            )

    def record_to(self, path: Path) -> None:
        """Write the game to a new file: all lines so far, and every later one."""
        self._writer, self.path = RecordWriter(path, self.setting), path
        for line in self.lines:
            self._write(line)
        self.recorded = len(self.plies) if self.whole else 0

    def resume_in(self, path: Path) -> None:
        """Continue in the file that the game was read from."""
        self._writer, self.path = RecordWriter.resume(path), path

    def save(self, path: Path) -> None:
        write_record(path, self.setting, self.lines)

    def play(self, players: Sequence[Player], *, reports: bool = False) -> Iterator[Ply]:
        """Every ply to the end; after an undo, play continues from there.

        With `reports`, search reports are made at once, not when they are asked for.
        """
        while True:
            past = [ply.move for ply in self.plies]
            try:
                for ply in self.setting.play(self.game, players, past=past):
                    decision = ply.decision
                    if reports and decision is not None:
                        decision = attrs.evolve(decision, report=decision.report)
                        ply = attrs.evolve(ply, decision=decision)
                    self._add(ply_entry(self.game, ply), ply)
                    yield ply
                break
            except ForfeitError as forfeit:
                self.mark(FORFEIT, forfeit.seat, why=forfeit.why)
                self.forfeit = forfeit
                break
            except TakenBackError as taken:
                self.mark(UNDO, taken.seat, ply=taken.ply)
        with self._writing:
            self.result = result_entry(final_payoff(self.game, self.state, self.lines))
            self._write(self.result)
            self.close()

    def mark(
        self, mark: str, seat: int | None = None, *, ply: int | None = None, why: str | None = None
    ) -> None:
        """Record something other than a move, at the current ply unless another is given."""
        with self._writing:
            if not self._closed:
                ply = len(self.plies) if ply is None else ply
                self._add(mark_entry(mark, ply=ply, seat=seat, why=why))

    def close(self) -> None:
        with self._writing:
            self._closed = True
            if self._writer is not None:
                self._writer.close()

    def _add(self, line: dict[str, Any], ply: Ply | None = None) -> None:
        with self._writing:
            self._write(line)
            with self._lists:
                self.lines.append(line)
                if ply is not None:
                    self.plies.append(ply)
                    self.entries.append(line)
                elif line["mark"] == UNDO:
                    del self.plies[line["ply"] :], self.entries[line["ply"] :]
                    self.undos += 1
            if self.whole:
                self.recorded = len(self.plies)
        self._changed()

    def _write(self, line: dict[str, Any]) -> None:
        if self._writer is None or not self.whole:
            return
        try:
            self._writer.write(line)
        except MpsearchError as error:
            if self._unwritten is None:
                raise
            self.whole = False
            self._unwritten(error)
