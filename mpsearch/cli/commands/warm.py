"""warm: compile games and their agents ahead of time."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Annotated

import typer

from mpsearch.agents import presets_of
from mpsearch.api import Table, advisers, company, warm_up
from mpsearch.cli.completion import complete_game
from mpsearch.cli.options import Options, Players, agent_option, choose_table
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.plugins import installed


def warm(
    games: Annotated[
        list[str] | None,
        typer.Argument(help="Games to compile (default: all).", autocompletion=complete_game),
    ] = None,
    players: Players = None,
    option: Options = None,
    agent: Annotated[
        list[str] | None,
        agent_option("Agent to compile; repeatable (default: presets, usual opponents and hints)."),
    ] = None,
    nice: Annotated[
        int, typer.Option(min=0, max=19, help="Lower the process priority by this much.")
    ] = 0,
) -> int:
    """Compile games and agents ahead of time.

    The machine code is cached for every later command.
    """
    if (players is not None or option) and len(games or ()) != 1:
        raise UsageError("--players and --option belong to one game: name it")
    for name in games or ():
        installed().game_offer(name)  # none is compiled before all are known
    if nice:
        with contextlib.suppress(OSError):
            os.nice(nice)
    failed = 0
    for name in games or [*installed().games]:
        try:
            table = choose_table(name, players, option)
        except MpsearchError as error:
            if games:
                raise
            # One broken game of many: the others are compiled.
            print(f"{name}: {error}")
            failed += 1
            continue
        if table.game.rules is None:
            if games:
                print(f"{name}: plain Python, nothing to compile")
            continue
        strengths = presets_of(table.catalog, table.offer, table.players, table.options)
        usual = [*strengths, *company(table.offer, table.players), *advisers(table)]
        failed += not _warm(table, agent or usual)
    return 1 if failed else 0


def _warm(table: Table, agents: list[str]) -> bool:
    started = time.monotonic()
    texts = list(dict.fromkeys(agents))
    for first in range(0, len(texts), table.players):
        try:
            warm_up(table.setting(*texts[first : first + table.players], seed=0))
        except MpsearchError as error:
            print(f"{table.name}: {error}")
            return False
    print(f"{table.name}: compiled and kept, {time.monotonic() - started:.1f} s", flush=True)
    return True
