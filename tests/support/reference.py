"""The search in ten lines and exact arithmetic, which shares no code with the ones it checks."""

import functools
import itertools
import math
from typing import Any

from mpsearch.contracts import CHANCE, OVER, Bounds, Report

#: Every number of these tests is a whole multiple of 1 / WHOLE; `whole` fails for any that is not.
WHOLE = 2**200


@functools.lru_cache(maxsize=10_000)  # trees have few different values
def whole(x: float) -> int:
    numerator, denominator = float(x).as_integer_ratio()
    assert denominator <= WHOLE
    return numerator * (WHOLE // denominator)


@functools.lru_cache(maxsize=10_000)
def direction(row: tuple[float, ...]) -> tuple[list[tuple[int, int]], int]:
    """The seats that a row cares about, with how much, and the greatest of these entries."""
    entries = [(j, whole(c)) for j, c in enumerate(row) if abs(c) > 2**-21]
    return entries, max((abs(c) for _, c in entries), default=1)


def key(row: Any, value: Any) -> int:
    """What a value is worth to a mover, in exact arithmetic: the number of the nearest 2**-20.

    Only the direction of a row counts, and an entry below half of 2**-20 is none.
    """
    entries, size = direction(tuple(row))
    merit = sum(c * whole(value[j]) for j, c in entries)
    quotient, rest = divmod(merit * 2**20, size * WHOLE)
    half = 2 * rest - size * WHOLE
    return quotient + (half > 0 or (half == 0 and quotient % 2 == 1))


def reference(
    game: Any, evaluator: Any, state: Any, depth: int, matrix: Any, moves: Any = None
) -> tuple[list[float], int, list[Any]]:
    """The whole tree, plainly: value, number of nodes, expected line."""
    return reference_with_end(game, evaluator, state, depth, matrix, moves)[:3]


def preference(evaluator: Any, row: Any, below: Any, end: float) -> tuple[int, float]:
    """What a mover wants most of: merit; of wins the soonest, of losses the latest."""
    found = key(row, below)
    least, greatest = extremes(evaluator.bounds, tuple(row))
    if not evaluator.short_wins or least == greatest or least < found < greatest:
        return found, 0
    return found, -end if found >= greatest else end


@functools.cache
def extremes(bounds: Bounds, row: tuple[float, ...]) -> tuple[int, int]:
    """The least and the greatest merit of any value within the bounds.

    Every corner of the bounds is tried: seats at an end of their range, but for one, which takes
    what the sum leaves.
    """
    seats = range(len(row))
    ends = (bounds.least, bounds.greatest)
    corners = [list(corner) for corner in itertools.product(ends, repeat=len(row))]
    if bounds.total is not None:
        least, greatest = bounds.total
        free = [
            [*corner[:seat], total - sum(corner) + corner[seat], *corner[seat + 1 :]]
            for corner in corners
            for seat in seats
            for total in bounds.total
        ]
        corners = [c for c in corners if least - 1e-9 <= sum(c) <= greatest + 1e-9]
        corners += [c for c in free if ends[0] - 1e-9 <= min(c) <= max(c) <= ends[1] + 1e-9]
    merits = [key(row, corner) for corner in corners]
    return min(merits), max(merits)


def reference_with_end(
    game: Any,
    evaluator: Any,
    state: Any,
    depth: int,
    matrix: Any,
    moves: Any = None,
    ply: int = 0,
) -> tuple[list[float], int, list[Any], float]:
    """The same, and the ply at which the line ends the game; infinite if it does not."""
    seat = game.mover(state)
    outcomes = game.tree_chance(state) if seat == CHANCE else ()
    if outcomes:
        value, nodes, end = [0.0] * game.players, 1, 0.0
        for outcome, probability in outcomes:
            after = game.play(state, outcome)
            below, count, _, its = reference_with_end(
                game, evaluator, after, depth, matrix, moves, ply + 1
            )
            value = [v + probability * b for v, b in zip(value, below, strict=True)]
            nodes, end = nodes + count, max(end, its)
        return value, nodes, [], end
    if seat < 0 or depth == 0:
        return evaluator.values(state).tolist(), 1, [], ply if seat == OVER else math.inf
    best, best_key, line, nodes, end = None, (0, 0.0), [], 1, 0.0
    for move in (moves or game.moves)(state):
        after = game.play(state, move)
        below, count, rest, its = reference_with_end(
            game, evaluator, after, depth - 1, matrix, moves, ply + 1
        )
        nodes += count
        found = preference(evaluator, matrix[seat], below, its)
        if best is None or found > best_key:
            best, best_key, line, end = below, found, [move, *rest], its
    assert best is not None
    return best, nodes, line, end


def result(report: Report) -> tuple[Any, list[float], tuple[Any, ...]]:
    """What a search must have in common with the reference: move, value and line."""
    return report.move, report.value.tolist(), report.line
