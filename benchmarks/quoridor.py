"""Quoridor: perft beside hand-written C, speed of the search, and what pruning saves.

    python benchmarks/quoridor.py [perft] [speed] [pruning] [--repeats 5] [--json]

Times are CPU seconds; compare them only within one run. `--json` prints the rows of perft.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from mpsearch.contracts import Array, Branching, Evaluator, Game, Limits, SearchSpace, State
from mpsearch.contracts.propagator import Stance
from mpsearch.plugins.catalog import Catalog, load_catalog
from mpsearch.search import Engine, count_leaves, make_engine, search
from mpsearch.social import identity, paranoid

SOURCE = Path(__file__).with_suffix(".c")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help="perft, speed, pruning; all if none is named")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    catalog = load_catalog()
    if given.json:
        print(json.dumps(perft(catalog, given.repeats)))
        return
    sections = {"perft": print_perft, "speed": speed, "pruning": pruning}
    for name in given.parts or sections:
        print(f"== {name}")
        sections[name](catalog)


def print_perft(catalog: Catalog) -> None:
    for row in perft(catalog, repeats=5):
        print(
            f"{row['players']} players depth {row['depth']}: {row['nodes']:>11} leaves, "
            f"{row['seconds']:.4f} s, ratio to C {row['ratio_to_c']:.2f}"
        )


def perft(catalog: Catalog, repeats: int) -> list[dict[str, Any]]:
    """Leaves per second of `count_leaves` and of C, runs taking turns; medians."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "quoridor"
        flags = ["-O3", "-march=native", "-o", str(program)]
        subprocess.run(["gcc", *flags, str(SOURCE)], check=True)
        for players, depth in [(2, 3), (2, 4), (3, 3), (4, 3)]:
            game = catalog.game("quoridor", players=players)
            count_leaves(game, game.new(), 1)  # compile, or load
            ours, theirs = [], []
            for _ in range(repeats):
                started = time.process_time()
                leaves = count_leaves(game, game.new(), depth)
                ours.append(time.process_time() - started)
                done = subprocess.run(
                    [program, str(players), str(depth), "2"],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                # The second of two: the first one fills the caches.
                count, seconds = done.stdout.splitlines()[1].split()
                theirs.append(float(seconds))
                if int(count) != leaves:
                    raise SystemExit(f"C counts {count} leaves, the plugin {leaves}")
            mine, other = float(np.median(ours)), float(np.median(theirs))
            rows.append(
                {
                    "game": "quoridor",
                    "players": players,
                    "propagator": "perft",
                    "depth": depth,
                    "nodes": leaves,
                    "seconds": mine,
                    "nodes_per_second": leaves / mine,
                    "ratio_to_c": other / mine,
                }
            )
    return rows


def middle_games(catalog: Catalog, game: Game, count: int) -> list[State]:
    """Positions after 20 plies: walls near pawns, or steps that shorten the way."""
    near = branching(catalog, game, "near")
    distance = evaluator(catalog, game, "distance")
    rng = np.random.default_rng(1)
    found: list[State] = []
    while len(found) < count:
        state = game.new()
        for _ in range(20):
            seat = game.mover(state)
            moves = list(near.moves(state))
            walls = [move for move in moves if len(game.write(move)) == 3]
            steps = [move for move in moves if move not in walls]
            if walls and (rng.random() < 0.6 or not steps):
                move = walls[int(rng.integers(len(walls)))]
            else:
                # The worst is left out so that pawns move on, but not all to their goals.
                steps.sort(key=lambda m: -distance.values(game.play(state, m))[seat])
                move = steps[int(rng.integers(max(1, len(steps) - 1)))]
            state = game.play(state, move)
            if game.mover(state) < 0:
                break
        else:
            found.append(state)
    return found


def branching(catalog: Catalog, game: Game, name: str) -> Branching:
    offers = {offer.name: offer for offer in catalog.game_offer("quoridor").branchings}
    options = {option.name: option.default for option in offers[name].options}
    made: Branching = offers[name].make(game, **options)
    return made


def evaluator(catalog: Catalog, game: Game, name: str) -> Evaluator:
    offer = catalog.evaluator_offer("quoridor", name)
    options = {option.name: option.default for option in offer.options}
    made: Evaluator = offer.make(game, **options)
    return made


def make_space(catalog: Catalog, game: Game, name: str) -> SearchSpace:
    return SearchSpace(
        game=game,
        evaluator=evaluator(catalog, game, name),
        branching=branching(catalog, game, "near"),
    )


def speed(catalog: Catalog) -> None:
    """Nodes per second, evaluation included, with all positions searched in full."""
    game = catalog.game("quoridor", players=4)
    states = middle_games(catalog, game, 10)
    for name in ("distance", "margin", "path_difference", "features"):
        space = make_space(catalog, game, name)
        engine = make_engine(space)
        stance = Stance(matrix=identity(4), label="maxn")
        search(space, states[:1], stance, Limits(depth=1), engine=engine)
        for prune in (False, True):
            nodes = 0
            started = time.process_time()
            for state in states:
                report = search(space, [state], stance, Limits(depth=3), prune=prune, engine=engine)
                nodes += report.nodes
            seconds = time.process_time() - started
            how = "pruned" if prune else "full"
            print(
                f"maxn depth 3 near {name:>15} {how:>6}: {nodes:>8} nodes, "
                f"{nodes / seconds / 1e6:.2f} million a second"
            )


def pruning(catalog: Catalog) -> None:
    """Nodes with pruning against the full tree; the chosen move must be the same."""
    for players, name, values in [
        (4, "paranoid", "distance"),
        (4, "paranoid", "margin"),
        (4, "sos", "distance"),
        (3, "sos", "margin"),
        (2, "sos", "margin"),
    ]:
        game = catalog.game("quoridor", players=players)
        space = make_space(catalog, game, values)
        engine = make_engine(space)
        for depth in range(2, 6):
            # The full tree of depth 5 has some ten million nodes per position.
            states = middle_games(catalog, game, 3 if depth < 5 else 1)
            pairs = [both_ways(space, state, name, depth, engine) for state in states]
            fewer, full = (sum(column) for column in zip(*pairs, strict=True))
            print(
                f"{players} players {name:>8} {values:>8} depth {depth}: {fewer:>9} of "
                f"{full:>9} nodes ({fewer / full:.3f})"
            )


def both_ways(
    space: SearchSpace, state: State, name: str, depth: int, engine: Engine
) -> tuple[int, int]:
    """Nodes with and without pruning."""
    players, root = space.game.players, space.game.mover(state)
    matrix = paranoid(players, root) if name == "paranoid" else random_matrix(players)
    reports = [
        search(
            space,
            [state],
            Stance(matrix=matrix, label=name),
            Limits(depth=depth),
            prune=prune,
            engine=engine,
        )
        for prune in (True, False)
    ]
    if reports[0].move != reports[1].move:
        raise SystemExit(f"{name}: pruning changed the move")
    return reports[0].nodes, reports[1].nodes


def random_matrix(players: int) -> Array:
    """The SOS paper's random orientations as we read them."""
    rng = np.random.default_rng(2)
    matrix: Array = rng.uniform(-1, 1, (players, players))
    np.fill_diagonal(matrix, rng.uniform(0, 1, players))
    return matrix


if __name__ == "__main__":
    main()
