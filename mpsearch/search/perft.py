"""perft: the number of lines of play of a given length."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, GREATEST_DEPTH, MOST_LEVELS, Game, Rules, State
from mpsearch.errors import ContractError, UsageError
from mpsearch.jit import Guards, guarded_frame, jit_enabled, make_frames


def count_leaves(game: Game, state: State, depth: int) -> int:
    """The number of lines of exactly `depth` moves from `state`, each outcome of listed chance
    between them counted apart. Lines that end earlier do not count."""
    if depth > GREATEST_DEPTH:
        raise UsageError(f"perft: depth {depth} is more than {GREATEST_DEPTH}")
    if depth == 0:
        return 1
    if game.rules is not None and jit_enabled():
        return _count_compiled(game.rules, state, depth)
    return _count_interpreted(game, state, depth)


def _count_interpreted(game: Game, state: State, depth: int) -> int:
    total = 0
    pending = [(state, depth)]
    while pending:
        state, depth = pending.pop()
        seat = game.mover(state)
        if seat == CHANCE:
            pending += [
                (game.play(state, outcome), depth) for outcome, _ in game.tree_chance(state)
            ]
        elif seat >= 0 and depth == 1:
            total += len(game.moves(state))
        elif seat >= 0:
            pending += [(game.play(state, move), depth - 1) for move in game.moves(state)]
    return total


def _count_compiled(rules: Rules, state: State, depth: int) -> int:
    frame = guarded_frame(
        [
            ("state", rules.state),
            ("moves", "i8", rules.most_moves),
            ("probabilities", "f8", rules.most_moves),
        ]
    )
    writers = {"moves": rules.moves.where, "probabilities": "chance", "state": rules.play.where}
    # Room for an outcome of chance after every ply; longer chains of chance need more.
    for room in (2 * depth + 1, MOST_LEVELS):
        frames = make_frames(np.dtype(frame, align=True), room)
        frames[0]["state"] = np.frombuffer(state, dtype=rules.state)[0]
        count = _counter(rules)(frames, 0, depth)
        Guards(frames, writers).check()
        if count >= 0:
            return int(count)
    raise ContractError(f"perft: more than {MOST_LEVELS} levels, outcomes of chance included")


@functools.lru_cache(maxsize=64)
def _counter(rules: Rules) -> Callable[..., int]:
    from mpsearch.jit import from_python, njit

    mover, moves, play, chance = rules.mover, rules.moves, rules.play, rules.tree_chance

    if chance is None:

        def outcomes(f: Any) -> Any:
            return 0
    else:

        def outcomes(f: Any) -> Any:
            return chance(f.state, f.moves, f.probabilities)

    list_outcomes = njit(outcomes, cached=False)

    widest = rules.most_moves

    @njit
    def perft(frames: Any, ply: int, depth: int) -> Any:
        """The count; -1 if the frames did not suffice."""
        f = frames[ply]
        seat = mover(f.state)
        step = 0
        count = 0
        if seat >= 0:
            count = moves(f.state, f.moves)
            step = 1
        elif seat == CHANCE:
            count = list_outcomes(f)
        if count < 0 or count > widest:
            raise ContractError("the rules listed more moves than most_moves, or less than 0")
        if depth == step:
            return count
        total = 0
        if count > 0 and ply + 1 >= len(frames):
            return -1
        for i in range(count):
            g = frames[ply + 1]
            g.state = f.state
            play(g.state, f.moves[i])
            below = perft(frames, ply + 1, depth - step)
            if below < 0:
                return -1
            total += below
        return total

    return from_python(perft)  # type: ignore[no-any-return]  # numba's decorators are untyped
