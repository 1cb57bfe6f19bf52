"""Best-reply search in plain recursions that share no code with the one they check."""

import math
from collections.abc import Callable
from typing import Any

from mpsearch.contracts import CHANCE, OVER
from support.reference import preference

#: Lists the moves worth searching in a state, the one that who does not reply makes first.
Listing = Callable[[Any], list[Any]]


def step(x: float) -> int:
    """The number of the nearest 2**-20: values are compared so."""
    return round(x * 2**20)


def greedy_first(game: Any, evaluator: Any) -> Listing:
    """The legal moves, the one that gives the mover most first."""

    def listing(state: Any) -> list[Any]:
        seat = game.mover(state)
        moves = list(game.moves(state))
        gains = [step(evaluator.values(game.play(state, move))[seat]) for move in moves]
        best = gains.index(max(gains))
        return [moves[best], *moves[:best], *moves[best + 1 :]]

    return listing


def best_reply(
    game: Any,
    evaluator: Any,
    state: Any,
    depth: int,
    root: int,
    *,
    skip: bool = False,
    first: Listing | None = None,
) -> tuple[list[float], list[Any]]:
    """Value and expected line; a turn that goes by stands in it as None."""
    return _best_reply(game, evaluator, state, depth, root, skip, first, None, 0)[:2]


def _best_reply(
    game: Any,
    evaluator: Any,
    state: Any,
    depth: int,
    root: int,
    skip: bool,
    first: Listing | None,
    replier: int | None,
    ply: int,
) -> tuple[list[float], list[Any], float]:
    """The same, and the ply at which the line ends the game."""
    seat = game.mover(state)

    def below(after: Any, left: int, new: int | None) -> tuple[list[float], list[Any], float]:
        return _best_reply(game, evaluator, after, left, root, skip, first, new, ply + 1)

    outcomes = game.tree_chance(state) if seat == CHANCE else ()
    if outcomes:
        value, last = [0.0] * game.players, 0.0
        for outcome, probability in outcomes:
            mean, _, end = below(game.play(state, outcome), depth, replier)
            value = [v + probability * m for v, m in zip(value, mean, strict=True)]
            last = max(last, end)
        return value, [], last
    if seat < 0 or depth == 0:
        return evaluator.values(state).tolist(), [], ply if seat == OVER else math.inf
    choices: list[tuple[Any, Any, int | None]] = []
    legal = list(game.moves(state))
    if seat == root:
        choices = [(move, game.play(state, move), None) for move in legal]
    elif seat == replier:
        choices = [(move, game.play(state, move), seat) for move in legal]
    elif skip:
        passed = game.skip(state)
        if replier is None:
            choices = [(move, game.play(state, move), seat) for move in legal]
        if replier is not None or game.mover(passed) not in (root, OVER):
            choices.append((None, passed, replier))
    else:
        ordered = legal if first is None else first(state)
        choices = [(ordered[0], game.play(state, ordered[0]), replier)]
        if replier is None:
            choices += [(move, game.play(state, move), seat) for move in ordered[1:]]
    found = [(move, *below(after, depth - 1, new)) for move, after, new in choices]
    sign = 1.0 if seat == root else -1.0
    row = [sign * (j == root) for j in range(game.players)]
    move, value, line, end = max(found, key=lambda its: preference(evaluator, row, its[1], its[3]))
    return value, [move, *line], end


def worst_of_one(game: Any, evaluator: Any, state: Any, depth: int, root: int) -> float:
    """The root's value in the words of the definition, for trees without chance: behind every
    move of the root the worst that any one opponent can do, all others making their first move.
    """

    def behind(state: Any, depth: int, replier: int) -> float:
        seat = game.mover(state)
        if seat == OVER or depth == 0:
            return float(evaluator.values(state)[root])
        moves = list(game.moves(state))
        if seat == root:
            return max(after_root(game.play(state, move), depth - 1) for move in moves)
        tried = moves if seat == replier else moves[:1]
        return min(behind(game.play(state, move), depth - 1, replier) for move in tried)

    def after_root(state: Any, depth: int) -> float:
        return min(behind(state, depth, seat) for seat in range(game.players) if seat != root)

    return behind(state, depth, root)
