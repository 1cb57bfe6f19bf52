"""The interpreted search over pyspiel beside plain Python MaxN over pyspiel: nodes and seconds.

    python benchmarks/bridge.py

Both search the same states of random games, to the same depth, without pruning, with an evaluator
that costs next to nothing. The ratio is that of processor seconds, the least of several turns of
each search, taken in turns in one run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.api.game_table import table
from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator, Limits, SearchSpace, Stance
from mpsearch.search import make_engine, search

GAMES = {
    "os_leduc_poker": 8,
    "os_pig": 4,
    "os_hearts": 5,
    "os_maedn": 3,
    "os_goofspiel": 4,
    "os_oh_hell": 4,
    "os_chinese_checkers": 2,
    "os_spades": 5,
}
STATES, TURNS = 4, 9


class Nothing(Evaluator):
    """Free: the same number for everybody."""

    bounds = Bounds()

    def __init__(self, players: int) -> None:
        self.value = np.full(players, 50.0)

    def values(self, state: Any) -> Array:
        return self.value


def maxn(
    inner: Any, depth: int, players: int, values: Callable[[Any], list[float]]
) -> tuple[list[float], int]:
    """The textbook, over OpenSpiel's own states: the value of a state, and nodes."""
    if inner.is_terminal() or (depth == 0 and not inner.is_chance_node()):
        return values(inner), 1
    nodes = 1
    if inner.is_chance_node():
        outcomes = inner.chance_outcomes()
        if len(outcomes) > 36:
            return values(inner), 1
        mean = [0.0] * players
        for action, probability in outcomes:
            found, below = maxn(inner.child(action), depth, players, values)
            nodes += below
            mean = [m + probability * f for m, f in zip(mean, found, strict=True)]
        return mean, nodes
    mover, best = inner.current_player(), None
    for action in inner.legal_actions():
        found, below = maxn(inner.child(action), depth - 1, players, values)
        nodes += below
        if best is None or found[mover] > best[mover]:
            best = found
    assert best is not None
    return best, nodes


def free(value: list[float]) -> Callable[[Any], list[float]]:
    return lambda inner: value


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
        values = free(evaluator.value.tolist())
        plain = searched = 0.0
        nodes = [0, 0]
        for root in roots:
            times: list[tuple[float, float]] = []
            for _ in range(TURNS):
                started = time.process_time()
                _, count = maxn(root.inner, depth, game.players, values)
                between = time.process_time()
                report = search(
                    space, [root], stance, Limits(depth=depth), prune=False, engine=engine
                )
                times.append((between - started, time.process_time() - between))
            plain += min(first for first, _ in times)
            searched += min(second for _, second in times)
            nodes = [nodes[0] + count, nodes[1] + report.nodes]
        print(
            f"{name:20} depth {depth}  nodes {nodes[0]} and {nodes[1]}  "
            f"{1e6 * plain / nodes[0]:.2f} and {1e6 * searched / nodes[1]:.2f} us a node  "
            f"search takes {searched / plain:.2f} times as long"
        )


if __name__ == "__main__":
    main()
