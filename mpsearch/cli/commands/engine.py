"""engine: an agent behind a line protocol on standard input and output."""

from __future__ import annotations

import functools
import sys
from typing import Annotated

import typer

from mpsearch.cli.options import GameName, Options, Players, Seed, agent_option, choose_table
from mpsearch.engine import Engine, speak


def engine(
    game: GameName,
    agent: Annotated[str, agent_option("The agent that decides.")] = "hard",
    players: Players = None,
    option: Options = None,
    protocol: Annotated[
        str, typer.Option(help="A protocol that the game itself defines, such as qtp.")
    ] = "",
    seed: Seed = 0,
) -> None:
    """Run an agent behind a line protocol on standard input."""
    table, say = choose_table(game, players, option), functools.partial(print, flush=True)
    if protocol:
        speak(table, agent, protocol, sys.stdin, seed=seed, say=say)
    else:
        Engine(table, agent, seed=seed, say=say).run(sys.stdin)
