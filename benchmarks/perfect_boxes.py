"""The most that local bounds could save: nodes with boxes found by looking ahead.

    python benchmarks/perfect_boxes.py [--game risk_lite] [--json]

For evaluators without `reach`: a box that is exactly as wide as the leaves below a node, with the
exact range of their totals. No real one is tighter, so where this saves little none is worth
writing. Looking ahead costs more than the search itself: only nodes count here.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from cases import STANCES, positions
from harness import arguments, print_result

from mpsearch import load_catalog
from mpsearch.api.game_table import set_table
from mpsearch.contracts import CHANCE, OVER, Array, Evaluator, Limits, SearchSpace, State
from mpsearch.search import make_engine, search

SEED = 11
#: A box of more depth than this is asked for a search that may be complete: nothing is known.
_DEEPEST = 20

#: Game, players, evaluator, branching, depth.
CASES = [
    ("quoridor", 4, "distance", "near", 3),
    ("quoridor", 4, "margin", "near", 3),
    ("quoridor", 4, "path_difference", "near", 3),
    ("quoridor", 4, "features", "near", 3),
    ("hearts", 4, "points", None, 6),
    ("hearts", 4, "paper", None, 6),
    ("risk_lite", 4, "paper", "bids", 3),
    ("risk_lite", 4, "army_land", "bids", 3),
    ("risk_lite", 4, "holdings", "bids", 3),
    ("go_fish", 3, "collected", None, 2),
    ("plunder", 3, "score", None, 3),
]


class LookingAhead(Evaluator):
    """Another evaluator's values, with boxes as narrow as they can be."""

    reaches = True

    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        self.bounds = space.evaluator.bounds
        self.known: dict[tuple[State, int], tuple[Array, Array]] = {}

    def values(self, state: State) -> Array:
        return self.space.evaluator.values(state)

    def box(self, state: State, depth: int) -> tuple[Array, Array]:
        if depth > _DEEPEST:
            return self.bounds.box(self.space.game.players)
        if (state, depth) not in self.known:
            self.known[state, depth] = self._look(state, depth)
        return self.known[state, depth]

    def _look(self, state: State, depth: int) -> tuple[Array, Array]:
        game = self.space.game
        mover = game.mover(state)
        moves: list[Any] = []
        if mover == CHANCE:
            moves = [outcome for outcome, _ in game.tree_chance(state)]
        elif mover != OVER and depth > 0:
            listing = game if self.space.branching is None else self.space.branching
            moves = list(listing.moves(state))
            depth -= 1
        if not moves:
            values = self.values(state)
            values = np.append(values, values.sum())
            return values, values
        boxes = [self.box(game.play(state, move), depth) for move in moves]
        lows, highs = zip(*boxes, strict=True)
        return np.min(lows, axis=0), np.max(highs, axis=0)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="only these games")
    given = parser.parse_args()
    rows = []
    for name, players, evaluator, branching, depth in CASES:
        if given.game and name not in given.game:
            continue
        table = set_table(load_catalog(), name, players=players, options={})
        space = table.space(evaluator, branching)
        seeing = attrs.evolve(space, evaluator=LookingAhead(space))
        engine = make_engine(seeing, interpret=True)
        row: dict[str, Any] = {"game": name, "evaluator": evaluator, "depth": depth, "nodes": 0}
        for kind, take in STANCES.items():
            before = after = 0
            for position in positions(space, seed=SEED)[1:3]:
                stance = take(table, space, position)
                limits = Limits(depth=depth)
                states = [position.state]
                plain = search(seeing, states, stance, limits, local=frozenset(), engine=engine)
                before += plain.nodes
                after += search(seeing, states, stance, limits, engine=engine).nodes
            row["nodes"] = max(row["nodes"], before)
            row[kind] = after / before
        rows.append(row)
    print_result(rows, as_json=given.json)


if __name__ == "__main__":
    main()
