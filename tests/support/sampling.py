"""Monte-Carlo tree search as plain objects, which share no code with the one they check."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, OVER


class Branch:
    """A node; its children by move, in the order in which they were tried."""

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.total = [0.0] * players
        self.children: dict[Any, Branch] = {}

    def paths(self, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], tuple[int, list[float]]]:
        """Visits and totals of every node below, by the moves that lead there."""
        found = {path: (self.visits, self.total)}
        for move, child in self.children.items():
            found |= child.paths((*path, move))
        return found


def drawn(outcomes: Any, rng: np.random.Generator) -> Any:
    point, passed = int(rng.integers(2**32 - 1)) / (2**32 - 1), 0.0
    for outcome, probability in outcomes:
        passed += probability
        if point < passed:
            return outcome
    return outcomes[-1][0]


def sampled_tree(
    game: Any,
    evaluator: Any,
    state: Any,
    matrix: Any,
    *,
    iterations: int,
    rng: np.random.Generator,
    explore: float,
    cut: float,
    depth: int = 400,
    choose: Any = None,
) -> Branch:
    """The tree after so many iterations. `choose(state, moves, rng)` plays behind it."""
    players = game.players
    seats = range(players)
    root = Branch(players)
    span = dict.fromkeys(seats, (math.inf, -math.inf))

    def merit(seat: int, value: list[float]) -> float:
        seen = 0.0
        for c, v in zip(matrix[seat], value, strict=True):
            seen += float(c) * v
        return seen

    def score(node: Branch, child: Branch, seat: int) -> float:
        mean = round(merit(seat, child.total) / child.visits * 2**20) / 2**20
        low, high = span[seat]
        spare = explore * math.sqrt(math.log(node.visits) / child.visits)
        return spare + (mean - low) / (high - low) if high > low else spare

    for _ in range(iterations):
        node, here, path, level = root, state, [root], 0
        while (seat := game.mover(here)) != OVER and level < depth:
            if seat == CHANCE:
                outcomes = game.tree_chance(here)
                if not outcomes:
                    break
                move = drawn(outcomes, rng)
            else:
                level += 1
                untried = [m for m in game.moves(here) if m not in node.children]
                if untried:
                    move = untried[0]
                else:
                    scores = {m: score(node, c, seat) for m, c in node.children.items()}
                    move = max(scores, key=lambda m: scores[m])
            new = move not in node.children
            node = node.children.setdefault(move, Branch(players))
            path.append(node)
            here = game.play(here, move)
            if new:
                break
        plies = 0
        while plies < cut and (seat := game.mover(here)) != OVER:
            if seat == CHANCE:
                outcomes = game.tree_chance(here)
                if not outcomes:
                    break
                here = game.play(here, drawn(outcomes, rng))
                continue
            moves = game.moves(here)
            index = int(rng.integers(len(moves))) if choose is None else choose(here, moves, rng)
            here = game.play(here, moves[index])
            plies += 1
        value = evaluator.values(here).tolist()
        for branch in path:
            branch.visits += 1
            branch.total = [t + v for t, v in zip(branch.total, value, strict=True)]
        for seat in seats:
            low, high = span[seat]
            got = merit(seat, value)
            span[seat] = min(low, got), max(high, got)
    return root
