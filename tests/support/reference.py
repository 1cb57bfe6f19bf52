"""The search in ten lines and exact arithmetic, which shares no code with the ones it checks."""

from typing import Any

from mpsearch.contracts import CHANCE, Report

#: Every float is a whole multiple of 1 / WHOLE.
WHOLE = 2**1074


def whole(x: float) -> int:
    numerator, denominator = float(x).as_integer_ratio()
    return numerator * (WHOLE // denominator)


def key(row: Any, value: Any) -> int:
    """What a value is worth to a mover, in exact arithmetic: the number of the nearest 2**-20.

    Only the direction of a row counts, and an entry below half of 2**-20 is none.
    """
    entries = [whole(c) if abs(c) > 2**-21 else 0 for c in row]
    size = max(map(abs, entries)) or 1
    merit = sum(c * whole(v) for c, v in zip(entries, value, strict=True))
    quotient, rest = divmod(merit * 2**20, size * WHOLE)
    half = 2 * rest - size * WHOLE
    return quotient + (half > 0 or (half == 0 and quotient % 2 == 1))


def reference(
    game: Any, evaluator: Any, state: Any, depth: int, matrix: Any, moves: Any = None
) -> tuple[list[float], int, list[Any]]:
    """The whole tree, plainly: value, number of nodes, expected line."""
    seat = game.mover(state)
    outcomes = game.tree_chance(state) if seat == CHANCE else ()
    if outcomes:
        value, nodes = [0.0] * game.players, 1
        for outcome, probability in outcomes:
            after = game.play(state, outcome)
            below, count, _ = reference(game, evaluator, after, depth, matrix, moves)
            value = [v + probability * b for v, b in zip(value, below, strict=True)]
            nodes += count
        return value, nodes, []
    if seat < 0 or depth == 0:
        return evaluator.values(state).tolist(), 1, []
    best, best_key, line, nodes = None, 0, [], 1
    for move in (moves or game.moves)(state):
        after = game.play(state, move)
        below, count, rest = reference(game, evaluator, after, depth - 1, matrix, moves)
        nodes += count
        found = key(matrix[seat], below)
        if best is None or found > best_key:
            best, best_key, line = below, found, [move, *rest]
    assert best is not None
    return best, nodes, line


def result(report: Report) -> tuple[Any, list[float], tuple[Any, ...]]:
    """What a search must have in common with the reference: move, value and line."""
    return report.move, report.value.tolist(), report.line
