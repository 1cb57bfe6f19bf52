"""search: explain one decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsearch.agents import Explanation, draw_tree, svg_tree
from mpsearch.api import (
    Table,
    last_decision,
    look_back,
    searches,
    table_of,
    warm_up_elsewhere,
)
from mpsearch.cli import options
from mpsearch.cli.pictures import check_picture, write_picture
from mpsearch.contracts import any_world
from mpsearch.errors import UsageError
from mpsearch.jit import compiling_elsewhere
from mpsearch.match import read_record
from mpsearch.search import Node, TreeSearch, trace

#: The agent if none is named.
_USUAL = "maxn"
#: The default and the least width of a drawn tree, and the width of a column of text, in pixels.
_WIDTH, _NARROWEST, _LETTER = 800, 320, 10


def explain(
    game: options.GameName = "",
    agent: Annotated[
        str | None,
        options.agent_option("Agent to explain (default: the recorded one, or maxn)."),
    ] = None,
    players: options.Players = None,
    option: options.Options = None,
    moves: options.Moves = None,
    position: options.From = None,
    record: Annotated[
        Path | None, typer.Option(help="Take the position from this recorded game.")
    ] = None,
    ply: Annotated[
        int | None, typer.Option(min=0, help="Ply of the recorded game (default: the last).")
    ] = None,
    bounds: Annotated[
        bool,
        typer.Option(
            "--bounds", help="Prune as in play, so that other moves have bounds for values."
        ),
    ] = False,
    top: Annotated[
        int | None, typer.Option(min=1, help="Show only this many of the best moves.")
    ] = None,
    tree: Annotated[
        int | None, typer.Option(min=20, help="Print the search tree, this many columns wide.")
    ] = None,
    drawing: Annotated[
        Path | None,
        typer.Option("--tree-file", help="Draw the search tree to this file: .svg or .png."),
    ] = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Explain one decision: move values, stance, expected line."""
    if drawing is not None:
        check_picture(drawing)
    if ply is not None and record is None:
        raise UsageError(f"--ply {ply} needs --record FILE")
    if record is not None:
        table, found = _from_record(record, ply, agent, exact=not bounds)
    elif game:
        table = options.choose_table(game, players, option)
        agent = agent or _USUAL
        _compile_meanwhile(table, agent)
        state = table.position(position, moves=moves or "", seed=seed)
        found = table.search(state, agent, seed=seed, exact=not bounds)
    else:
        raise UsageError("no position given: use --game NAME or --record FILE")
    root = None if tree is None and drawing is None else _tree(table, found)
    if drawing is not None and root is not None:
        width = _WIDTH if tree is None else max(tree * _LETTER, _NARROWEST)
        write_picture(drawing, svg_tree(table.game, root, found.report.stance.matrix, width=width))
    if as_json:
        options.print_json(found.document())
        return
    options.show(table.game, found.turn.view)
    print(f"\n{found.told(most=top)}")
    if compiling_elsewhere(table.game.rules):
        print(f"searched as plain Python; mpsearch warm {table.name} compiles it to machine code")
    if tree is not None and root is not None:
        print(f"\n{draw_tree(table.game, root, width=tree)}")


def _from_record(
    path: Path, ply: int | None, agent: str | None, *, exact: bool
) -> tuple[Table, Explanation]:
    record = read_record(path)
    table = table_of(record.setting)
    if agent is not None:  # a recorded agent has most often been compiled for its game
        _compile_meanwhile(table, agent)
    ply = last_decision(table, record) if ply is None else ply
    if agent is None and not searches(table, record, ply):
        agent = _USUAL
    return table, look_back(table, record, ply, agent, exact=exact)


def _compile_meanwhile(table: Table, agent: str) -> None:
    """Search as plain Python until a child process has compiled: most searches end before that.

    Not with a limit of time, in which plain Python would look less deep.
    """
    if table.searcher(agent).limits.seconds is None:
        warm_up_elsewhere(table, [agent])


def _tree(table: Table, found: Explanation) -> Node:
    """The tree of the same search; with hidden cards, in one world that fits the view."""
    player = table.searcher(found.agent)
    if not isinstance(player.algorithm, TreeSearch):
        raise UsageError(f"agent '{found.agent}': only trees of search=tree can be drawn")
    space, _ = player.algorithm.engine_for(found.turn.seat)
    world = any_world(table.game, found.turn.view)
    depth = max(found.report.depth, 1)
    stance, seat = found.report.stance, found.turn.seat
    root = trace(space, world, stance, depth=depth, prune=player.prune)
    for child in root.children:  # a tie at the root was broken by the agent's random numbers
        if (
            child.move == found.report.move
            and stance.matrix[seat] @ (child.value - root.value) == 0
        ):
            root.chosen, root.value = child, child.value
    return root
