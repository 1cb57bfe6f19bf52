"""Quoridor: perft beside hand-written C, speed of the search, and what pruning saves.

    python benchmarks/quoridor.py [perft] [speed] [pruning]

Times are CPU seconds; compare them only within one run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from mpsearch.catalog import Catalog, load_catalog
from mpsearch.contracts import Game, State
from mpsearch.contracts.propagator import Stance
from mpsearch.search import Limits, SearchSpace, count_leaves, make_engine, search
from mpsearch.social import identity, paranoid

SOURCE = Path(__file__).with_suffix(".c")
REPEATS = 5


def main(parts: list[str]) -> None:
    catalog = load_catalog()
    sections = {"perft": perft, "speed": speed, "pruning": pruning}
    for name in parts or sections:
        print(f"== {name}")
        sections[name](catalog)


def perft(catalog: Catalog) -> None:
    """Leaves per second of `count_leaves` and of C, runs taking turns; medians."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "quoridor"
        flags = ["-O3", "-march=native", "-o", str(program)]
        subprocess.run(["gcc", *flags, str(SOURCE)], check=True)
        for players, depth in [(2, 3), (2, 4), (3, 3), (4, 3)]:
            game = catalog.game("quoridor", players=players)
            count_leaves(game, game.new(), 1)  # compile, or load
            ours, theirs = [], []
            for _ in range(REPEATS):
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
            print(
                f"{players} players depth {depth}: {leaves:>11} leaves, {mine:.4f} s, "
                f"C {other:.4f} s, ratio to C {other / mine:.2f}"
            )


def middle_games(catalog: Catalog, count: int) -> list[State]:
    """Four-player positions after 20 plies: walls near pawns, or steps that shorten the way."""
    game = catalog.game("quoridor", players=4)
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


def branching(catalog: Catalog, game: Game, name: str):
    offers = {offer.name: offer for offer in catalog.game_offer("quoridor").branchings}
    options = {option.name: option.default for option in offers[name].options}
    return offers[name].make(game, **options)


def evaluator(catalog: Catalog, game: Game, name: str):
    offer = catalog.evaluator_offer("quoridor", name)
    return offer.make(game, **{option.name: option.default for option in offer.options})


def make_space(catalog: Catalog, game: Game, name: str) -> SearchSpace:
    return SearchSpace(
        game=game,
        evaluator=evaluator(catalog, game, name),
        branching=branching(catalog, game, "near"),
    )


def speed(catalog: Catalog) -> None:
    """Nodes per second, evaluation included, with all positions searched in full."""
    game = catalog.game("quoridor", players=4)
    states = middle_games(catalog, 10)
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
    game = catalog.game("quoridor", players=4)
    states = middle_games(catalog, 3)
    rng = np.random.default_rng(2)
    social = rng.uniform(-1, 1, (4, 4))
    np.fill_diagonal(social, rng.uniform(0, 1, 4))
    stances = {
        "paranoid": lambda root: Stance(matrix=paranoid(4, root), label="paranoid"),
        "sos": lambda root: Stance(matrix=social, label="sos"),
    }
    for name, make in stances.items():
        for values in ("distance", "margin"):
            space = make_space(catalog, game, values)
            engine = make_engine(space)
            for depth in range(2, 6):
                # The full tree of depth 5 has about a hundred million nodes per position.
                chosen = states if depth < 5 else states[:1]
                counts = {True: 0, False: 0}
                kind = ""
                for state in chosen:
                    stance = make(game.mover(state))
                    moves = set()
                    for prune in counts:
                        report = search(
                            space,
                            [state],
                            stance,
                            Limits(depth=depth),
                            prune=prune,
                            engine=engine,
                        )
                        counts[prune] += report.nodes
                        moves.add(report.move)
                        kind = report.pruning if prune else kind
                    if len(moves) > 1:
                        raise SystemExit(f"{name}: pruning changed the move")
                print(
                    f"{name:>8} {values:>8} depth {depth}: {counts[True]:>9} of "
                    f"{counts[False]:>10} nodes ({counts[True] / counts[False]:.3f}), {kind}"
                )


if __name__ == "__main__":
    main(sys.argv[1:])
