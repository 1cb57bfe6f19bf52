"""The contract's rules for evaluators that bound the values within reach."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, CompiledEvaluator, Evaluator, Game, State
from mpsearch.jit import jit_enabled
from mpsearch.testing.part_rules import evaluator_rule
from mpsearch.testing.random_play import Step, walk

#: Rounding tolerance of a box; the search allows for more.
_TOLERANCE = 1e-9
#: Depths checked; the last is beyond the end of any game.
_DEPTHS = (1, 2, 3, 4, 6, 8, 12, 1_000_000)
#: Depths whose whole tree is visited, up to so many states.
_WHOLE = (1, 2, 3)
_MOST_STATES = 150
#: States checked per random game.
_LOOKS = 10
#: Length of a random continuation, in moves and outcomes.
_LONGEST = 60


@evaluator_rule
def boxes_hold_every_leaf(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """No value within the depth leaves the box, in small trees and random continuations."""
    rng = np.random.default_rng(seed)
    for step in _looks(game, evaluator, seed, plies):
        for depth in _DEPTHS:
            low, high = _box(game, evaluator, step, step.state, depth)
            states = (
                _whole(game, step.state, depth)
                if depth in _WHOLE
                else _continuation(game, step.state, depth, rng)
            )
            for state in states:
                values = np.append(evaluator.values(state), 0.0)
                values[-1] = values.sum()
                values = values[: len(low)]
                if (values < low - _TOLERANCE).any() or (values > high + _TOLERANCE).any():
                    step.fail(
                        f"values {values.tolist()} within {depth} moves leave the box "
                        f"{low.tolist()} to {high.tolist()}"
                    )


@evaluator_rule
def boxes_shrink_with_depth(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """A box lies within that of the next depth, and all lie within the declared bounds."""
    for step in _looks(game, evaluator, seed, plies):
        bounds = evaluator.bounds.box(game.players)
        for depth in (1, 2, 3, 5, 8):
            inner = _box(game, evaluator, step, step.state, depth)
            outer = _box(game, evaluator, step, step.state, depth + 1)
            if not _within(inner, outer):
                step.fail(f"the box of {depth} moves is not within that of {depth + 1}")
            if not _within(outer, bounds):
                step.fail(f"the box of {depth + 1} moves leaves the declared bounds")


@evaluator_rule
def compiled_boxes_are_the_plain_ones(
    game: Game, evaluator: Evaluator, seed: int, plies: int
) -> None:
    """A compiled reach agrees with the Python function it is compiled from."""
    if not isinstance(evaluator, CompiledEvaluator) or not jit_enabled():
        return
    if evaluator.reach is None:
        return
    for step in _looks(game, evaluator, seed, plies):
        for depth in _DEPTHS:
            low, high = evaluator.bounds.box(game.players)
            record = evaluator.game.record(step.state)
            evaluator.reach.plain(record, depth, evaluator.parameters, low, high)
            found = evaluator.box(step.state, depth)
            if not (np.allclose(low, found[0], rtol=1e-12) and np.allclose(high, found[1])):
                step.fail("boxes differ between the compiled and the plain reach")


def _looks(game: Game, evaluator: Evaluator, seed: int, plies: int) -> Iterator[Step]:
    """Some states of a random game, if the evaluator has boxes."""
    if not evaluator.reaches:
        return
    steps = list(walk(game, seed, plies=plies))
    chosen = np.unique(np.linspace(0, len(steps) - 1, _LOOKS).astype(int))
    yield from (steps[i] for i in chosen)


def _box(
    game: Game, evaluator: Evaluator, step: Step, state: State, depth: int
) -> tuple[Array, Array]:
    low, high = evaluator.box(state, depth)
    n = game.players
    if len(low) not in (n, n + 1) or len(high) != len(low):
        step.fail(f"a box has {len(low)} and {len(high)} entries, not {n}, or {n + 1} with a total")
    return low, high


def _within(inner: tuple[Array, Array], outer: tuple[Array, Array]) -> bool:
    n = min(len(inner[0]), len(outer[0]))
    low = inner[0][:n] >= outer[0][:n] - _TOLERANCE
    high = inner[1][:n] <= outer[1][:n] + _TOLERANCE
    return bool(low.all() and high.all())


def _moves(game: Game, state: State) -> list[object]:
    """Moves, or the outcomes that a search expands."""
    mover = game.mover(state)
    if mover == OVER:
        return []
    if mover == CHANCE:
        return [outcome for outcome, _ in game.tree_chance(state)]
    return list(game.moves(state))


def _whole(game: Game, state: State, depth: int) -> Iterator[State]:
    """States at which a search to at most this depth may end."""
    waiting = [(state, depth)]
    for _ in range(_MOST_STATES):
        if not waiting:
            return
        state, left = waiting.pop(0)
        moves = _moves(game, state)
        if game.mover(state) != CHANCE or not moves:
            yield state
            left -= 1
        if left >= 0:
            waiting += [(game.play(state, move), left) for move in moves]


def _continuation(
    game: Game, state: State, depth: int, rng: np.random.Generator
) -> Iterator[State]:
    """The same along one random line."""
    for _ in range(_LONGEST):
        moves = _moves(game, state)
        if game.mover(state) != CHANCE or not moves:
            yield state
            depth -= 1
        if depth < 0 or not moves:
            return
        state = game.play(state, moves[int(rng.integers(len(moves)))])
