"""Equal is equal: thresholds, ties and zeros are not decided by the last bits."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from support.trees import LeafValues, WrittenTree

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.contracts import (
    GRID,
    OVER,
    Bounds,
    CompiledGame,
    Game,
    Limits,
    SearchSpace,
    Situation,
    Stance,
    State,
    Turn,
    compiled,
    snap,
)
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import make_engine, make_plan, search
from mpsearch.social import plain_rows

CATALOG = load_catalog()


def dealt(game: Game, rng: np.random.Generator) -> State:
    state = game.new()
    while game.mover(state) < 0:
        state = game.play(state, game.draw(state, rng))
    return state


def walk(game: Game, rng: np.random.Generator, plies: int) -> State:
    """A state of a random game, or the last one in which somebody has to move."""
    state = last = dealt(game, rng)
    for _ in range(plies):
        if game.mover(state) == OVER:
            break
        if game.mover(state) >= 0:
            last = state
            moves = game.moves(state)
            state = game.play(state, moves[int(rng.integers(len(moves)))])
        else:
            state = game.play(state, game.draw(state, rng))
    return last


@pytest.mark.parametrize("jit", [False, True])
def test_snap_is_the_nearest_multiple_in_exact_arithmetic(jit: bool) -> None:
    near = compiled(snap) if jit else snap
    rng = np.random.default_rng(1)
    halves = rng.integers(-(2**31), 2**31, 500) * 2.0**-21
    for x in [*rng.uniform(-600, 600, 500), *halves, *rng.uniform(-(2.0**31), 2.0**31, 500)]:
        assert near(float(x)) == round(Fraction(float(x)) * 2**20) * GRID
        assert near(-float(x)) == -near(float(x))
    assert near(math.inf) == math.inf
    assert snap(np.array([0.1 + 0.2, 1e-17])).tolist() == [snap(0.3), 0.0]


def test_mpmix_switches_at_a_lead_of_exactly_td_in_quoridor() -> None:
    """The lead is 25; in floats it is 24.999999999999993."""
    game = CATALOG.game("quoridor", players=2, size=5, walls=3)
    state = game.from_position("c3,d5 3,2 d4h 0")
    agent = make_agent(CATALOG, "quoridor", game, "mpmix:td=25,depth=1")
    assert isinstance(agent, SearchAgent)
    first, second = agent.space.evaluator.values(state)
    assert first - second != 25
    rng = np.random.default_rng(1)
    turn = Turn(seat=0, view=state, moves=tuple(game.moves(state)))
    decision = agent.choose(turn, agent.start(0, rng), rng)
    assert decision.stance is not None
    assert decision.stance.label == "paranoid"


def test_mpmix_switches_at_every_score_at_which_the_lead_is_td_in_hearts() -> None:
    """125 points are 100: a lead of 25 points is one of 20, whatever the score."""
    game = CATALOG.game("hearts")
    evaluator = CATALOG.evaluator_offer("hearts", "points").make(game)
    mpmix = CATALOG.propagators["mpmix"].make(td=20.0, to=20.0)
    assert isinstance(game, CompiledGame)
    state = game.record(dealt(game, np.random.default_rng(1)))
    rounded = 0
    for score in range(75):
        state.scores[:] = score + 25
        state.scores[2] = score
        value = evaluator.values(state.tobytes())
        rounded += np.sort(value)[-1] - np.sort(value)[-2] != 20
        for root, label in [(2, "paranoid"), (0, "offensive")]:
            situation = Situation(root=root, value=value, beliefs=np.eye(4))
            assert mpmix.stance(situation).label == label, score
    assert rounded > 10


def test_seats_that_are_equal_but_for_rounding_share_the_lead() -> None:
    value = np.array([0.3, 0.1 + 0.2, 0.0])
    mpmix = CATALOG.propagators["mpmix"].make(td=0.0, to=0.0)
    assert mpmix.stance(Situation(root=0, value=value, beliefs=np.eye(3))).label == "paranoid"
    offensive = CATALOG.propagators["offensive"].make(target="strongest")
    value = np.array([0.0, 0.3, 0.1 + 0.2])
    assert offensive.stance(Situation(root=0, value=value, beliefs=np.eye(3))).target == 1


@pytest.mark.parametrize("evaluator", ["margin", "distance"])
def test_tie_sets_are_those_of_rational_arithmetic(evaluator: str) -> None:
    """Four players who wish everybody ill by half, in 200 positions of Quoridor."""
    game = CATALOG.game("quoridor", players=4, size=5, walls=2)
    space = SearchSpace(
        game=game, evaluator=CATALOG.evaluator_offer("quoridor", evaluator).make(game)
    )
    stance = Stance(matrix=np.full((4, 4), -0.5), label="sos")
    plan = make_plan(stance.matrix, space.evaluator.bounds)
    engine = make_engine(space)
    rng = np.random.default_rng(2)
    split = 0
    for _ in range(200):
        state = walk(game, rng, int(rng.integers(12)))
        report = search(space, [state], stance, Limits(depth=1), engine=engine, exact=True)
        root = game.mover(state)
        exact, seen, plain = {}, {}, {}
        for entry in report.moves:
            rational = [Fraction(v).limit_denominator(10**4) for v in entry.value.tolist()]
            assert np.abs(entry.value - [float(r) for r in rational]).max() < 1e-12
            exact[entry.move] = -sum(rational)
            seen[entry.move] = plan.merit(root, entry.value)
            plain[entry.move] = float(stance.matrix[root] @ entry.value)
        assert best(seen) == best(exact)
        split += best(plain) != best(exact)
    assert split > 0  # without the grid, rounding would have decided


def best(merits: dict[Any, Any]) -> set[Any]:
    return {move for move, merit in merits.items() if merit == max(merits.values())}


def test_what_rounding_leaves_of_nothing_is_nothing() -> None:
    noise = 5.7e-17
    learned = np.array([[1, 0, 0], [noise, -0.02, 0.01], [noise, -noise, 0]])
    assert plain_rows(learned).tolist() == [[1, 0, 0], [0, -1, 0.5], [0, 0, 0]]


def test_an_agent_that_cares_for_nothing_but_rounding_plays_any_move() -> None:
    game = CATALOG.game("scramble", players=2)
    tiny = "5.7e-17:0/0:1"
    agent = make_agent(CATALOG, "scramble", game, f"sos:matrix={tiny},depth=2")
    state = game.new()
    turn = Turn(seat=0, view=state, moves=tuple(game.moves(state)))
    decisions = [
        agent.choose(turn, agent.start(0, np.random.default_rng(i)), np.random.default_rng(i))
        for i in range(40)
    ]
    assert {decision.move for decision in decisions} == set(game.moves(state))
    assert all(decision.nodes == 0 for decision in decisions)


def test_the_length_of_a_row_does_not_decide_what_is_equal() -> None:
    """Effects that were learned are small; values a little apart still differ under them."""
    row = np.array([[0.8, -0.4, 0.2], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    bounds = CATALOG.evaluator_offer("scramble").make(CATALOG.game("scramble")).bounds
    for size in (1.0, 0.01, 1e-4):
        plan = make_plan(row * size, bounds)
        near, far = np.array([50.0, 50.0, 50.0]), np.array([50.0001, 50.0, 50.0])
        assert plan.merit(0, near) < plan.merit(0, far)


@pytest.mark.parametrize(("step", "gap"), [(5, 5), (4.5, 1), (3, 1)])
def test_merits_are_steps_apart_only_where_no_sum_lies_between_two_of_the_grid(
    step: float, gap: float
) -> None:
    """Half a multiple may be rounded up or down: then two merits of one sum are GRID apart."""
    bounds = Bounds(least=0, greatest=step * GRID * 8, step=step * GRID)
    assert make_plan(np.eye(2), bounds).gap == gap * GRID


def test_what_is_cut_is_no_better_even_by_one_of_the_grid() -> None:
    """Seat 1, to whom a gain of seat 0 is a small loss, first finds a move that gives seat 0 one of
    GRID more than it has, and then a far better one: its merit may be rounded in any way."""
    stance = Stance(matrix=np.array([[1.0, 0.0], [-1.0, -0.9]]), label="any")
    bounds = Bounds(least=0, greatest=100, total=(100, 100))
    for k in range(40):
        value = 50 + k * GRID
        more = [value + GRID, 100 - value - GRID]
        game = WrittenTree((0, [value, 100 - value], (1, more, [10, 90])), players=2)
        space = SearchSpace(game=game, evaluator=LeafValues(game, bounds))
        report = search(space, [()], stance, Limits(depth=2))
        assert (report.pruning, report.move, report.value[0]) == ("shallow", 0, value)


@pytest.mark.parametrize("greatest", [1e9, math.inf])
def test_values_too_large_for_the_grid_are_refused(greatest: float) -> None:
    with pytest.raises(ValueError, match="too large; use a scale of 0 to 100"):
        Bounds(greatest=greatest)
