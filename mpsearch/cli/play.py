"""play: one game between agents and people."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Annotated

import attrs
import typer

from mpsearch.agent import read_agent
from mpsearch.catalog import installed
from mpsearch.cli.common import (
    From,
    GameName,
    Json,
    Options,
    Players,
    choose_table,
    print_json,
    show,
)
from mpsearch.cli.completion import complete_agent
from mpsearch.cli.human import HUMAN, seat_people
from mpsearch.cli.hurry import hurried
from mpsearch.cli.interrupt import last_words
from mpsearch.cli.menu import choose_game
from mpsearch.cli.serve import play_in_browser
from mpsearch.cli.sitting import LeftError, Sitting, told
from mpsearch.cli.streams import at_terminal, printable
from mpsearch.company import STRENGTHS, company
from mpsearch.contracts import Player, State, winners
from mpsearch.errors import UsageError
from mpsearch.match import Setting, read_record, recalled
from mpsearch.match.record import PERSON, RESUME, SEATED, mark_entry, result_entry
from mpsearch.table import Table, set_table

_GUESTS = {PERSON: HUMAN}


def play(
    game: GameName = "",
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Who plays seat 0, then 1, ...: maxn:depth=4, human, ...",
            autocompletion=complete_agent,
        ),
    ] = None,
    strength: Annotated[
        str | None,
        typer.Option(
            "--strength",
            help=f"{', '.join(STRENGTHS)}: who takes the seats that are left.",
            autocompletion=lambda: list(STRENGTHS),
        ),
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
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Go on with the game in this record.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show only the result.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Play in the browser instead of the terminal.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Play one game. At a terminal a menu asks for what is not said; without --seat you play."""
    people = browser or (at_terminal() and not (as_json or quiet))
    seats = list(seat or ())
    if resume is not None:
        if browser:
            raise UsageError("--browser does not go with --resume: 'mpsearch serve' shows records")
        given = {"--game": game, "--players": players, "--option": option, "--from": position}
        given |= {"--seed": seed, "--strength": strength}
        for flag, value in given.items():
            if value:
                raise UsageError(f"{flag} does not go with --resume: {resume} says what is played")
        sitting = _resumed(resume, seats, record, people=people)
    else:
        if not game:
            if browser or not people:
                raise UsageError("say which game: --game NAME; see 'mpsearch games'")
            wish = choose_game(installed())
            game, players, strength = wish.game, wish.players, wish.strength
            seats = seats or [""] * wish.seat + [PERSON]
        table = choose_table(game, players, option, seats=len(seats), guests=_GUESTS)
        agents = _fill(table, seats, strength, people=people)
        seed = time.time_ns() % 2**32 if seed is None else seed
        setting = table.setting(*agents, seed=seed, start=position)
        if browser:
            return play_in_browser(table.catalog, setting, record)
        sitting = Sitting(table, setting, [], [])
    made = sitting.table.seat(sitting.setting)
    if record is not None:
        sitting.record_to(record)
    elif resume is not None:
        sitting.go_on_in(resume)
    with contextlib.closing(sitting), last_words(sitting.words):
        return _play(sitting, made, shown=not (quiet or as_json), as_json=as_json)


def _play(sitting: Sitting, players: list[Player], *, shown: bool, as_json: bool) -> int:
    table, setting = sitting.table, sitting.setting
    if seat_people(players, sitting):
        players = [hurried(player, sitting.hurried) for player in players]
    if shown:
        _show_table(setting)
    try:
        for ply in sitting.play(players):
            if shown:
                print(told(table, ply, sitting.viewers))
    except LeftError as left:
        raise LeftError(f"{left}{sitting.words()}") from None
    result = result_entry(table.game.payoff(sitting.state))
    sitting.note(result)
    if as_json:
        print_json(sitting.document(result))
    else:
        _show_result(table, setting.agents, sitting.state)
    return 0 if sitting.whole else 1


def _resumed(path: Path, seats: list[str], record: Path | None, *, people: bool) -> Sitting:
    """The game in a record; others may take seats, if it goes on in a file of its own."""
    found = read_record(path)
    if found.payoff is not None:
        raise UsageError(f"{path}: the game is over; see 'mpsearch replay {path}'")
    if seats and record is None:
        raise UsageError("with other players it is another game: --seat needs --record FILE here")
    setting = found.setting
    table = set_table(
        installed(),
        setting.game,
        players=setting.players,
        options=setting.options,
        guests=_GUESTS,
    )
    agents = [*seats, *setting.agents[len(seats) :]]
    setting = attrs.evolve(setting, agents=_fill(table, agents, None, people=people))
    past = list(recalled(table.game, found))
    lines = [*found.lines]
    if record is not None:
        lines.append(mark_entry(SEATED if seats else RESUME, ply=len(past)))
    return Sitting(table, setting, past, lines)


def _fill(table: Table, seats: list[str], strength: str | None, *, people: bool) -> tuple[str, ...]:
    """Everybody at the table. Where no person can be asked, an agent plays and it is said."""
    if len(seats) > table.players:
        raise UsageError(f"{len(seats)} seats were given for {table.players} players")
    seats = (seats or [PERSON]) + [""] * (table.players - len(seats or [PERSON]))
    persons = [text for text in seats if text and read_agent(text).name == PERSON]
    if persons and not people:
        why = "is asked with --quiet or --json" if at_terminal() else "is at the terminal"
        print(f"mpsearch: nobody {why}, so agents play all seats", file=sys.stderr)
        seats = ["" if text in persons else text for text in seats]
    others = iter(company(table.offer, table.players, strength))
    return tuple(text or next(others) for text in seats)


def _show_table(setting: Setting) -> None:
    print(f"{setting.game}, seed {setting.seed}")
    for number, text in enumerate(setting.agents):
        print(f"  seat {number}  {printable(text)}")


def _show_result(table: Table, agents: tuple[str, ...], state: State) -> None:
    payoff = table.game.payoff(state)
    print()
    show(table.game, state)
    best = winners(payoff)
    for number, text in enumerate(agents):
        mark = "  wins" if number in best else ""
        print(f"seat {number}  {printable(text)}  {payoff[number]:g}{mark}")
    if not best:
        print("nobody wins")
