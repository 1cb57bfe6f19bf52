"""play: one game between agents and people."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from mpsearch.agent import read_agent
from mpsearch.cli.common import (
    From,
    GameName,
    Json,
    Options,
    Players,
    choose_table,
    numbers,
    print_json,
    show,
)
from mpsearch.cli.human import HUMAN, LeftError
from mpsearch.cli.interrupt import last_words
from mpsearch.cli.serve import play_in_browser
from mpsearch.cli.streams import printable
from mpsearch.contracts import CHANCE, State, winners
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match import Ply, RecordWriter, Setting
from mpsearch.match.record import header_entry, ply_entry, result_entry
from mpsearch.table import Table

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
    table = choose_table(game, players, option, seats=len(seats), guests={"human": HUMAN})
    if len(seats) > table.players:
        raise UsageError(f"{len(seats)} seats were given for {table.players} players")
    people = browser or (sys.stdin.isatty() and not as_json)
    agents = _fill(seats, table.players, people=people)
    seed = time.time_ns() % 2**32 if seed is None else seed
    setting = table.setting(*agents, seed=seed, start=position)
    if browser:
        return play_in_browser(table.catalog, setting, record)
    plies = table.plies(setting)
    shown, viewers = not (quiet or as_json), _viewers(agents)
    state = setting.first_state(table.game)
    entries: list[dict[str, Any]] = []
    with _Recording(record, setting) as recording, last_words(recording.words):
        if shown:
            _show_table(setting)
        try:
            for ply in plies:
                state = ply.state
                entries.append(ply_entry(table.game, ply))
                recording.write(entries[-1])
                if shown:
                    _show_ply(table, ply, viewers)
        except LeftError as left:
            raise LeftError(f"{left}{recording.words()}") from None
        payoff = table.game.payoff(state)
        recording.write(result_entry(payoff))
    if as_json:
        head = header_entry(setting)
        print_json({**head, **result_entry(payoff), "moves": entries})
    else:
        _show_result(table, agents, state)
    return 0 if recording.whole else 1


class _Recording(contextlib.AbstractContextManager["_Recording"]):
    """The record of the game, if one is wanted. The game goes on when the disk is full."""

    def __init__(self, path: Path | None, setting: Setting) -> None:
        self._writer = None if path is None else RecordWriter(path, setting)
        self.whole = True

    def write(self, entry: dict[str, Any]) -> None:
        if self._writer is not None and self.whole:
            try:
                self._writer.write(entry)
            except MpsearchError as error:
                self.whole = False
                print(f"mpsearch: {error}; the game goes on without it", file=sys.stderr)

    def words(self) -> str:
        """Where to find what was played."""
        return f"; {self._writer.plies} plies are in {self._writer.path}" if self._writer else ""

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.__exit__(None, None, None)


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


def _show_table(setting: Setting) -> None:
    print(f"{setting.game}, seed {setting.seed}")
    for number, text in enumerate(setting.agents):
        print(f"  seat {number}  {printable(text)}")


def _viewers(agents: tuple[str, ...]) -> list[int]:
    """Who is looking: the people at the terminal, or, where there are none, everybody."""
    people = [seat for seat, text in enumerate(agents) if read_agent(text).name == "human"]
    return people or list(range(len(agents)))


def _show_ply(table: Table, ply: Ply, viewers: list[int]) -> None:
    game = table.game
    # The ply is the referee's; all that is shown of its move is what every viewer saw alike.
    seen = [game.seen(ply.before, ply.move, seat) for seat in viewers]
    common = seen[0] is not None and all(other == seen[0] for other in seen)
    if ply.seat == CHANCE:
        print(f"{ply.number:4}  chance  {game.write(seen[0]) if common else '(hidden)'}")
        return
    line = f"{ply.number:4}  seat {ply.seat}  {game.write(seen[0]) if common else '(secret)':8}"
    decision = ply.decision
    if decision is not None and decision.stance is not None:
        target = "" if decision.stance.target is None else f" -> seat {decision.stance.target}"
        line += f"  {decision.stance.label}{target}"
    if decision is not None and decision.value is not None and not game.hidden:
        line += f"  expects{numbers(decision.value)}"
    print(line)


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
