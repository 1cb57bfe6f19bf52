"""Monte-Carlo search over information sets: against plain objects and exact values."""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.matrices import MATRICES
from support.sampling import information_set_tree, nodes_by_way

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Array,
    Bounds,
    Evaluator,
    Game,
    Limits,
    Report,
    SearchRequest,
    SearchSpace,
    Stance,
)
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import (
    make_information_set_search,
    make_monte_carlo_search,
    make_plan,
)
from mpsearch.search.mcts.engine import Sampling, Start, UctWorkspace, make_uct_engine
from mpsearch.search.tree.engine import Goal
from mpsearch.social import identity

TO_THE_END = 10**6


def dealt(game: Game, rng: np.random.Generator, plies: int) -> Any:
    """A state of a random game in which a seat has a choice."""
    state, last = game.new(), None
    while plies >= 0 or last is None:
        seat = game.mover(state)
        if seat >= 0:
            plies -= 1
            last = state
            moves = game.moves(state)
            state = game.play(state, moves[int(rng.integers(len(moves)))])
        else:
            state = game.play(state, game.draw(state, rng))
    return last


def grown(
    space: SearchSpace, state: Any, matrix: Array, iterations: int, *, interpret: bool
) -> dict[tuple[Any, ...], tuple[int, int, list[float]]]:
    """Of every node, by the moves that lead there: visits, availability and values."""
    sampling = Sampling(information_sets=True, explore=0.7)
    workspace = make_uct_engine(space, sampling, interpret=interpret).workspace()
    assert isinstance(workspace, UctWorkspace)
    plan = make_plan(matrix, space.evaluator.bounds, prune=False)
    start = Start(state, np.random.default_rng(5), 400)
    moves = workspace.load(start, plan, Goal(1, 1, iterations))
    workspace.run(list(range(len(moves))), len(moves))
    workspace.inspect()
    nodes, players = nodes_by_way(workspace).items(), space.game.players
    return {way: (int(n.visits), int(n.available), list(n.total[:players])) for way, n in nodes}


def written_down(tree: Any, path: tuple[Any, ...] = ()) -> dict[Any, Any]:
    found = {path: (tree.visits, tree.available, tree.total)}
    for move, child in tree.children.items():
        found |= written_down(child, (*path, move))
    return found


def test_the_tree_is_that_of_plain_objects_for_every_matrix() -> None:
    rng = np.random.default_rng(4)
    game = load_catalog().game("plunder", players=3)
    evaluator = load_catalog().evaluator_offer("plunder", "score").make(game)
    space = SearchSpace(game=game, evaluator=evaluator)
    shared = 0
    for make in MATRICES.values():
        state, matrix = dealt(game, rng, int(rng.integers(6))), make(3, rng)
        plan = make_plan(matrix, evaluator.bounds, prune=False)
        iterations = int(rng.integers(20, 150))
        plain = information_set_tree(
            game,
            evaluator,
            state,
            plan.matrix,
            iterations=iterations,
            rng=np.random.default_rng(5),
            explore=0.7,
        )
        found = grown(space, state, matrix, iterations, interpret=True)
        assert found == written_down(plain)
        shared += sum(visits < available for visits, available, _ in found.values())
    assert shared > 50  # moves that were there and not taken


def test_compiled_and_interpreted_trees_are_the_same() -> None:
    hearts = load_catalog().game("hearts")
    space = SearchSpace(
        game=hearts, evaluator=load_catalog().evaluator_offer("hearts", "points").make(hearts)
    )
    rng = np.random.default_rng(6)
    for plies in (3, 22, 41):
        state = dealt(hearts, rng, plies)
        slow, fast = (
            grown(space, state, identity(4), 60, interpret=interpret) for interpret in (True, False)
        )
        assert slow == fast


class Coin(NamedTuple):
    """Whether it shows heads (None: not known), and what was done."""

    heads: bool | None
    moves: tuple[str, ...] = ()


class Guessing(Game):
    """A coin is tossed in secret. Seat 0 takes 60 of 100, or guesses for all of it."""

    players = 2
    hidden = True
    lists_chance = True

    def new(self) -> Coin:
        return Coin(None, ())

    def mover(self, state: Coin) -> int:
        if not state.moves:
            return CHANCE
        return OVER if state.moves[-1] in ("safe", "heads", "tails") else 0

    def moves(self, state: Coin) -> list[str]:
        return ["safe", "guess"] if state.moves == ("toss",) else ["heads", "tails"]

    def chance(self, state: Coin) -> list[tuple[Any, float]]:
        return [(True, 0.5), (False, 0.5)]

    def play(self, state: Coin, move: Any) -> Coin:
        return Coin(state.heads, (*state.moves, move)) if state.moves else Coin(move, ("toss",))

    def payoff(self, state: Coin) -> Array:
        right = state.moves[-1] == ("heads" if state.heads else "tails")
        mine = 60.0 if state.moves[-1] == "safe" else 100.0 * right
        return np.array([mine, 100 - mine])

    def view(self, state: Coin, seat: int) -> Coin:
        return Coin(None, state.moves)

    def world(self, view: Coin, rng: np.random.Generator) -> Coin:
        return Coin(bool(rng.integers(2)), view.moves)

    def seen(self, state: Coin, move: Any, seat: int) -> Any:
        return move if state.moves else None

    def read(self, text: str) -> str:
        return text


class Payoffs(Evaluator):
    bounds = Bounds(total=(100, 100))

    def __init__(self, game: Game) -> None:
        self.game = game

    def values(self, state: Any) -> Array:
        return self.game.payoff(state) if self.game.mover(state) == OVER else np.array([50.0, 50.0])


def decided(make: Any, space: SearchSpace, worlds: list[Any], iterations: int) -> Report:
    search = make(space, {}, playout="random", cut=TO_THE_END, explore=1.0)
    stance = Stance(matrix=identity(space.game.players), label="maxn")
    request = SearchRequest(
        root=space.game.mover(worlds[0]), rng=np.random.default_rng(2), pool="mean"
    )
    return search.search(worlds, stance, Limits(nodes=iterations), request)


def test_nobody_guesses_what_it_cannot_know() -> None:
    """Worlds by themselves know the coin: a guess is worth 100 there, and 50 in truth."""
    game = Guessing()
    space = SearchSpace(game=game, evaluator=Payoffs(game))
    worlds = [Coin(heads, ("toss",)) for heads in (True, False)]
    fooled = decided(make_monte_carlo_search, space, worlds, 2000)
    assert fooled.move == "guess"
    found = decided(make_information_set_search, space, worlds, 4000)
    assert found.move == "safe"
    values = {entry.move: entry.value[0] for entry in found.moves}
    assert values["safe"] == 60
    # Some 800 guesses, each 0 or 100: four standard errors are 7.
    assert abs(values["guess"] - 50) < 7


@pytest.mark.parametrize("seed", [2, 6])
def test_a_forced_end_has_the_mean_over_all_worlds(seed: int) -> None:
    """The last card of everybody in Plunder: the exact mean over all hands that fit the view."""
    game: Any = load_catalog().game("plunder", players=3, cards=1)
    evaluator = load_catalog().evaluator_offer("plunder", "score").make(game)
    space = SearchSpace(game=game, evaluator=evaluator)
    state = dealt(game, np.random.default_rng(seed), 0)
    root = game.mover(state)
    mine = state.hands[root][0]
    others = [(a, b) for a in game.deck for b in game.deck if len({a, b, mine}) == 3]
    rows = []
    for a, b in others:
        hands = iter([(a,), (b,)])
        world = state._replace(
            hands=tuple((mine,) if seat == root else next(hands) for seat in range(3))
        )
        while game.mover(world) != OVER:
            world = game.play(world, game.moves(world)[0])
        rows.append(evaluator.values(world))
    assert len({tuple(row) for row in rows}) > 1
    mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0)
    report = decided(make_information_set_search, space, [state], 2000)
    assert (np.abs(report.value - mean) <= 4 * spread / math.sqrt(2000) + 1e-9).all()
