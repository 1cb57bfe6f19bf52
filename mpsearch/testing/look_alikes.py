"""Look-alikes: pairs of states with equal views for a seat, played on side by side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import attrs
import numpy as np

from mpsearch.contracts import CHANCE, OVER, Game, Move, State
from mpsearch.testing.random_play import (
    Step,
    affordable,
    random_move,
    spread,
    text_of,
    turns,
    walk,
)

#: Turns of a random game from which worlds are played on, for every seat, and how many views that
#: is said to take where they are limited.
_STARTS, _VIEWS = 4, 12
#: Plies that a pair is played on.
_PLIES_ON = 10
#: Moves or outcomes tried to find one that looks the same.
_TRIED = 6
#: Worlds drawn to find one that is not the state itself.
_DRAWN = 4


@attrs.frozen(kw_only=True)
class LookAlikes:
    """A state that was reached, and another with the same view for a seat."""

    seat: int
    #: The state, and the move that is made in it.
    step: Step
    other: State
    #: A move in the other state after which the views stay equal; None if none was found.
    other_move: Move | None = None
    #: Whether the pair has not been played on yet.
    first: bool = False


def look_alikes(game: Game, seed: int, plies: int) -> Iterator[LookAlikes]:
    """Pairs along a random game for every seat: deals that look alike, and drawn worlds."""
    rng = np.random.default_rng(seed)
    begun = next(walk(game, seed, plies=0))
    starts = spread(list(turns(game, seed, plies)), affordable(game, _STARTS, views=_VIEWS))
    for seat in range(game.players):
        yield from _side_by_side(game, begun, begun.state, seat, rng)
        for step in starts:
            other = _other_world(game, step.state, seat, rng)
            if other is not None:
                yield from _side_by_side(game, step, other, seat, rng)


def _other_world(game: Game, state: State, seat: int, rng: np.random.Generator) -> State | None:
    """A world of a seat's view other than the state itself; None if none was found."""
    view = game.view(state, seat)
    for _ in range(_DRAWN):
        world = game.world(view, rng)
        if game.view(world, seat) != view:
            return None  # another rule reports it
        if world != state:
            return world
    return None


def _side_by_side(
    game: Game, step: Step, other: State, seat: int, rng: np.random.Generator
) -> Iterator[LookAlikes]:
    """Both states played on by moves that look the same to the seat, while there are any."""
    history = list(step.moves)
    state = step.state
    for number in range(_PLIES_ON):
        mover = game.mover(state)
        here = Step(
            state=state, mover=mover, seed=step.seed, history=history, ply=step.ply + number
        )
        pair = LookAlikes(seat=seat, step=here, other=other, first=number == 0)
        if mover == OVER or game.mover(other) != mover:
            yield pair
            return
        move = random_move(game, here, rng)
        alike = _alike(game, attrs.evolve(here, move=move), other, seat, rng)
        yield attrs.evolve(pair, step=attrs.evolve(here, move=move), other_move=alike)
        if alike is None:
            return
        history.append(text_of(game, state, move))
        state, other = game.play(state, move), game.play(other, alike)


def _alike(
    game: Game, step: Step, other: State, seat: int, rng: np.random.Generator
) -> Move | None:
    """A move in the other state that gives the seat the same view, preferably another one."""
    assert step.move is not None
    after = game.view(game.play(step.state, step.move), seat)
    if step.mover == CHANCE:
        possible = game.possible(other, step.move)
    else:
        possible = step.move in game.moves(other)
    same = game.play(other, step.move) if possible else None
    for move in _candidates(game, step, other, seat, rng):
        found = game.play(other, move)
        # Two moves with the same effect do not count: which one was made is no secret.
        if game.view(found, seat) == after and not (possible and found == same):
            return move
    return step.move if possible and game.view(same, seat) == after else None


def _candidates(
    game: Game, step: Step, other: State, seat: int, rng: np.random.Generator
) -> Iterator[Move]:
    """Moves or outcomes other than the one made; none if the seat itself moves."""
    if step.mover == CHANCE:
        yield from _outcomes(game, other, step.move, rng)
    elif step.mover != seat:
        unlike = [move for move in game.moves(other) if move != step.move]
        yield from (unlike[i] for i in rng.permutation(len(unlike))[:_TRIED].tolist())


def _outcomes(game: Game, state: State, same: Move, rng: np.random.Generator) -> Iterator[Move]:
    """Other outcomes of chance: listed, drawn, or the same deal with two entries exchanged."""
    listed = [outcome for outcome, _ in game.chance(state)]
    order = rng.permutation(len(listed))[: 2 * _TRIED].tolist()
    found = [listed[i] for i in order] or [game.draw(state, rng) for _ in range(_TRIED)]
    yield from (outcome for outcome in found if outcome != same)
    if isinstance(same, tuple):
        for i, j in itertools.islice(itertools.combinations(range(len(same)), 2), 3 * _TRIED):
            swapped = list(same)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            outcome = tuple(swapped)
            if outcome != same and game.possible(state, outcome):
                yield outcome
