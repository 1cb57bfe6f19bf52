"""search: explain one decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.common import (
    From,
    GameName,
    Json,
    Moves,
    Options,
    Players,
    Seed,
    choose_table,
    print_json,
    show,
)
from mpsearch.contracts import OVER, State
from mpsearch.errors import UsageError
from mpsearch.match import read_record, replay
from mpsearch.table import Table, table_of


def explain(
    game: GameName = "",
    agent: Annotated[str, typer.Option("--agent", help="Who decides.")] = "maxn",
    players: Players = None,
    option: Options = None,
    moves: Moves = None,
    position: From = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="A recorded game to take the position from.")
    ] = None,
    ply: Annotated[
        int | None, typer.Option("--ply", min=0, help="Which ply of it; the last if not given.")
    ] = None,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="Prune as in play: values of other moves are bounds.")
    ] = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Explain one decision: every move with its value for each seat, the stance, the line."""
    if ply is not None and record is None:
        raise UsageError(f"--ply {ply} is of a recorded game: it needs --record FILE")
    if record is not None:
        table, state = _from_record(record, ply)
    elif game:
        table = choose_table(game, players, option)
        state = table.position(position, moves=moves or "", seed=seed)
    else:
        raise UsageError("say which position: --game NAME or --record FILE")
    found = table.search(state, agent, seed=seed, exact=not bounds)
    if as_json:
        print_json(found.document())
    else:
        show(table.game, found.turn.view)
        print(f"\n{found}")


def _from_record(path: Path, ply: int | None) -> tuple[Table, State]:
    record = read_record(path)
    table = table_of(record.setting)
    game = table.game
    states = list(replay(game, record))
    if ply is not None and ply >= len(states):
        raise UsageError(f"--ply {ply}: the record has {len(states) - 1} plies")
    if ply is None:
        # The last state in which somebody had to decide.
        ply = max((i for i, state in enumerate(states) if game.mover(state) >= 0), default=0)
    state = states[ply]
    if game.mover(state) < 0 and game.mover(state) != OVER:
        raise UsageError(f"--ply {ply}: chance decides there, not a player")
    return table, state
