"""Pruning: how many nodes of scramble each kind of matrix needs, with pruning and without.

Node counts do not depend on the machine. Move and value must be the same both ways.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import arguments, print_result
from scramble import MATRIX_SEED, PLAYERS, evaluators, middle

from mpsearch import load_catalog
from mpsearch.contracts import CompiledGame, Limits, SearchSpace, Stance
from mpsearch.search import make_engine, search
from mpsearch.social import coalition, identity, offensive, paranoid, random_matrix


def stances(root: int) -> list[Stance]:
    """One stance of each kind, seen from the root."""
    opposite = (root + 2) % PLAYERS
    return [
        Stance(matrix=identity(PLAYERS), label="maxn"),
        Stance(matrix=paranoid(PLAYERS, root), label="paranoid"),
        Stance(matrix=offensive(PLAYERS, root, opposite), label="offensive", target=opposite),
        Stance(matrix=coalition(PLAYERS, {root, opposite}), label="coalition"),
        Stance(matrix=random_matrix(PLAYERS, np.random.default_rng(MATRIX_SEED)), label="random"),
    ]


def count(game: CompiledGame, depths: list[int]) -> list[dict[str, Any]]:
    """A row for each evaluator, stance and depth."""
    state = middle(game)
    rows = []
    for name, evaluator in evaluators(game).items():
        space = SearchSpace(game=game, evaluator=evaluator)
        engine = make_engine(space)
        for stance in stances(game.mover(state)):
            for depth in depths:
                limits = Limits(depth=depth)
                full = search(space, [state], stance, limits, prune=False, engine=engine)
                pruned = search(space, [state], stance, limits, engine=engine)
                if pruned.move != full.move or (pruned.value != full.value).any():
                    raise SystemExit(f"{name}, {stance.label}, depth {depth}: pruning changed it")
                rows.append(
                    {
                        "evaluator": name,
                        "propagator": stance.label,
                        "pruning": pruned.pruning,
                        "depth": depth,
                        "nodes_full": full.nodes,
                        "nodes_pruned": pruned.nodes,
                        "left": pruned.nodes / full.nodes,
                    }
                )
    return rows


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--depths", type=int, nargs="+", default=[4, 6, 8, 10], help="in plies")
    given = parser.parse_args()
    game = load_catalog().game("scramble", players=PLAYERS)
    assert isinstance(game, CompiledGame)
    print_result(count(game, given.depths), as_json=given.json)


if __name__ == "__main__":
    main()
