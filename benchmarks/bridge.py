"""The interpreted search over pyspiel beside plain Python MaxN over pyspiel: nodes and seconds.

    python benchmarks/bridge.py

Both search the same states of random games, to the same depth, without pruning, with the same
evaluator, which costs next to nothing. The ratio is that of seconds, taken in turns in one run.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator, Stance
from mpsearch.search import Limits, SearchSpace, make_engine, search
from mpsearch.table import table

GAMES = {"os_leduc_poker": 8, "os_pig": 4, "os_hearts": 5, "os_maedn": 3, "os_goofspiel": 4}
STATES, TURNS = 4, 5


class Nothing(Evaluator):
    """Free: the same number for everybody."""

    bounds = Bounds()

    def __init__(self, players: int) -> None:
        self.value = np.full(players, 50.0)

    def values(self, state: Any) -> Array:
        return self.value


def maxn(inner: Any, depth: int, value: list[float]) -> tuple[list[float], int]:
    """The textbook, over OpenSpiel's own states: the value of a state, and nodes."""
    if inner.is_terminal() or (depth == 0 and not inner.is_chance_node()):
        return value, 1
    nodes = 1
    if inner.is_chance_node():
        outcomes = inner.chance_outcomes()
        if len(outcomes) > 36:
            return value, 1
        mean = [0.0] * len(value)
        for action, probability in outcomes:
            found, below = maxn(inner.child(action), depth, value)
            nodes += below
            mean = [m + probability * f for m, f in zip(mean, found, strict=True)]
        return mean, nodes
    mover, best = inner.current_player(), None
    for action in inner.legal_actions():
        found, below = maxn(inner.child(action), depth - 1, value)
        nodes += below
        if best is None or found[mover] > best[mover]:
            best = found
    assert best is not None
    return best, nodes


def states(game: Any, count: int) -> list[Any]:
    found: list[Any] = []
    for seed in range(count):
        rng, state = np.random.default_rng(seed), game.new()
        seen = []
        while game.mover(state) != OVER:
            chance = game.mover(state) == CHANCE
            if not chance:
                seen.append(state)
            move = game.draw(state, rng) if chance else int(rng.choice(game.moves(state)))
            state = game.play(state, move)
        found.append(seen[len(seen) // 2])
    return found


def main() -> None:
    for name, depth in GAMES.items():
        game: Any = table(name).game
        evaluator = Nothing(game.players)
        space = SearchSpace(game=game, evaluator=evaluator)
        engine = make_engine(space)
        stance = Stance(matrix=np.eye(game.players), label="maxn")
        roots = states(game, STATES)
        seconds, nodes = {"plain": 0.0, "search": 0.0}, {"plain": 0, "search": 0}
        for _ in range(TURNS):
            for root in roots:
                started = time.process_time()
                _, count = maxn(root.inner, depth, evaluator.value.tolist())
                seconds["plain"] += time.process_time() - started
                nodes["plain"] += count
                started = time.process_time()
                report = search(
                    space, [root], stance, Limits(depth=depth), prune=False, engine=engine
                )
                seconds["search"] += time.process_time() - started
                nodes["search"] += report.nodes
        ratio = seconds["search"] / seconds["plain"]
        print(
            f"{name:20} depth {depth}  nodes {nodes['plain']} and {nodes['search']}  "
            f"search takes {ratio:.2f} times as long"
        )


if __name__ == "__main__":
    main()
