"""Explanation: one decision of a searching agent, as text, HTML and JSON."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch._util import Array, filled, html_table, optional_array_field, text_table
from mpsearch.agents.search_agent import decided
from mpsearch.agents.why_in_words import reasons
from mpsearch.contracts import (
    Game,
    Move,
    Propagator,
    Report,
    RootMove,
    State,
    Turn,
    any_world,
    written_line,
)

#: A compilation of this many seconds is mentioned.
_NOTABLE = 0.1
#: The number of moves that a notebook shows.
_IN_NOTEBOOKS = 10


@attrs.frozen(kw_only=True)
class Explanation:
    """What every move is worth to each seat, and why one of them was chosen."""

    #: The game's name.
    name: str
    game: Game = attrs.field(repr=False)
    #: The agent's text.
    agent: str
    turn: Turn
    report: Report
    #: The position's value before the search. Shape (P,).
    outlook: Array | None = optional_array_field()
    propagator: Propagator | None = attrs.field(default=None, repr=False, eq=False)
    #: The move that was made and its ply, if the decision is one of a recorded game.
    made: Move | None = None
    ply: int | None = None

    @property
    def move(self) -> str:
        """The chosen move, as text."""
        return self.written([self.report.move])[0]

    @functools.cached_property
    def _world(self) -> State:
        return any_world(self.game, self.turn.view)

    def written(self, line: Sequence[Move]) -> list[str]:
        """The texts of a line of moves from here."""
        return written_line(self.game, self._world, line)

    def words(self, *, you: int | None = None, names: Sequence[str] = ()) -> tuple[str, ...]:
        """Why the move was chosen, in sentences; `you` is the reader's seat, `names` all seats'."""
        return reasons(
            decided(self.report, self.outlook),
            seat=self.turn.seat,
            write=lambda move: self.written([move])[0],
            propagator=self.propagator,
            legal=len(self.turn.moves),
            you=you,
            names=names,
        )

    def document(self) -> dict[str, Any]:
        """The decision as JSON."""
        report = self.report
        return {
            "game": self.name,
            "agent": self.agent,
            "seat": self.turn.seat,
            "move": self.move,
            "words": list(self.words()),
            "value": report.value.tolist(),
            "exact": report.exact,
            "sampled": report.sampled,
            "moves": [
                {
                    "move": self.written([entry.move])[0],
                    "value": entry.value.tolist(),
                    "exact": entry.exact,
                    "votes": entry.votes,
                    "line": self.written(entry.line),
                }
                for entry in report.moves
            ],
            "line": self.written(report.line),
            "stance": {
                "label": report.stance.label,
                "target": report.stance.target,
                "matrix": report.stance.matrix.tolist(),
            },
            "pruning": report.pruning,
            "nodes": report.nodes,
            "depth": report.depth,
            "worlds": report.worlds,
            "made": None if self.made is None else self.written([self.made])[0],
            "seconds": report.seconds,
            "compiling": report.compiling,
        }

    def __str__(self) -> str:
        return self.told()

    def told(self, *, most: int | None = None) -> str:
        """The decision as text; with `most`, at most so many moves and the one made."""
        report = self.report
        head, rows = self._table()
        if most is not None and len(rows) > most:
            rest = rows[most:]
            made = [row for row in rest if "!" in row[0]]
            left = ["", f"{len(rest) - len(made)} more"]
            rows = [*rows[:most], *made, left + [""] * (len(head) - len(left))]
        cares = "\n".join(
            f"  seat {i} cares  {' '.join(f'{entry:6.2f}' for entry in row)}"
            for i, row in enumerate(report.stance.matrix)
        )
        worlds = f", {report.worlds} worlds" if report.worlds > 1 else ""
        bound = "" if report.exact else " (a bound)"
        if report.sampled:
            bound = " (an estimate)"
        rate = report.nodes / max(report.seconds, 1e-9)
        return (
            f"{self._headline()}:\n{filled(' '.join(self.words()))}\n\n{cares}\n\n"
            f"{text_table(head, rows)}\n\n"
            f"{self.move}  value{' '.join(f'{value:6.1f}' for value in report.value)}{bound}\n"
            f"expected: {' '.join(self.written(report.line))}\n"
            f"{report.nodes:,} nodes, depth {report.depth}{worlds}, {report.pruning} pruning, "
            f"{report.seconds:.3f} s ({rate:,.0f} nodes/s)"
            + (f"; compiled in {report.compiling:.1f} s" if report.compiling >= _NOTABLE else "")
        )

    def _repr_html_(self) -> str:
        head, rows = self._table()
        picture = self.game.svg(self.turn.view)
        return html_table(head, rows[:_IN_NOTEBOOKS], caption=self._headline(), picture=picture)

    def _headline(self) -> str:
        stance = self.report.stance
        target = "" if stance.target is None else f" against seat {stance.target}"
        ply = "" if self.ply is None else f"ply {self.ply}, "
        made = "" if self.made is None else f", played {self.written([self.made])[0]} (!)"
        return f"{ply}seat {self.turn.seat} to move, {self.agent}{made}, " + (
            f"stance {stance.label}{target}"
        )

    def _table(self) -> tuple[list[str], list[list[str]]]:
        game, report = self.game, self.report
        row = report.stance.matrix[self.turn.seat]
        seats = (f"seat {i}" for i in range(game.players))
        return ["", "move", *seats, "wanted", "votes", "then"], [
            [
                ("*" if entry.move == report.move else "")
                + ("!" if self.made is not None and entry.move == self.made else ""),
                self.written([entry.move])[0],
                *(f"{value:.2f}" for value in entry.value),
                ("" if entry.exact else "<= ") + f"{float(row @ entry.value):.2f}",
                str(entry.votes),
                " ".join(self.written(entry.line)[:6]),
            ]
            for entry in best_first(report, self.turn.seat)
        ]


def best_first(report: Report, seat: int) -> list[RootMove]:
    """The moves of a search, the ones that the seat wants most first."""
    row = report.stance.matrix[seat]
    return sorted(report.moves, key=lambda m: (-m.votes, -float(row @ m.value)))
