"""Match: a game that was played, as Python sees it."""

from __future__ import annotations

import os
from typing import Any

import attrs

from mpsearch._util import html_table, text_table
from mpsearch.contracts import CHANCE, Array, Game, State, winners
from mpsearch.errors import ForfeitError
from mpsearch.match.record.format import (
    FORFEIT,
    Record,
    Setting,
    final_payoff,
    mark_entry,
    ply_entry,
    result_entry,
)
from mpsearch.match.record.write import RecordWriter
from mpsearch.match.referee import Ply


@attrs.frozen(kw_only=True)
class Match:
    """A finished game: who played, every ply with its decision, and the result."""

    setting: Setting
    game: Game = attrs.field(repr=False)
    #: Moves and outcomes of chance, in order.
    plies: tuple[Ply, ...] = attrs.field(repr=False)
    #: The last state.
    state: State = attrs.field(repr=False)
    #: Who ended the game by forfeiting it, and why; None if it was played to its end.
    forfeit: ForfeitError | None = None

    @property
    def payoff(self) -> Array:
        """The result by seat. Shape (P,)."""
        return final_payoff(self.game, self.state, self._marks)

    @property
    def _marks(self) -> list[dict[str, Any]]:
        """The line of the record that says who forfeited, if somebody did."""
        if self.forfeit is None:
            return []
        seat, why = self.forfeit.seat, self.forfeit.why
        return [mark_entry(FORFEIT, ply=len(self.plies), seat=seat, why=why)]

    @property
    def winners(self) -> list[int]:
        """The seats with the greatest payoff; nobody where all are equal."""
        return winners(self.payoff)

    @property
    def record(self) -> Record:
        """The game as it is recorded."""
        entries = (*(ply_entry(self.game, ply) for ply in self.plies), *self._marks)
        return Record(
            setting=self.setting, lines=entries, payoff=self.payoff, winners=tuple(self.winners)
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record, which `mpsearch replay` reads; no file is written over."""
        with RecordWriter(path, self.setting) as record:
            for ply in self.plies:
                record.write(ply_entry(self.game, ply))
            for mark in self._marks:
                record.write(mark)
            record.write(result_entry(self.payoff))

    def __str__(self) -> str:
        return f"{self._headline()}\n{text_table(*self._seats())}"

    def _repr_html_(self) -> str:
        picture = self.game.svg(self.state)
        return html_table(*self._seats(), caption=self._headline(), picture=picture)

    def _headline(self) -> str:
        moves = sum(ply.seat != CHANCE for ply in self.plies)
        ended = "" if self.forfeit is None else f"; {self.forfeit}"
        return f"{self.setting.game}, seed {self.setting.seed}: {moves} moves{ended}"

    def _seats(self) -> tuple[list[str], list[list[str]]]:
        best = self.winners
        return ["seat", "agent", "payoff", ""], [
            [str(seat), text, f"{payoff:g}", "wins" if seat in best else ""]
            for seat, (text, payoff) in enumerate(
                zip(self.setting.agents, self.payoff.tolist(), strict=True)
            )
        ]
