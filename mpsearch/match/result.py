"""Match: a game that was played, as Python sees it."""

from __future__ import annotations

import os

import attrs

from mpsearch._util import html_table, text_table
from mpsearch.contracts import CHANCE, Array, Game, State, winners
from mpsearch.match.record.format import Record, Setting, ply_entry, result_entry
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

    @property
    def payoff(self) -> Array:
        """The result by seat. Shape (P,)."""
        return self.game.payoff(self.state)

    @property
    def winners(self) -> list[int]:
        """The seats with the greatest payoff; nobody where all are equal."""
        return winners(self.payoff)

    @property
    def record(self) -> Record:
        """The game as it is recorded."""
        entries = tuple(ply_entry(self.game, ply) for ply in self.plies)
        return Record(
            setting=self.setting, lines=entries, payoff=self.payoff, winners=tuple(self.winners)
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record, which `mpsearch replay` reads; no file is written over."""
        with RecordWriter(path, self.setting) as record:
            for ply in self.plies:
                record.write(ply_entry(self.game, ply))
            record.write(result_entry(self.payoff))

    def __str__(self) -> str:
        return f"{self._headline()}\n{text_table(*self._seats())}"

    def _repr_html_(self) -> str:
        return html_table(*self._seats(), caption=self._headline())

    def _repr_svg_(self) -> str | None:
        return self.game.svg(self.state)

    def _headline(self) -> str:
        moves = sum(ply.seat != CHANCE for ply in self.plies)
        return f"{self.setting.game}, seed {self.setting.seed}: {moves} moves"

    def _seats(self) -> tuple[list[str], list[list[str]]]:
        best = self.winners
        return ["seat", "agent", "payoff", ""], [
            [str(seat), text, f"{payoff:g}", "wins" if seat in best else ""]
            for seat, (text, payoff) in enumerate(
                zip(self.setting.agents, self.payoff.tolist(), strict=True)
            )
        ]
