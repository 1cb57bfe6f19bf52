"""Review: what decisions cost, where the game turned, and who turned against whom.

One object serves the terminal, scripts, notebooks and the web page.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array, cut, filled, html_table, plain, text_table
from mpsearch.agents import listed, number
from mpsearch.api import table_of
from mpsearch.contracts import CHANCE, winners
from mpsearch.experiments import html_page
from mpsearch.match import read_record
from mpsearch.studies.review.chart import values_svg
from mpsearch.studies.review.judge import Judge, JudgedMove, make_judge
from mpsearch.studies.review.sentences import (
    LONGEST,
    NOTABLE,
    SPOKEN,
    attack_text,
    cost_text,
    effect_cells,
    turning_text,
)
from mpsearch.studies.review.turning_points import Attack, TurningPoint, attacks, turning_points

#: The least loss of a costly decision.
_COSTLY = 1.0
#: How many of the costliest decisions, and of the attacks, are listed.
_COSTLIEST, _ATTACKS = 5, 10
#: Columns of the curves in text.
_COLUMNS = 60
_BLOCKS = "▁▂▃▄▅▆▇█"
_TOLD_OF_ATTACKS = ("ply", "seat", "target", "stance", "lead")

Table = tuple[str, list[str], list[list[str]]]


@attrs.frozen(kw_only=True, eq=False)
class Review:
    """A reviewed game."""

    judge: Judge = attrs.field(repr=False)
    #: The decisions judged: all, or those before it was stopped.
    decisions: tuple[JudgedMove, ...]
    #: Number of decisions to judge.
    total: int
    #: Number of plies played, and the value of that position to each seat.
    values: tuple[tuple[int, Array], ...] = attrs.field(repr=False)
    turning_points: tuple[TurningPoint, ...]
    attacks: tuple[Attack, ...]

    @property
    def title(self) -> str:
        """The game and its result."""
        setting, payoff = self.judge.record.setting, self.judge.record.payoff
        result = "not finished"
        if payoff is not None:
            won = [f"seat {seat}" for seat in winners(payoff)]
            result = f"{listed(won) if won else 'nobody'} won"
        return f"{setting.game}, {setting.players} players: {result}"

    @property
    def method(self) -> str:
        """Who judged, from what, and on which scale values are."""
        judge, count = self.judge, len(self.decisions)
        judged = f"{count}" if count == self.total else f"{count} of {self.total}"
        known = "what the mover knew" if judge.table.game.hidden else "the position"
        seat = "" if judge.seat is None else f" of seat {judge.seat}"
        return (
            f"{judged} decisions{seat}, each searched again from {known} by {judge.agent}. 'lost' "
            "is how much less a move was worth to its own seat than the best one; 'to 2' is what "
            f"that gave to seat 2, or took from it. Values by evaluator {judge.evaluator_name}."
        )

    def __str__(self) -> str:
        seats, *rest = (f"{title}\n{text_table(head, rows)}" for title, head, rows in self.tables())
        lists = (
            "\n".join([title, *(filled(line, first="  ", rest="    ") for line in lines)])
            for title, lines in self.told()
        )
        return "\n\n".join([self.title, filled(self.method), self.curves(), seats, *lists, *rest])

    def curves(self) -> str:
        """Every seat's value over the game, drawn with block characters."""
        if not self.curve:
            return "no position to show"
        vectors = np.array([vector for _, vector in self.curve])
        low, high = float(vectors.min()), float(vectors.max())
        wanted = np.linspace(0, len(vectors) - 1, min(_COLUMNS, len(vectors))).round().astype(int)
        top = len(_BLOCKS) - 1
        lines = [f"Values over the game, {number(low)} to {number(high)}"]
        for seat in range(vectors.shape[1]):
            parts = (vectors[wanted, seat] - low) / (high - low or 1.0)
            signs = "".join(_BLOCKS[round(float(part) * top)] for part in parts)
            lines.append(f"  seat {seat}  {signs}  {number(float(vectors[-1, seat]))}")
        return "\n".join(lines)

    @property
    def curve(self) -> tuple[tuple[int, Array], ...]:
        """The values to draw: neither those before the first deal nor the result itself, beside
        which all else looks flat."""
        judge = self.judge
        if judge.seat is not None:
            return self.values
        first = next((ply.number for ply in judge.plies if ply.seat != CHANCE), 0)
        last = len(self.values) - (judge.record.payoff is not None)
        return self.values[first:last]

    def told(self) -> list[tuple[str, list[str]]]:
        """Turning points, attacks and costly decisions, in sentences under headings."""
        over = self.judge.record.payoff is not None
        last = len(self.judge.plies) - 1 if over else None
        lost = [entry for entry in self.decisions if entry.lost >= _COSTLY]
        worst = sorted(lost, key=lambda entry: -entry.lost)[:_COSTLIEST]
        found = [
            (
                "Turning points",
                [turning_text(point, ends=point.ply == last) for point in self.turning_points],
            ),
            ("Who turned against whom", self._attack_texts()),
            (
                "The costliest decisions",
                [cost_text(entry) for entry in sorted(worst, key=lambda entry: entry.ply)],
            ),
        ]
        return [(title, lines) for title, lines in found if lines]

    def tables(self) -> list[Table]:
        """The tables of seats and of decisions."""
        to = [f"to {seat}" for seat in range(self.judge.table.players)]
        head = ["seat", "agent", "decisions", "best", "lost", *to, "stances"]
        seats = range(self.judge.table.players) if self.judge.seat is None else [self.judge.seat]
        rows = [self._seat_row(seat) for seat in seats]
        each = ["ply", "seat", "move", "lost", "better", *to, "stance"]
        return [
            ("Seats", head, rows),
            ("Every decision", each, [self._decision_row(entry) for entry in self.decisions]),
        ]

    def document(self) -> dict[str, Any]:
        """The review for JSON."""
        judge, payoff = self.judge, self.judge.record.payoff
        return {
            "game": judge.table.name,
            "players": judge.table.players,
            "agents": list(judge.record.setting.agents),
            "payoff": None if payoff is None else payoff.tolist(),
            "judge": judge.agent,
            "evaluator": judge.evaluator_name,
            "seat": judge.seat,
            "total": self.total,
            "decisions": [entry.document() for entry in self.decisions],
            "values": [{"ply": ply, "value": vector.tolist()} for ply, vector in self.values],
            "turning_points": [
                {**plain(point), "seat": None if point.seat == CHANCE else point.seat}
                for point in self.turning_points
            ],
            "attacks": [
                {name: getattr(attack, name) for name in _TOLD_OF_ATTACKS}
                for attack in self.attacks
            ],
        }

    def svg(self) -> str:
        """The chart of values over the game with its turning points."""
        return values_svg(self.curve, points=self.turning_points, attacks=self.attacks)

    def html(self) -> str:
        """The review as a self-contained page."""
        return html_page(f"Review of {self.title}", self._html_parts())

    def _repr_html_(self) -> str:
        return "\n".join([f"<h3>Review of {html.escape(self.title)}</h3>", *self._html_parts()])

    def _html_parts(self) -> list[str]:
        seats, *rest = (
            html_table(head, rows, caption=title) for title, head, rows in self.tables()
        )
        lists = [
            f"<h2>{html.escape(title)}</h2><ul>"
            + "".join(f"<li>{html.escape(line)}</li>" for line in lines)
            + "</ul>"
            for title, lines in self.told()
        ]
        method = f"<p>{html.escape(self.method)}</p>"
        return [method, f"<figure>{self.svg()}</figure>", seats, *lists, *rest]

    def _seat_row(self, seat: int) -> list[str]:
        own = [entry for entry in self.decisions if entry.seat == seat]
        effect = sum((entry.effect for entry in own), np.zeros(self.judge.table.players))
        recorded = self.judge.record.plies if self.judge.all_is_open else ()
        stances = Counter(e["stance"] for e in recorded if e["seat"] == seat and e.get("stance"))
        return [
            str(seat),
            cut(self.judge.record.setting.agents[seat], LONGEST),
            str(len(own)),
            str(sum(entry.lost < NOTABLE for entry in own)),
            number(sum(entry.lost for entry in own)),
            *effect_cells(effect, seat),
            ", ".join(f"{name} {count}" for name, count in stances.most_common()),
        ]

    def _decision_row(self, entry: JudgedMove) -> list[str]:
        recorded = self.judge.record.plies[entry.ply] if self.judge.all_is_open else {}
        target = recorded.get("target")
        stance = recorded.get("stance") or ""
        lost = entry.lost >= NOTABLE
        return [
            str(entry.ply),
            str(entry.seat),
            cut(entry.move, LONGEST),
            number(entry.lost) if lost else "",
            cut(entry.best, LONGEST) if lost else "",
            *effect_cells(entry.effect if lost else 0 * entry.effect, entry.seat),
            stance if target is None else f"{stance} against {target}",
        ]

    def _attack_texts(self) -> list[str]:
        hidden, agents = self.judge.table.game.hidden, self.judge.record.setting.agents
        told = [
            attack_text(attack, agent=agents[attack.seat], hidden=hidden)
            for attack in self.attacks[:_ATTACKS]
        ]
        more = len(self.attacks) - len(told)
        return [*told, f"and {more} times more"] if more else told


def finished_review(judge: Judge, decisions: Sequence[JudgedMove]) -> Review:
    """The review of a game from its judged decisions, all or the first of them."""
    values, plies = judge.values(), judge.plies
    points: list[TurningPoint] = []
    turned: list[Attack] = []
    if judge.seat is None:
        vectors = [vector for _, vector in values]
        write = judge.table.game.write_in
        texts = [cut(write(ply.before, ply.move), SPOKEN) for ply in plies]
        points = turning_points(plies, vectors, texts)
        turned = attacks(judge.record.plies, vectors, plies=plies)
    return Review(
        judge=judge,
        decisions=tuple(decisions),
        total=len(judge.judged_plies),
        values=tuple(values),
        turning_points=tuple(points),
        attacks=tuple(turned),
    )


def review(
    path: str | Path, agent: str | None = None, *, seat: int | None = None, seed: int = 0
) -> Review:
    """Review a recorded game: `review("game.jsonl", "maxn:depth=3")`."""
    record = read_record(Path(path))
    judge = make_judge(table_of(record.setting), record, agent=agent, seat=seat, seed=seed)
    return finished_review(judge, tuple(judge.judgements()))
