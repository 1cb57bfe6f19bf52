"""The same MaxN work over OpenSpiel's Hearts and Quoridor, and the ratio of nodes a second.

    python benchmarks/openspiel.py [--depth-hearts 7] [--depth-quoridor 3] [--rounds 5] [--json]

Needs `pip install 'mpsearch[openspiel]'`. A full tree without pruning from a random position, on
their side by a plain recursion over OpenSpiel's states, which are C++: clone, apply, list the
moves, keep the best child. Their leaves are not evaluated, because OpenSpiel has no evaluators for
these games; ours are. Rules and positions differ a little (OpenSpiel gives every player 10 walls),
so only speeds are compared, in processor time, in turn within one run.
"""

from __future__ import annotations

import statistics
import sys
from typing import Any

import numpy as np
from cases import positions
from harness import arguments, duel, print_result

from mpsearch import load_catalog
from mpsearch.api.game_table import set_table
from mpsearch.contracts import Limits, SearchSpace, Stance
from mpsearch.search import make_engine, search
from mpsearch.social import identity

try:
    import pyspiel
except ImportError:
    sys.exit("this benchmark needs OpenSpiel: pip install 'mpsearch[openspiel]'")

SEED = 11
SEATS = 4
#: Random moves before the search.
PLIES = 8
GAMES = {
    "hearts": ("hearts(pass_cards=false)", "points", None),
    "quoridor": ("quoridor(players=4)", "distance", "all"),
}


def their_position(name: str) -> Any:
    """A state after PLIES random moves."""
    rng = np.random.default_rng(SEED)
    state = pyspiel.load_game(name).new_initial_state()
    made = 0
    while made < PLIES or state.is_chance_node():
        made += not state.is_chance_node()
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def maxn(state: Any, depth: int) -> tuple[int, list[float]]:
    """Nodes of the full tree, and the value by seat."""
    if depth == 0 or state.is_terminal():
        return 1, state.returns()
    mover = state.current_player()
    nodes, best = 1, None
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        below, value = maxn(child, depth - 1)
        nodes += below
        if best is None or value[mover] > best[mover]:
            best = value
    assert best is not None
    return nodes, best


def our_space(game: str, evaluator: str, branching: str | None) -> tuple[SearchSpace, Any]:
    table = set_table(load_catalog(), game, players=SEATS, options={})
    space = table.space(evaluator, branching)
    return space, positions(space, seed=SEED)[1].state


def measure(game: str, depth: int, rounds: int) -> dict[str, Any]:
    theirs_name, evaluator, branching = GAMES[game]
    space, state = our_space(game, evaluator, branching)
    engine = make_engine(space)
    stance = Stance(matrix=identity(SEATS), label="maxn")
    theirs = their_position(theirs_name)

    def ours() -> int:
        report = search(space, [state], stance, Limits(depth=depth), prune=False, engine=engine)
        return report.nodes

    our_nodes, their_nodes = ours(), maxn(theirs, depth)[0]
    times = duel(ours, lambda: maxn(theirs, depth), pairs=rounds)
    mine = our_nodes / statistics.median(times.ours)
    other = their_nodes / statistics.median(times.theirs)
    return {
        "game": game,
        "propagator": "maxn",
        "depth": depth,
        "nodes": our_nodes,
        "seconds": statistics.median(times.ours),
        "nodes_per_second": mine,
        "openspiel_nodes": their_nodes,
        "openspiel_nodes_per_second": other,
        "ratio_to_openspiel": mine / other,
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--depth-hearts", type=int, default=7)
    parser.add_argument("--depth-quoridor", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    depths = {"hearts": given.depth_hearts, "quoridor": given.depth_quoridor}
    print_result(
        [measure(game, depth, given.rounds) for game, depth in depths.items()], as_json=given.json
    )


if __name__ == "__main__":
    main()
