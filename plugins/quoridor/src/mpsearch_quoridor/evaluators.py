"""Evaluators by distance: how far everybody's pawn is from its goal.

Distances count up to `farthest(size)` steps, which is rarely exceeded, so that the scale of 0 to
100 is used.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import Bounds, CompiledEvaluator, compiled
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.paths import distance, farthest
from mpsearch_quoridor.reach import distance_reach


@compiled
def write_distances(s: Any, out: Any) -> None:
    """Every seat's distance, at most `farthest`, to `out`. Shape (P,)."""
    far = farthest(s.rows)
    for seat in range(s.players):
        out[seat] = min(distance(s, seat), far)


@compiled
def write_victory(s: Any, out: Any, total: float) -> None:
    """100 for the winner, and for the others equal shares of what is left of `total`."""
    rest = (total - 100.0) / (s.players - 1)
    for seat in range(s.players):
        out[seat] = 100.0 if seat == s.winner else rest


@compiled
def own_distance(s: Any, parameters: Any, out: Any) -> None:
    """100 at the goal, 0 at the farthest distance."""
    write_distances(s, out)
    far = farthest(s.rows)
    for seat in range(s.players):
        out[seat] = 100.0 * (far - out[seat]) / far


@compiled
def margin(s: Any, parameters: Any, out: Any) -> None:
    """The others' mean distance minus one's own; the values add up to 50 per seat."""
    if s.winner >= 0:
        write_victory(s, out, 50.0 * s.players)
        return
    write_distances(s, out)
    total = 0.0
    for seat in range(s.players):
        total += out[seat]
    scale = 50.0 / ((s.players - 1) * farthest(s.rows))
    for seat in range(s.players):
        out[seat] = 50.0 + scale * (total - s.players * out[seat])


@compiled
def path_difference(s: Any, parameters: Any, out: Any) -> None:
    """The nearest other's distance minus one's own."""
    if s.winner >= 0:
        write_victory(s, out, 100.0)
        return
    write_distances(s, out)
    far = farthest(s.rows)
    first = 2.0 * far
    second = 2.0 * far
    for seat in range(s.players):
        if out[seat] < first:
            second = first
            first = out[seat]
        elif out[seat] < second:
            second = out[seat]
    scale = 50.0 / far
    for seat in range(s.players):
        # Of several that are nearest each has another one at the same distance.
        nearest = second if out[seat] == first else first
        out[seat] = 50.0 + scale * (nearest - out[seat])


def make_distance(game: Quoridor) -> CompiledEvaluator:
    step = 100 / farthest.plain(game.size)
    # At most one seat is at its goal.
    greatest = 100 + (game.players - 1) * (100 - step)
    bounds = Bounds(step=step, total=(0, greatest))
    return CompiledEvaluator(
        game, own_distance, bounds=bounds, reach=distance_reach, own_affairs=True
    )


def make_margin(game: Quoridor) -> CompiledEvaluator:
    total = 50 * game.players
    step = 50 / ((game.players - 1) * farthest.plain(game.size))
    return CompiledEvaluator(game, margin, bounds=Bounds(step=step, total=(total, total)))


def make_path_difference(game: Quoridor) -> CompiledEvaluator:
    # With distances d1 <= d2 <= ... the sum is 50 P minus the scaled sum of d_i - d1 over i > 2.
    bounds = Bounds(step=50 / farthest.plain(game.size), total=(100, 50 * game.players))
    return CompiledEvaluator(game, path_difference, bounds=bounds)
