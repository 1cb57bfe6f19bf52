"""Stepping through a recorded game at the terminal, forward and back."""

from __future__ import annotations

from mpsearch.api import Table, look_back
from mpsearch.cli.options import show
from mpsearch.cli.terminal.game import ply_text
from mpsearch.cli.terminal.layout import in_columns
from mpsearch.cli.terminal.prompt import Prompt
from mpsearch.cli.terminal.streams import printable
from mpsearch.errors import MpsearchError
from mpsearch.match import Ply, Record

_HELP = """  Enter  one ply forward     b      one ply back
  N      to after N plies    e      to the end
  w      why the next move   q      leave"""
#: The number of moves that are explained; all may be hundreds.
_MOVES = 8


def step_through(table: Table, record: Record, plies: list[Ply]) -> None:
    """Show one position after another, as the person asks."""
    prompt, at = Prompt(), 0
    states = [record.setting.first_state(table.game), *(ply.state for ply in plies)]
    _show(table, record, plies, states[0], at)
    while True:
        question = f"after {at} of {len(plies)} plies (Enter, b, N, e, w, q; ? for help): "
        try:
            text = prompt.ask(question).lower()
        except EOFError:
            return
        if text in ("q", "quit"):
            return
        if text == "?":
            print(_HELP)
        elif text == "w":
            try:
                print(look_back(table, record, at, exact=True).told(most=_MOVES))
            except MpsearchError as error:
                print(f"  {error}")
        else:
            wanted = _target(text, at, len(plies))
            if wanted is None:
                print(f"  '{printable(text)}' is not a command; ? for help")
            elif wanted == at:
                print("  this is the end" if at else "  this is the start")
            else:
                at = wanted
                _show(table, record, plies, states[at], at)


def _target(text: str, at: int, last: int) -> int | None:
    """How many plies to show next; None if the text is not a command."""
    if text in ("", "n", "f"):
        return min(at + 1, last)
    if text == "b":
        return max(at - 1, 0)
    if text == "e":
        return last
    return min(int(text), last) if text.isdecimal() and len(text) < 10 else None


def _show(table: Table, record: Record, plies: list[Ply], state: object, at: int) -> None:
    print()
    show(table.game, state)
    if at:
        parts, entry = [ply_text(table, plies[at - 1], thoughts=True)], record.plies[at - 1]
        if entry.get("stance"):
            target = entry.get("target")
            at_seat = "" if target is None else f" -> seat {target}"
            parts.append(f"{printable(entry['stance'])}{at_seat}")
        print(in_columns(parts, " " * 14))
