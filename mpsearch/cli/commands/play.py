"""play: play one game, with agents and people."""

from __future__ import annotations

import contextlib
import functools
import sys
from pathlib import Path
from typing import Annotated

import attrs
import typer

from mpsearch import match
from mpsearch.agents import read_agent
from mpsearch.api import STRENGTHS, Table, advisers, company, table_of, warm_up_elsewhere
from mpsearch.cli import options
from mpsearch.cli.commands.serve import play_in_browser
from mpsearch.cli.signals import last_words
from mpsearch.cli.terminal.game import LeftError, TerminalGame
from mpsearch.cli.terminal.menu import choose_game
from mpsearch.cli.terminal.move_now import interruptible_agent
from mpsearch.cli.terminal.person import HUMAN, seat_people
from mpsearch.cli.terminal.recording import record_unasked
from mpsearch.cli.terminal.streams import at_terminal, printable
from mpsearch.contracts import Player
from mpsearch.errors import UsageError
from mpsearch.plugins import installed

_GUESTS = {match.PERSON: HUMAN}


def play(
    game: options.GameName = "",
    seat: Annotated[
        list[str] | None,
        options.agent_option(
            "Player of seat 0, then 1, ...: maxn:depth=4, human, ...", name="--seat"
        ),
    ] = None,
    strength: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(STRENGTHS)}: strength of the agents in the remaining seats.",
            autocompletion=lambda: list(STRENGTHS),
        ),
    ] = None,
    players: options.Players = None,
    option: options.Options = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed; the same seed gives the same game.")
    ] = None,
    position: options.From = None,
    most_plies: options.MostPlies = None,
    record: Annotated[Path | None, typer.Option(help="Record the game in this file.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue the game in this record.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only the result.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Play in the browser instead of the terminal.")
    ] = False,
    allow_program: options.AllowProgram = None,
    as_json: options.Json = False,
) -> int:
    """Play one game, with agents and people in any seats.

    At a terminal, a menu asks for what is missing. Without --seat, you play.
    """
    people = browser or (at_terminal() and not (as_json or quiet))
    seats = list(seat or ())
    options.allow_programs(allow_program, seats)
    if resume is not None:
        if browser:
            raise UsageError(
                "--browser cannot be combined with --resume; 'mpsearch serve FILE' shows a record"
            )
        given = {"--game": game, "--players": players, "--option": option, "--from": position}
        for flag, value in {**given, "--seed": seed, "--strength": strength}.items():
            if value:
                raise UsageError(
                    f"{flag} cannot be combined with --resume: {resume} defines the game"
                )
        current = _resumed(resume, seats, record, people=people, most_plies=most_plies)
    else:
        if not game:
            if browser or not people:
                raise UsageError("no game given: use --game NAME; 'mpsearch games' lists them")
            chosen = choose_game(installed())
            game, players, strength = chosen.game, chosen.players, chosen.strength
            seats = seats or [""] * chosen.seat + [match.PERSON]
        person = people and any(read_agent(t).name == match.PERSON for t in seats or ["human"] if t)
        table = options.choose_table(
            game, players, option, seats=len(seats), guests=_GUESTS, person=person
        )
        agents = _fill(table, seats, strength, people=people)
        setting = table.setting(
            *agents, seed=match.secret_seed() if seed is None else seed, start=position
        )
        if seed is not None and len(setting.people) > 1:
            raise UsageError("--seed is not allowed with more than one person at the table")
        setting = attrs.evolve(setting, most_plies=most_plies)
        if browser:
            return play_in_browser(table.catalog, setting, record)
        current = TerminalGame(table, setting)
    live = current.live
    made = current.table.seat(live.setting)
    if record is not None:
        live.record_to(record)
    elif resume is not None:
        live.resume_in(resume)
        live.mark(match.RESUME)
    elif live.setting.people:
        record_unasked(live)
    with contextlib.closing(live), last_words(current.recorded):
        shown = not (quiet or as_json)
        return _play(current, made, shown=shown, as_json=as_json, told=seed is not None)


def _play(
    current: TerminalGame, players: list[Player], *, shown: bool, as_json: bool, told: bool
) -> int:
    """Play to the end. People are `told` the seed before that only if they gave it themselves."""
    table, live = current.table, current.live
    others = [text for text in live.setting.agents if read_agent(text).name != match.PERSON]
    secret = bool(live.setting.people) and not told
    if seat_people(players, current):
        warm_up_elsewhere(table, [*others, *advisers(table)])
        mark = functools.partial(live.mark, match.HURRY)
        players = [interruptible_agent(player, mark) for player in players]
    if shown:
        _show_table(table, live.setting, secret=secret)
    try:
        for ply in live.play(players):
            if shown:
                print(current.told(ply))
    except LeftError as left:
        raise LeftError(f"{left}{current.recorded()}") from None
    if as_json:
        options.print_json(
            {**match.header_entry(live.setting), **(live.result or {}), "moves": live.entries}
        )
    else:
        if live.forfeit is not None:
            print(f"\n{printable(str(live.forfeit))}")
        _show_result(table, live)
        if secret:
            print(f"seed {live.setting.seed}")
    return 0 if live.whole else 1


def _resumed(
    path: Path, seats: list[str], record: Path | None, *, people: bool, most_plies: int | None
) -> TerminalGame:
    """The game in a record; other players may take seats if it continues in a new file."""
    found = match.read_record(path)
    if found.payoff is not None:
        raise UsageError(f"{path}: the game is over; see 'mpsearch replay {path}'")
    if seats and record is None:
        raise UsageError("--seat changes the players: give --record FILE to continue as a new game")
    setting = found.setting
    table = table_of(setting, guests=_GUESTS)
    agents = [*seats, *setting.agents[len(seats) :]]
    setting = attrs.evolve(
        setting,
        agents=_fill(table, agents, None, people=people),
        most_plies=most_plies or setting.most_plies,
    )
    current = TerminalGame(table, setting, found)
    if record is not None:
        current.live.mark(match.SEATED if seats else match.RESUME)
    return current


def _fill(table: Table, seats: list[str], strength: str | None, *, people: bool) -> tuple[str, ...]:
    """The player of each seat. Where no person can be asked, an agent plays, with a notice."""
    if len(seats) > table.players:
        raise UsageError(f"{len(seats)} seats given for {table.players} players")
    seats = (seats or [match.PERSON]) + [""] * (table.players - len(seats or [match.PERSON]))
    persons = [text for text in seats if text and read_agent(text).name == match.PERSON]
    if persons and not people:
        why = "is asked with --quiet or --json" if at_terminal() else "is at the terminal"
        print(f"mpsearch: nobody {why}, so agents play all seats", file=sys.stderr)
        seats = ["" if text in persons else text for text in seats]
    others = iter(company(table.offer, table.players, strength))
    return tuple(text or next(others) for text in seats)


def _show_table(table: Table, setting: match.Setting, *, secret: bool) -> None:
    variant = printable(table.offer.variant(table.options))
    # The seed would reveal every deal and every die to come.
    print(variant if secret else f"{variant}, seed {setting.seed}")
    for number, text in enumerate(setting.agents):
        you = "  (you)" if setting.people == (number,) else ""
        print(f"  seat {number}  {printable(text)}{you}")


def _show_result(table: Table, live: match.LiveGame) -> None:
    assert live.result is not None
    payoff, best = live.result["payoff"], live.result["winners"]
    print()
    options.show(table.game, live.state)
    for number, text in enumerate(live.setting.agents):
        mark = "  wins" if number in best else ""
        you = " (you)" if live.setting.people == (number,) else ""
        print(f"seat {number}  {printable(text)}{you}  {payoff[number]:g}{mark}")
    if not best:
        print("nobody wins")
