"""perft: how many lines of play of a given length there are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.contracts.game import CHANCE, Game, State
from mpsearch.contracts.rules import Rules
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.search.guards import check_frames, guarded_frame, make_frames


def count_leaves(game: Game, state: State, depth: int) -> int:
    """The number of lines of exactly `depth` moves from `state`, each outcome of listed chance
    between them counted apart. Lines that end earlier do not count."""
    if depth == 0:
        return 1
    if game.rules is not None and jit_enabled():
        return _count_compiled(game.rules, state, depth)
    return _count_interpreted(game, state, depth)


def _count_interpreted(game: Game, state: State, depth: int) -> int:
    seat = game.mover(state)
    if seat == CHANCE:
        return sum(
            _count_interpreted(game, game.play(state, outcome), depth)
            for outcome, _ in game.tree_chance(state)
        )
    if seat < 0:
        return 0
    if depth == 1:
        return len(game.moves(state))
    return sum(
        _count_interpreted(game, game.play(state, move), depth - 1) for move in game.moves(state)
    )


def _count_compiled(rules: Rules, state: State, depth: int) -> int:
    room = 4 * depth + 8
    frame = guarded_frame(
        [
            ("state", rules.state),
            ("moves", "i8", rules.most_moves),
            ("weights", "f8", rules.most_moves),
        ]
    )
    writers = {"moves": rules.moves.where, "weights": "chance", "state": rules.play.where}
    count = -1
    while count < 0:
        frames = make_frames(np.dtype(frame, align=True), room)
        frames[0]["state"] = np.frombuffer(state, dtype=rules.state)[0]
        count = _counter(rules)(frames, 0, depth)
        check_frames(frames, writers)
        room *= 2
    return int(count)


@functools.lru_cache(maxsize=64)
def _counter(rules: Rules) -> Callable[..., int]:
    from mpsearch.jit.native import from_python, njit

    mover, moves, play, chance = rules.mover, rules.moves, rules.play, rules.chance

    if chance is None:

        def outcomes(f: Any) -> Any:
            return 0
    else:

        def outcomes(f: Any) -> Any:
            return chance(f.state, f.moves, f.weights)

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
