"""play: one game between agents and people."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from mpsearch.agent import make_agent, read_agent
from mpsearch.cli.common import (
    From,
    GameName,
    Json,
    Options,
    Players,
    Table,
    numbers,
    print_json,
    set_table,
    show,
)
from mpsearch.cli.human import HUMAN, LeftError
from mpsearch.cli.serve import play_in_browser
from mpsearch.contracts import CHANCE, State, winners
from mpsearch.errors import UsageError
from mpsearch.match import Ply, Setting, play_match
from mpsearch.match.record import header_entry, ply_entry, result_entry, write_line

#: Who sits down where nobody was named: one of each kind.
_COMPANY = ("mpmix:td=20,to=20", "paranoid", "maxn")


def play(
    game: GameName,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="Who plays seat 0, then 1, ...: maxn:depth=4, human, ..."),
    ] = None,
    players: Players = None,
    option: Options = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="The same seed gives the same game.")
    ] = None,
    position: From = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="Write the game to this file, move by move.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show only the result.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Play in the browser instead of the terminal.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Play one game. Without --seat you play seat 0 against one agent of each kind."""
    seats = list(seat or ())
    table = set_table(game, players, option, seats=len(seats))
    if len(seats) > table.game.players:
        raise UsageError(f"{len(seats)} seats were given for {table.game.players} players")
    people = browser or (sys.stdin.isatty() and not as_json)
    agents = _fill(seats, table.game.players, people=people)
    setting = Setting(
        game=game,
        players=table.game.players,
        options=table.options,
        agents=agents,
        seed=time.time_ns() % 2**32 if seed is None else seed,
        start=position,
    )
    if browser:
        return play_in_browser(table.catalog, setting, record)
    others = {"human": HUMAN}
    made = [make_agent(table.catalog, game, table.game, text, others=others) for text in agents]
    shown = not (quiet or as_json)
    state = setting.first_state(table.game)
    entries: list[dict[str, Any]] = []
    with _record_file(record) as file:
        if shown:
            _show_table(setting)
        if file is not None:
            write_line(file, header_entry(setting))
        try:
            for ply in play_match(table.game, made, seed=setting.seed, start=state):
                state = ply.state
                entries.append(ply_entry(table.game, ply))
                if file is not None:
                    write_line(file, entries[-1])
                if shown:
                    _show_ply(table, ply)
        except (KeyboardInterrupt, LeftError) as stop:
            where = f"; {len(entries)} plies are in {record}" if record is not None else ""
            print(f"mpsearch: {str(stop) or 'interrupted'}{where}", file=sys.stderr)
            return 1
        payoff = table.game.payoff(state)
        if file is not None:
            write_line(file, result_entry(payoff))
    if as_json:
        head = header_entry(setting)
        print_json({**head, **result_entry(payoff), "moves": entries})
    else:
        _show_result(table, agents, state)
    return 0


def _fill(seats: list[str], players: int, *, people: bool) -> tuple[str, ...]:
    """Everybody at the table. Where no person can be asked, an agent plays and it is said."""
    if not seats:
        seats = ["human"]
    persons = {text for text in seats if read_agent(text).name == "human"}
    if not people and persons:
        print("mpsearch: nobody is at the terminal, so agents play all seats", file=sys.stderr)
        seats = [_COMPANY[-1] if text in persons else text for text in seats]
    company = (_COMPANY[k % len(_COMPANY)] for k in range(players))
    return (*seats, *(next(company) for _ in range(players - len(seats))))


@contextlib.contextmanager
def _record_file(path: Path | None) -> Iterator[IO[str] | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise UsageError(f"{path} exists already; a record is never written over") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    with file:
        yield file


def _show_table(setting: Setting) -> None:
    print(f"{setting.game}, seed {setting.seed}")
    for number, text in enumerate(setting.agents):
        print(f"  seat {number}  {text}")


def _show_ply(table: Table, ply: Ply) -> None:
    move = table.game.write(ply.move)
    if ply.seat == CHANCE:
        # Chance is shown as far as everybody may know it: a deal is not.
        seen = [table.game.seen(ply.before, ply.move, s) for s in range(table.game.players)]
        if any(s != ply.move for s in seen):
            move = "(hidden)"
        print(f"{ply.number:4}  chance  {move}")
        return
    hidden = any(
        table.game.seen(ply.before, ply.move, s) is None for s in range(table.game.players)
    )
    line = f"{ply.number:4}  seat {ply.seat}  {'(secret)' if hidden else move:8}"
    decision = ply.decision
    if decision is not None and decision.stance is not None:
        target = "" if decision.stance.target is None else f" -> seat {decision.stance.target}"
        line += f"  {decision.stance.label}{target}"
    if decision is not None and decision.value is not None and not table.game.hidden:
        line += f"  expects{numbers(decision.value)}"
    print(line)


def _show_result(table: Table, agents: tuple[str, ...], state: State) -> None:
    payoff = table.game.payoff(state)
    print()
    show(table.game, state)
    best = winners(payoff)
    for number, text in enumerate(agents):
        mark = "  wins" if number in best else ""
        print(f"seat {number}  {text}  {payoff[number]:g}{mark}")
    if not best:
        print("nobody wins")
