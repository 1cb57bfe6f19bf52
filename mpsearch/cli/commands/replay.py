"""replay: show a recorded game, or rerun it and compare."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from mpsearch import match
from mpsearch.api import table_of
from mpsearch.cli.options import Json, print_json, show
from mpsearch.cli.terminal.stepper import step_through
from mpsearch.cli.terminal.streams import at_terminal, printable
from mpsearch.errors import UsageError


def replay_record(
    file: Annotated[Path, typer.Argument(help="A record written by play --record.")],
    check: Annotated[
        bool, typer.Option("--check", help="Rerun the agents and compare every bit.")
    ] = False,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Show the position after every ply.")
    ] = False,
    matrices: Annotated[
        bool, typer.Option("--matrices", help="Show the social matrix behind each move.")
    ] = False,
    step: Annotated[
        bool | None,
        typer.Option("--step/--no-step", help="Step through the game (default at a terminal)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay a recorded game and check it against the rules."""
    if step and as_json:
        raise UsageError("--step and --json cannot be combined")
    record = match.read_record(file)
    table = table_of(record.setting)
    game = table.game
    plies = list(match.recalled(game, record))
    first = record.setting.first_state(game)
    states = [first, *(ply.state for ply in plies)]
    tree = match.VariationTree(game, first, plies, record.plies)
    tree.recall(record.variations)
    silent = match.unasked(record)
    if check:
        agents = enumerate(record.setting.agents)
        match.rerun(
            game, [None if seat in silent else table.agent(t) for seat, t in agents], record
        )
    finished = record.payoff is not None
    alone = not (check or pictures or matrices or as_json)
    if step if step is not None else alone and at_terminal() and sys.stdout.isatty():
        step_through(table, record, plies)
        return
    if as_json:
        result = {} if record.payoff is None else match.result_entry(record.payoff)
        document = {"game": record.setting.game, "plies": len(record.plies), **result}
        seats = [seat for seat in range(game.players) if seat not in silent]
        print_json(document | ({"checked": seats} if check else {}))
        return
    for number, text in enumerate(record.setting.agents):
        print(f"seat {number}  {printable(text)}")
    marks = match.standing_marks(record.lines)
    for entry, state in zip(record.plies, states[1:], strict=True):
        _show_marks(marks, entry["ply"])
        who = "chance" if entry["seat"] is None else f"seat {entry['seat']}"
        move, stance = printable(entry["move"]), printable(entry.get("stance") or "")
        print(f"{entry['ply']:4}  {who}  {move:8}  {stance}".rstrip())
        if matrices:
            for seat, row in enumerate(entry.get("matrix") or ()):
                print(f"        seat {seat} cares  {' '.join(f'{c:6.2f}' for c in row)}")
        if pictures:
            show(game, state)
    _show_marks(marks, len(record.plies))
    show(game, states[-1])
    if record.payoff is not None:
        print(f"payoff {' '.join(f'{p:g}' for p in record.payoff)}")
    if record.variations:
        print(f"{len(record.variations)} moves tried beside the game, all legal")
    agree = ", and the agents repeat it exactly" if check else ""
    if check and silent:
        agree += "; as recorded: " + ", ".join(f"seat {s}, who {silent[s]}" for s in sorted(silent))
    print(f"{len(record.plies)} plies{'' if finished else ', interrupted'}; all legal{agree}")


def _show_marks(marks: list[dict[str, Any]], ply: int) -> None:
    """Print the marks before a ply."""
    for mark in marks:
        if mark["ply"] == ply:
            who = "" if mark.get("seat") is None else f"  seat {mark['seat']}"
            print(f"      ({mark['mark']}){who}")
