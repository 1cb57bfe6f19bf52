"""Benchmark cases: positions of a game, and one stance of each kind."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np

from mpsearch.api import Table
from mpsearch.contracts import CHANCE, OVER, Array, Game, SearchSpace, Situation, Stance, State
from mpsearch.social import random_matrix

#: After how many rounds of random play positions are taken.
ROUNDS = (1, 2, 3, 4)
#: How many moves of each seat a learned matrix looks back on, as in the SOS paper.
_LEARNED_FROM = 5
#: Entries for others of a mild matrix go so far.
_MILD = 0.3
_MATRIX_SEED = 7


@attrs.frozen(kw_only=True)
class Moment:
    """A state, and the states before it at which a seat was to move, oldest first."""

    state: State
    past: tuple[State, ...]


def positions(space: SearchSpace, *, seed: int) -> list[Moment]:
    """States after some rounds of random moves, each of a game of its own."""
    return [
        _walk(space, rounds * space.game.players, np.random.default_rng([seed, rounds]))
        for rounds in ROUNDS
    ]


def _walk(space: SearchSpace, plies: int, rng: np.random.Generator) -> Moment:
    """After so many random moves, or where the game ends before: at the last move."""
    game = space.game
    state = game.new()
    past: list[State] = []
    while game.mover(state) != OVER and len(past) <= plies:
        if game.mover(state) == CHANCE:
            state = game.play(state, game.draw(state, rng))
            continue
        past.append(state)
        moves = list(space.listing(state))
        state = game.play(state, moves[int(rng.integers(len(moves)))])
    return Moment(state=past[-1], past=tuple(past[:-1]))


def learned_matrix(space: SearchSpace, position: Moment) -> Array:
    """What the printed rule would have learned of every seat; the root is selfish."""
    game, evaluator = space.game, space.evaluator
    matrix = np.eye(game.players)
    states = [*position.past, position.state]
    for seat in range(game.players):
        moved = [i for i, state in enumerate(position.past) if game.mover(state) == seat]
        effects = [
            (evaluator.values(states[i + 1]) - evaluator.values(states[i]))
            / evaluator.bounds.greatest
            for i in moved[-_LEARNED_FROM:]
        ]
        if effects and seat != game.mover(position.state):
            matrix[seat] = np.mean(effects, axis=0)
    return matrix


def _generator(position: Moment) -> np.random.Generator:
    return np.random.default_rng([_MATRIX_SEED, len(position.past)])


def mild_matrix(space: SearchSpace, position: Moment) -> Array:
    """Everybody cares most for themselves, and a little for or against each other."""
    players = space.game.players
    matrix = _generator(position).uniform(-_MILD, _MILD, (players, players))
    np.fill_diagonal(matrix, 1.0)
    return matrix


def any_matrix(space: SearchSpace, position: Moment) -> Array:
    """Random orientations as in the experiments of the SOS paper."""
    return random_matrix(space.game.players, _generator(position))


def _sos(name: str, make: Callable[[SearchSpace, Moment], Array]) -> Callable[..., Stance]:
    def stance(table: Table, space: SearchSpace, position: Moment) -> Stance:
        return Stance(matrix=make(space, position), label=name)

    return stance


def _propagator(name: str, **settings: object) -> Callable[..., Stance]:
    def stance(table: Table, space: SearchSpace, position: Moment) -> Stance:
        propagator = table.catalog.propagators[name].make(**settings)
        game: Game = space.game
        situation = Situation(
            root=game.mover(position.state),
            value=space.evaluator.values(position.state),
            beliefs=np.eye(game.players),
        )
        taken: Stance = propagator.stance(situation)
        return taken

    return stance


#: How a stance of each kind is taken in a position. The matrices of SOS: entries for others within
#: 0.3 of zero, entries anywhere in [-1, 1], and what the printed rule learns.
STANCES: dict[str, Callable[[Table, SearchSpace, Moment], Stance]] = {
    "maxn": _propagator("maxn"),
    "offensive": _propagator("offensive", target="strongest"),
    "paranoid": _propagator("paranoid"),
    "mpmix": _propagator("mpmix", td=10.0, to=10.0),
    "sos mild": _sos("mild", mild_matrix),
    "sos random": _sos("random", any_matrix),
    "sos learned": _sos("learned", learned_matrix),
}
