"""A live game at the terminal: its plies as text, hints, and explanations of moves."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence

from mpsearch._util import cut
from mpsearch.agents import Names, reasons
from mpsearch.api import Table, hints
from mpsearch.cli.options import numbers
from mpsearch.cli.terminal.layout import in_columns, wrapped
from mpsearch.cli.terminal.waiting import elapsed
from mpsearch.contracts import (
    CHANCE,
    THOUGHTS_WITHHELD,
    Turn,
    heard,
    seen_alike,
    thoughts_are_open,
    written_line,
)
from mpsearch.errors import MpsearchError
from mpsearch.match import HINT, LiveGame, Ply, Record, Setting

#: Of more moves than this only the stances are explained, so that all fit a screen.
_TOLD_AT_LENGTH = 3
#: Longer moves, such as whole deals, are truncated.
_LONGEST = 48


class LeftError(MpsearchError):
    """The person left the game, or resigned."""


class TerminalGame:
    """A live game at a terminal, and what its players may ask about it."""

    def __init__(self, table: Table, setting: Setting, past: Record | None = None) -> None:
        self.table = table

        def warn(error: MpsearchError) -> None:
            print(f"mpsearch: {error}; the game continues without it", file=sys.stderr)

        self.live = LiveGame(table.game, setting, past=past, unwritten=warn)

    @property
    def viewers(self) -> list[int]:
        """The people at the terminal; where there are none, all seats."""
        setting = self.live.setting
        return list(setting.people) or list(range(setting.players))

    @property
    def you(self) -> int | None:
        """The seat of the only person at the terminal."""
        people = self.live.setting.people
        return people[0] if len(people) == 1 else None

    @property
    def thoughts_are_open(self) -> bool:
        """Whether stances and values of the agents may be shown now."""
        # Plies are shown as they are made: the last like those before it.
        return thoughts_are_open(self.live.game, people=self.live.setting.people, over=False)

    def told(self, ply: Ply) -> str:
        """A ply as the viewers may see it."""
        return ply_text(
            self.table, ply, self.viewers, thoughts=self.thoughts_are_open, you=self.you
        )

    def recorded(self) -> str:
        """Where the record is and how to continue, as the end of a sentence."""
        live = self.live
        if live.path is None:
            return ""
        path = shlex.quote(str(live.path))
        resume = f"mpsearch play --resume {path}"
        return f"; {live.recorded} plies are in {live.path}; to continue: {resume}"

    def hint(self, turn: Turn) -> str:
        """What three agents would play in the person's place, and what they expect."""
        self.live.mark(HINT, turn.seat)
        game = self.table.game
        seats = ", ".join(map(Names(self.you).of, range(game.players)))
        lines = [wrapped(f"values are for {seats}")]
        with elapsed("three agents are thinking"):
            found_by_agents = list(hints(self.table, turn, seed=len(self.live.plies)))
        for found in found_by_agents:
            name = found.agent.partition(":")[0]
            parts = [f"  {name:9} {found.move:8}", f"value{numbers(found.report.value)}"]
            # With hidden cards the line comes from one drawn world, whose cards are guesses.
            then = "" if game.hidden else " ".join(found.written(found.report.line)[1:4])
            lines.append(in_columns([*parts, f"then {then}"] if then else parts, " " * 12))
        return "\n".join(lines)

    def why(self, seat: int, of: int | None = None) -> str:
        """Why the others moved as they did since the seat's last move, or seat `of` in its last."""
        if not self.thoughts_are_open:
            return f"  {THOUGHTS_WITHHELD}"
        plies = self.live.plies
        if of is None:
            since = max((ply.number for ply in plies if ply.seat == seat), default=-1)
            shown = [p for p in plies[since + 1 :] if p.seat not in (CHANCE, seat)]
        else:
            shown = [ply for ply in plies if ply.seat == of][-1:]
        brief = len(shown) > _TOLD_AT_LENGTH
        lines = [line for ply in shown for line in self._why(ply, seat, brief=brief)]
        if brief:
            lines.append("  'why 2' explains seat 2's last move in full")
        return "\n".join(lines) or "  nobody has moved since"

    def _why(self, ply: Ply, you: int, *, brief: bool) -> Iterator[str]:
        yield self.told(ply)
        decision, game = ply.decision, self.table.game
        if decision is None or decision.stance is None:
            yield "        it does not search, or was recorded: nothing to explain"
            return
        said = reasons(
            decision,
            seat=ply.seat,
            write=lambda move: game.write_in(ply.before, move),
            propagator=self.table.propagator(self.live.setting.agents[ply.seat]),
            legal=len(game.moves(ply.before)),
            you=you,
        )
        if brief:
            yield wrapped(said[0], indent=" " * 8)
            return
        yield wrapped(" ".join(said), indent=" " * 8)
        if decision.report is not None and not game.hidden:
            line = " ".join(written_line(game, ply.before, decision.report.line[:6]))
            expected = f"expected: {line}; {decision.nodes:,} nodes, depth {decision.depth}"
            yield wrapped(expected, indent=" " * 8)


def ply_text(
    table: Table,
    ply: Ply,
    viewers: Sequence[int] = (),
    *,
    thoughts: bool,
    you: int | None = None,
) -> str:
    """A ply in one line or two, as far as every viewer, or every seat, saw it alike.

    With `thoughts` it says what the agent expects; see `thoughts_are_open`.
    """
    game, called = table.game, Names(you).of
    viewers = viewers or range(game.players)
    seen = seen_alike(game, viewers, before=ply.before, move=ply.move)
    hidden = "(hidden)" if ply.seat == CHANCE else "(secret)"
    move = cut(hidden if seen is None else game.write_in(ply.before, seen), _LONGEST)
    if ply.seat == CHANCE:
        parts = [f"{ply.number:4}  chance  {move}"]
    else:
        parts = [f"{ply.number:4}  {called(ply.seat):6}  {move:8}"]
        decision = ply.decision if thoughts else None
        if decision is not None and decision.stance is not None:
            stance = decision.stance
            target = "" if stance.target is None else f" -> {called(stance.target)}"
            parts.append(f"{stance.label}{target}")
        if decision is not None and decision.value is not None:
            parts.append(f"expects{numbers(decision.value)}")
    remark = heard(game, viewers, before=ply.before, move=ply.move)
    return in_columns([*parts, remark] if remark else parts, " " * 14)
