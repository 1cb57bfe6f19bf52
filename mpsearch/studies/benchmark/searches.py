"""Nodes per second and nodes to each depth, with and without pruning, in one position of a game."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator

import attrs
import numpy as np

from mpsearch.api import set_table
from mpsearch.contracts import CHANCE, OVER, Limits, Report, SearchSpace, Stance, State
from mpsearch.plugins import Catalog
from mpsearch.search import make_engine, search
from mpsearch.social import identity, paranoid, random_matrix

#: Rounds of random play before the position.
_ROUNDS = 2


@attrs.frozen(kw_only=True)
class SearchRow:
    """One search to one depth."""

    game: str
    propagator: str
    pruned: bool
    depth: int
    nodes: int
    #: Processor time.
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        # Where processor time counts in ticks, a short search may take none.
        return self.nodes / max(self.seconds, 1e-9)


def usual_games(catalog: Catalog) -> list[str]:
    """The games with a guide, which bridged ones lack."""
    return [name for name, offer in catalog.games.items() if offer.guide]


def measure_game(
    catalog: Catalog, name: str, *, seconds: Callable[[], float], seed: int
) -> Iterator[SearchRow]:
    """Search to depth 1, 2, ... for each kind of stance.

    `seconds()` is called after compiling: how long all may take together.
    """
    table = set_table(catalog, name)
    space = table.space(table.offer.evaluator)
    state = _position(space, np.random.default_rng(seed))
    stances = _stances(space.game.players, space.game.mover(state), seed)
    look = functools.partial(search, space, [state], engine=make_engine(space))
    look(stances[0], Limits(depth=1))  # compiles
    share = seconds() / len(stances)
    for stance in stances:
        for depth in _depths(functools.partial(look, stance, prune=False), seconds=share):
            for pruned in (False, True):
                began = time.process_time()
                report = look(stance, Limits(depth=depth), prune=pruned)
                yield SearchRow(
                    game=name,
                    propagator=stance.label,
                    pruned=pruned,
                    depth=depth,
                    nodes=report.nodes,
                    seconds=time.process_time() - began,
                )


def _depths(look: Callable[[Limits], Report], *, seconds: float) -> Iterator[int]:
    """The depths that can be searched in time, at least depth 1."""
    deadline = time.monotonic() + seconds
    yield 1
    for depth in itertools.count(2):
        # The measurement searches twice more, without and with pruning.
        left = (deadline - time.monotonic()) / 3
        if left <= 0 or look(Limits(depth=depth, seconds=left)).depth < depth:
            return
        yield depth


def _position(space: SearchSpace, rng: np.random.Generator) -> State:
    """A position after some random rounds, or before the last move if the game ends earlier."""
    game = space.game
    state = last = game.new()
    moves_left = _ROUNDS * game.players
    while (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            state = game.play(state, game.draw(state, rng))
            continue
        last = state
        if moves_left == 0:
            break
        moves = list(space.listing(state))
        state = game.play(state, moves[int(rng.integers(len(moves)))])
        moves_left -= 1
    return last


def _stances(players: int, root: int, seed: int) -> list[Stance]:
    """One for each kind of pruning: shallow, alpha-beta, and by bounds alone."""
    matrices = {
        "maxn": identity(players),
        "paranoid": paranoid(players, root),
        "sos random": random_matrix(players, np.random.default_rng(seed)),
    }
    return [Stance(matrix=matrix, label=label) for label, matrix in matrices.items()]
