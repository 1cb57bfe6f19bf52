"""Match: a finished game, as returned by `play`."""

from __future__ import annotations

import functools
import os
from typing import Any

import attrs

from mpsearch._util import html_table, text_table
from mpsearch.contracts import CHANCE, Array, Game, State, forfeit_payoff, winners
from mpsearch.errors import ForfeitError
from mpsearch.match.record.format import (
    FORFEIT,
    Record,
    Setting,
    mark_entry,
    ply_entry,
    result_entry,
)
from mpsearch.match.record.write import write_record
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
    #: The seat that forfeited the game, and why; None if it was played to its end.
    forfeit: ForfeitError | None = None

    @property
    def payoff(self) -> Array:
        """The result by seat. Shape (P,)."""
        if self.forfeit is not None:
            return forfeit_payoff(self.game.players, self.forfeit.seat)
        return self.game.payoff(self.state)

    @property
    def winners(self) -> list[int]:
        """The seats with the greatest payoff; nobody where all are equal."""
        return winners(self.payoff)

    @property
    def record(self) -> Record:
        """The game's record."""
        return Record(setting=self.setting, lines=self._lines, payoff=self.payoff)

    @functools.cached_property
    def _lines(self) -> tuple[dict[str, Any], ...]:
        lines = [ply_entry(self.game, ply) for ply in self.plies]
        if (lost := self.forfeit) is not None:
            lines.append(mark_entry(FORFEIT, ply=len(lines), seat=lost.seat, why=lost.why))
        return tuple(lines)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record, which `mpsearch replay` reads, to a new file."""
        write_record(path, self.setting, [*self._lines, result_entry(self.payoff)])

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
