"""search: explain one decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import attrs
import numpy as np
import typer

from mpsearch.agent import SearchAgent, make_agent
from mpsearch.catalog import load_catalog
from mpsearch.cli.common import (
    From,
    GameName,
    Json,
    Moves,
    Options,
    Players,
    Seed,
    Table,
    numbers,
    print_json,
    print_rows,
    set_table,
    show,
    state_after,
)
from mpsearch.contracts import OVER, State, Turn
from mpsearch.errors import UsageError
from mpsearch.match import read_record, replay
from mpsearch.search import Report


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
    if record is not None:
        table, state = _from_record(record, ply)
    elif game:
        table = set_table(game, players, option)
        state = state_after(table.game, moves, seed, position=position)
    else:
        raise UsageError("say which position: --game NAME or --record FILE")
    seat = table.game.mover(state)
    if seat == OVER:
        raise UsageError("the game is over: there is nothing to decide")
    player = make_agent(table.catalog, table.name, table.game, agent)
    if not isinstance(player, SearchAgent):
        raise UsageError(f"agent '{agent}' does not search")
    player = attrs.evolve(player, exact=not bounds)
    rng = np.random.default_rng([seed, seat])
    turn = Turn(seat=seat, view=table.game.view(state, seat), moves=tuple(table.game.moves(state)))
    decision = player.choose(turn, player.start(seat, rng), rng)
    if as_json:
        print_json(document(table, seat, agent, decision.report))
    else:
        _print(table, turn, agent, decision.report)


def _from_record(path: Path, ply: int | None) -> tuple[Table, State]:
    record = read_record(path)
    setting = record.setting
    catalog = load_catalog()
    game = setting.new_game(catalog)
    table = Table(catalog=catalog, name=setting.game, game=game, options=setting.options)
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


def document(table: Table, seat: int, agent: str, report: Report) -> dict[str, Any]:
    """The report as JSON has it."""
    write = table.game.write
    return {
        "game": table.name,
        "agent": agent,
        "seat": seat,
        "move": write(report.move),
        "value": report.value.tolist(),
        "exact": report.exact,
        "moves": [
            {
                "move": write(entry.move),
                "value": entry.value.tolist(),
                "exact": entry.exact,
                "votes": entry.votes,
                "line": [write(move) for move in entry.line],
            }
            for entry in report.moves
        ],
        "line": [write(move) for move in report.line],
        "stance": {
            "label": report.stance.label,
            "target": report.stance.target,
            "matrix": report.stance.matrix.tolist(),
        },
        "pruning": report.pruning,
        "nodes": report.nodes,
        "depth": report.depth,
        "worlds": report.worlds,
        "seconds": report.seconds,
    }


def _print(table: Table, turn: Turn, agent: str, report: Report) -> None:
    game, seat = table.game, turn.seat
    show(game, turn.view)
    target = "" if report.stance.target is None else f" against seat {report.stance.target}"
    print(f"\nseat {seat} to move, {agent}, stance {report.stance.label}{target}:")
    for i, row in enumerate(report.stance.matrix):
        print(f"  seat {i} cares  {' '.join(f'{entry:6.2f}' for entry in row)}")
    print()
    row = report.stance.matrix[seat]
    entries = sorted(report.moves, key=lambda m: (-m.votes, -float(row @ m.value)))
    head = ["", "move", *(f"seat {i}" for i in range(game.players)), "wanted", "votes", "then"]
    print_rows(
        head,
        [
            [
                "*" if entry.move == report.move else "",
                game.write(entry.move),
                *(f"{value:.2f}" for value in entry.value),
                ("" if entry.exact else "<= ") + f"{float(row @ entry.value):.2f}",
                str(entry.votes),
                " ".join(game.write(move) for move in entry.line[:6]),
            ]
            for entry in entries
        ],
    )
    worlds = f", {report.worlds} worlds" if report.worlds > 1 else ""
    rate = report.nodes / max(report.seconds, 1e-9)
    bound = "" if report.exact else " (a bound)"
    print(
        f"\n{game.write(report.move)}  value{numbers(report.value)}{bound}\n"
        f"expected: {' '.join(game.write(move) for move in report.line)}\n"
        f"{report.nodes:,} nodes, depth {report.depth}{worlds}, {report.pruning} pruning, "
        f"{report.seconds:.3f} s ({rate:,.0f} nodes/s)"
    )
