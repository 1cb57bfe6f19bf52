"""engine: an agent on standard input and output, for other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mpsearch.cli.completion import complete_agent
from mpsearch.cli.options import GameName, Options, Players, Seed, choose_table
from mpsearch.engine import Engine, speak


def engine(
    game: GameName,
    agent: Annotated[
        str, typer.Option("--agent", help="The agent that decides.", autocompletion=complete_agent)
    ] = "hard",
    players: Players = None,
    option: Options = None,
    protocol: Annotated[
        str,
        typer.Option("--protocol", help="A protocol that the game itself defines, such as qtp."),
    ] = "",
    seed: Seed = 0,
) -> None:
    """Run an agent behind a line protocol on standard input."""
    table = choose_table(game, players, option)

    def say(line: str) -> None:
        print(line, flush=True)

    if protocol:
        speak(table, agent, protocol, sys.stdin, seed=seed, say=say)
    else:
        Engine(table, agent, seed=seed, say=say).run(sys.stdin)
