"""Monte-Carlo tree search as plain objects, which share no code with the one they check."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, OVER

#: The ply at which a game ends of which that is not known.
NEVER = 1000


class Branch:
    """A node; its children by move, in the order in which they were tried."""

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.total = [0.0] * players
        #: The plies at which games ended, together.
        self.ends = 0
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
        end = level + plies if game.mover(here) == OVER else NEVER
        for branch in path:
            branch.visits += 1
            branch.ends += end
            branch.total = [t + v for t, v in zip(branch.total, value, strict=True)]
        for seat in seats:
            low, high = span[seat]
            got = merit(seat, value)
            span[seat] = min(low, got), max(high, got)
    return root


def nodes_by_way(workspace: Any) -> dict[tuple[Any, ...], Any]:
    """Every node of a tree that an engine has grown, by the moves that lead there."""
    nodes = workspace.nodes
    if isinstance(nodes, np.ndarray):
        nodes = nodes[: int(workspace.context.used)].view(np.recarray)
    ways: list[tuple[Any, ...]] = []
    for node in nodes:
        ways.append(() if node.parent < 0 else (*ways[node.parent], node.move))
    return dict(zip(ways, nodes, strict=True))


class InformationSet:
    """A node of one tree for all worlds."""

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.available = 1
        self.total = [0.0] * players
        self.children: dict[Any, InformationSet] = {}


def information_set_tree(
    game: Any,
    evaluator: Any,
    state: Any,
    matrix: Any,
    *,
    iterations: int,
    rng: np.random.Generator,
    explore: float,
) -> InformationSet:
    """Single-observer ISMCTS as its paper has it, but that moves are tried in their own order.

    Play-outs are random and go to the end.
    """
    observer = game.mover(state)
    view = game.view(state, observer)
    root = InformationSet(game.players)
    seen: dict[int, list[float]] = {seat: [] for seat in range(game.players)}

    def merit(seat: int, value: list[float]) -> float:
        found = 0.0
        for c, v in zip(matrix[seat], value, strict=True):
            found += float(c) * v
        return found

    def score(seat: int, child: InformationSet) -> float:
        spare = explore * math.sqrt(math.log(child.available) / child.visits)
        low, high = min(seen[seat]), max(seen[seat])
        mean = round(merit(seat, child.total) / child.visits * 2**20) / 2**20
        return spare + (mean - low) / (high - low) if high > low else spare

    for _ in range(iterations):
        here, node, path, new = game.world(view, rng), root, [root], False
        while not new and (seat := game.mover(here)) != OVER:
            if seat == CHANCE:
                outcomes = game.tree_chance(here)
                if not outcomes:
                    break
                move = drawn(outcomes, rng)
            else:
                moves = list(game.moves(here))
                known = [m for m in moves if m in node.children]
                for m in known:
                    node.children[m].available += 1
                if len(known) < len(moves):
                    move = next(m for m in moves if m not in known)
                else:
                    move = max(known, key=lambda m: score(seat, node.children[m]))
            new = move not in node.children
            if new:
                node.children[move] = InformationSet(game.players)
            node = node.children[move]
            path.append(node)
            here = game.play(here, move)
        while (seat := game.mover(here)) != OVER:
            if seat == CHANCE:
                outcomes = game.tree_chance(here)
                if not outcomes:
                    break
                here = game.play(here, drawn(outcomes, rng))
            else:
                moves = game.moves(here)
                here = game.play(here, moves[int(rng.integers(len(moves)))])
        value = evaluator.values(here).tolist()
        for branch in path:
            branch.visits += 1
            branch.total = [t + v for t, v in zip(branch.total, value, strict=True)]
        for seat in seen:
            seen[seat].append(merit(seat, value))
    return root
