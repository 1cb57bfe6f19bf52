"""The paper's six features, weighted: each one's own minus the mean of the others'."""

from __future__ import annotations

from typing import Any

import numpy as np

from mpsearch.contracts import Bounds, CompiledEvaluator, compiled
from mpsearch.gamekit import population
from mpsearch_quoridor.evaluators import write_distances, write_victory
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.layout import NORTH, SEATS, SOUTH, SQUARES, WEST, WIDTH
from mpsearch_quoridor.options import FEATURE_WEIGHTS
from mpsearch_quoridor.paths import farthest
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.steps import has
from mpsearch_quoridor.tables import Table, bits
from mpsearch_quoridor.walkers import write_shares

PATH, WALKERS, MANHATTAN, BEEN_THERE, WALLS_LEFT, WALLS_BEFORE = range(6)
COUNT = len(FEATURE_WEIGHTS)
#: Behind the weights: walks, forward, seed of the walkers, walls per player.
WALKS, FORWARD, SEED, WALLS = range(COUNT, COUNT + 4)


def _points_before(square: int, side: int) -> tuple[int, int]:
    """The middles of walls between a square and the goal of a seat from `side`."""
    row, column = divmod(square, WIDTH)
    edge = row if side in (SOUTH, NORTH) else column

    def before(point: tuple[int, int]) -> bool:
        line = point[0] if side in (SOUTH, NORTH) else point[1]
        return line >= edge if side in (SOUTH, WEST) else line < edge

    points = ((r, c) for r in range(WIDTH - 1) for c in range(WIDTH - 1))
    return bits(point for point in points if before(point))


#: Shape (SQUARES, 4, 2).
POINTS_BEFORE: Table = np.array(
    [[_points_before(square, side) for side in range(4)] for square in range(SQUARES)],
    dtype=np.int64,
)


@compiled
def lines_to_goal(s: Any, seat: int) -> Any:
    """Rows or columns between a pawn and its goal, walls disregarded (Manhattan)."""
    row, column = s.pawn[seat] // WIDTH, s.pawn[seat] % WIDTH
    side = side_of(s, seat)
    if side == SOUTH:
        return s.rows - 1 - row
    if side == WEST:
        return s.rows - 1 - column
    return row if side == NORTH else column


@compiled
def walls_before(s: Any, seat: int) -> Any:
    """Walls on the board between a pawn and its goal."""
    side, square = side_of(s, seat), s.pawn[seat]
    low = (s.horizontal[0] | s.vertical[0]) & POINTS_BEFORE[square, side, 0]
    high = (s.horizontal[1] | s.vertical[1]) & POINTS_BEFORE[square, side, 1]
    return population(low) + population(high)


@compiled
def worth_alone(s: Any, seat: int, parameters: Any) -> Any:
    """The weighted sum of the features that one pawn has by itself, each from 0 to 1."""
    allowance = max(parameters[WALLS], 1.0)
    on_board = population(s.horizontal[0] | s.vertical[0])
    on_board += population(s.horizontal[1] | s.vertical[1])
    back = has(s.been[seat, 0], s.been[seat, 1], s.pawn[seat])
    near = 1.0 - lines_to_goal(s, seat) / (s.rows - 1)
    fresh = 0.0 if back else 1.0
    stock = min(s.walls[seat] / allowance, 1.0)
    clear = 1.0 - walls_before(s, seat) / max(on_board, 1)
    return (
        parameters[MANHATTAN] * near
        + parameters[BEEN_THERE] * fresh
        + parameters[WALLS_LEFT] * stock
        + parameters[WALLS_BEFORE] * clear
    )


@compiled
def features(s: Any, parameters: Any, out: Any) -> None:
    """50 for equal chances; the values add up to 50 per seat."""
    total = 50.0 * s.players
    if s.winner >= 0:
        write_victory(s, out, total)
        return
    sum_of_weights = 0.0
    for k in range(COUNT):
        sum_of_weights += abs(parameters[k])
    if sum_of_weights == 0.0:
        for seat in range(s.players):
            out[seat] = 50.0
        return
    # Walkers and distances are written to `out` in turn, and gathered here.
    own = np.zeros(SEATS)
    if parameters[WALKERS] != 0.0:
        write_shares(s, int(parameters[WALKS]), parameters[FORWARD], int(parameters[SEED]), out)
        for seat in range(s.players):
            own[seat] += parameters[WALKERS] * out[seat]
    write_distances(s, out)
    far = farthest(s.rows)
    mean = 0.0
    for seat in range(s.players):
        own[seat] += parameters[PATH] * (1.0 - out[seat] / far) + worth_alone(s, seat, parameters)
        mean += own[seat] / s.players
    # own - mean of the others = (own - mean of all) * P / (P - 1), between -1 and 1 of the sum.
    scale = 50.0 * s.players / ((s.players - 1) * sum_of_weights)
    for seat in range(s.players):
        out[seat] = 50.0 + scale * (own[seat] - mean)


def make_features(
    game: Quoridor, *, walks: int, forward: float, walk_seed: int, **weights: float
) -> CompiledEvaluator:
    total = 50 * game.players
    numbers = [weights[name] for name in FEATURE_WEIGHTS]
    return CompiledEvaluator(
        game,
        features,
        bounds=Bounds(total=(total, total)),
        parameters=[*numbers, walks, forward, walk_seed, game.walls],
    )
