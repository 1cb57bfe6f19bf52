"""perft: count move sequences, the strongest test of a move generator."""

from __future__ import annotations

from typing import Annotated

import typer

from mpsearch.cli import options
from mpsearch.contracts import GREATEST_DEPTH
from mpsearch.jit import PlayClock
from mpsearch.search import count_leaves


def perft(
    game: options.GameName,
    depth: Annotated[int, typer.Option(min=0, max=GREATEST_DEPTH, help="Moves per sequence.")],
    players: options.Players = None,
    option: options.Options = None,
    moves: options.Moves = None,
    position: options.From = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Count the move sequences of a given length."""
    table = options.choose_table(game, players, option)
    state = table.position(position, moves=moves or "", seed=seed)
    rows = []
    for level in range(depth + 1):
        clock = PlayClock()
        leaves = count_leaves(table.game, state, level)
        rows.append({"depth": level, "leaves": leaves, "seconds": clock.seconds()})
        if not as_json:
            print(f"depth {level}  {leaves:>15,} leaves  {rows[-1]['seconds']:.3f} s", flush=True)
    if as_json:
        options.print_json(
            {"game": game, "depth": depth, "leaves": rows[-1]["leaves"], "depths": rows}
        )
