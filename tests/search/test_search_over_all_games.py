"""Pruned searches of every installed game against a plain recursive search of the whole tree."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.matrices import MATRICES
from support.reference import key, reference

from mpsearch.contracts import OVER, Array, Game, Limits, Option, SearchSpace, Stance, State
from mpsearch.jit import jit_enabled
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import make_engine, search

CATALOG = load_catalog()
#: Searches of each game in the long run: 1,500 are 12,000 over the eight games that come with
#: the repository. `MPSEARCH_SEARCHES=5000 pytest -m slow ...` looks at more.
LONG_RUN = int(os.environ.get("MPSEARCH_SEARCHES", "1500"))
#: How many lines of play a reference search may follow.
LINES = 150


def spaces(name: str, *, every: bool) -> list[SearchSpace]:
    """A game with its usual evaluator and branching, or all evaluators, with and without it."""
    offer = CATALOG.game_offer(name)
    game = CATALOG.game(name)
    usual_one = CATALOG.evaluator_offer(name).name
    made = {
        e.name: e.make(game, **_defaults(e.options))
        for e in CATALOG.evaluators[name].values()
        if e.holds(game.players, offer.settle({}))
    }
    evaluators = [e for n, e in made.items() if every or n == usual_one or e.reaches]
    usual = [b for b in offer.branchings if b.name == offer.branching]
    branchings = [b.make(game, **_defaults(b.options)) for b in usual]
    return [
        SearchSpace(game=game, evaluator=evaluator, branching=branching, exact_ends=False)
        for evaluator in evaluators
        for branching in ([None, *branchings] if every else [*branchings, None][:1])
    ]


def _defaults(options: tuple[Option, ...]) -> dict[str, Any]:
    return {option.name: option.default for option in options}


def states(game: Game, rng: np.random.Generator) -> Iterator[State]:
    """States of random games in which there is something to choose."""
    while True:
        state = game.new()
        skip = int(rng.integers(0, 12))
        while game.mover(state) != OVER:
            if game.mover(state) < 0:
                state = game.play(state, game.draw(state, rng))
                continue
            moves = game.moves(state)
            if skip == 0 and len(moves) > 1:
                yield state
                skip = int(rng.integers(0, 12))
            skip = max(skip - 1, 0)
            state = game.play(state, moves[int(rng.integers(len(moves)))])


def lines(space: SearchSpace, state: State, depth: int) -> int:
    """How many lines of play the tree has; no more than just above LINES are counted."""
    game = space.game
    seat = game.mover(state)
    below = [state]
    if seat >= 0 and depth > 0:
        listing = game.moves if space.branching is None else space.branching.moves
        below = [game.play(state, move) for move in listing(state)]
        depth -= 1
    elif seat != OVER and depth > 0:
        below = [game.play(state, outcome) for outcome, _ in game.tree_chance(state)] or [state]
    if below == [state] or depth == 0:
        return len(below)
    count = 0
    for child in below:
        count += lines(space, child, depth)
        if count > LINES:
            break
    return count


def compare(space: SearchSpace, state: State, matrix: Array, depth: int, seed: int) -> None:
    """Compiled, interpreted and plain search: value, move, line and tie set."""
    game = space.game
    listing = game.moves if space.branching is None else space.branching.moves
    behind = {}
    for move in listing(state):
        after = game.play(state, move)
        value, _, line = reference(game, space.evaluator, after, depth - 1, matrix, listing)
        behind[move] = (key(matrix[game.mover(state)], value), value, (move, *line))
    most = max(merit for merit, _, _ in behind.values())
    ties = [move for move, (merit, _, _) in behind.items() if merit == most]
    stance = Stance(matrix=matrix, label="any")
    compiled, plain = make_engine(space), make_engine(space, interpret=True)
    first = search(space, [state], stance, Limits(depth=depth), engine=compiled)
    assert (first.move, first.value.tolist(), first.line) == (ties[0], *behind[ties[0]][1:])
    assert search(space, [state], stance, Limits(depth=depth), engine=plain) == first
    exact = search(space, [state], stance, Limits(depth=depth), engine=compiled, exact=True)
    assert [m.value.tolist() for m in exact.moves] == [value for _, value, _ in behind.values()]
    for engine in (compiled, plain):
        rng = np.random.default_rng(seed)
        limits = Limits(depth=depth, nodes=10**9)
        any_tie = search(space, [state], stance, limits, engine=engine, rng=rng)
        # The generator ranks the moves; of those that tie, the one of least rank is taken.
        ranks = np.random.default_rng(seed).permutation(len(behind)).tolist()
        rank = dict(zip(behind, ranks, strict=True))
        assert any_tie.move == min(ties, key=lambda move: rank[move])
        assert any_tie.value.tolist() == behind[any_tie.move][1]


def compare_many(name: str, count: int, *, seed: int, every: bool) -> None:
    rng = np.random.default_rng([seed, *name.encode()])
    offered = spaces(name, every=every)
    positions = states(offered[0].game, rng)
    kinds = list(MATRICES)
    done = 0
    while done < count:
        state = next(positions)
        space = offered[done % len(offered)]
        depth = 1
        while depth < 5 and lines(space, state, depth + 1) <= LINES:
            depth += 1
        # The same tree for all kinds of matrices would cost as much; another depth is another.
        for kind in rng.permutation(len(kinds))[:4]:
            matrix = MATRICES[kinds[kind]](space.game.players, rng)
            tried = int(rng.integers(1, depth + 1)) if rng.random() < 0.3 else depth
            try:
                compare(space, state, matrix, tried, done)
            except AssertionError as error:
                where = f"{name}, search {done}, depth {tried}, matrix {matrix.tolist()}"
                raise AssertionError(f"{where}: {error}") from error
            done += 1


@pytest.mark.parametrize("name", sorted(CATALOG.games))
def test_searches_of_every_game_agree_with_the_plain_search(name: str) -> None:
    compare_many(name, 24 if jit_enabled() else 4, seed=1, every=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CATALOG.games))
def test_many_searches_of_every_game_agree_with_the_plain_search(name: str) -> None:
    compare_many(name, LONG_RUN, seed=2, every=True)
