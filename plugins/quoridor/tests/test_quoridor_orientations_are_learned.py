"""What a player of this game cares about can be read from its moves."""

import math
import statistics

import numpy as np
import pytest

from mpsearch.agent import SearchAgent, make_agent
from mpsearch.catalog import load_catalog
from mpsearch.contracts import Event
from mpsearch.match import play_match


def degrees(first: list[float], second: list[float]) -> float:
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    return math.degrees(math.acos(dot / math.hypot(*first) / math.hypot(*second)))


@pytest.mark.parametrize(("model", "fall"), [("advantage", 0.85), ("likelihood", 0.7)])
def test_angles_fall_with_the_number_of_moves_seen(model: str, fall: float) -> None:
    catalog = load_catalog()
    game = catalog.game_offer("quoridor").new_game(players=3, options={"size": 5})
    watcher = make_agent(catalog, "quoridor", game, f"greedy:model={model}")
    assert isinstance(watcher, SearchAgent)
    angles: dict[int, list[float]] = {}
    for seed in range(8):
        rng = np.random.default_rng(seed)
        relative = [[rng.uniform(0.2, 1), *rng.uniform(-1, 1, 2)] for _ in range(2)]
        texts = ["oriented:row=" + ":".join(f"{x:.17g}" for x in row) for row in relative]
        others = [make_agent(catalog, "quoridor", game, text) for text in texts]
        beliefs = watcher.start(0, rng)
        moves = [0, 0, 0]
        for ply in play_match(game, [watcher, *others], seed=seed):
            if ply.seat == 0:
                continue
            true = [relative[ply.seat - 1][(s - ply.seat) % 3] for s in range(3)]
            believed = watcher.model.matrix(beliefs)[ply.seat].tolist()
            if any(believed):
                angles.setdefault(min(moves[ply.seat], 4), []).append(degrees(believed, true))
            event = Event(mover=ply.seat, move=ply.move, before=ply.before, after=ply.state)
            beliefs = watcher.observe(beliefs, event, rng)
            moves[ply.seat] += 1
    assert statistics.mean(angles[4]) < fall * statistics.mean(angles[0])
