"""Search with known horizons against a plain recursion, on random trees, compiled and not."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from support.drawn import Case, cases
from support.hashtree import EVALUATORS, HashTree, hash_evaluator
from support.reference import preference

from mpsearch.agents import SearchAgent
from mpsearch.api import table
from mpsearch.contracts import CHANCE, OVER, Limits, Report, SearchRequest, SearchSpace, Stance
from mpsearch.experiments import tournament
from mpsearch.search import lookahead, make_engine, make_horizon_search, search
from mpsearch.search.horizon.lookahead import PlainLookahead
from mpsearch.search.horizon.search import shallow_space
from mpsearch.social import identity

BOX = (1.0, True, True)


def step(x: float) -> int:
    """The number of the nearest 2**-20: values are compared so."""
    return round(x * 2**20)


def dot(row: Any, value: Any) -> float:
    return sum(weight * entry for weight, entry in zip(row, value, strict=True))


def sight(space: SearchSpace, state: Any, plies: int) -> list[float]:
    """What is seen of a state by looking so far: the mean where chance has a list."""
    game = space.game
    outcomes = game.tree_chance(state) if game.mover(state) == CHANCE else ()
    if not outcomes:
        return best_for_the_mover(space, state, plies)
    seen = [(p, best_for_the_mover(space, game.play(state, o), plies)) for o, p in outcomes]
    return [sum(p * value[j] for p, value in seen) for j in range(game.players)]


def best_for_the_mover(space: SearchSpace, state: Any, plies: int) -> list[float]:
    game = space.game
    seat = game.mover(state)
    if seat < 0 or plies == 0:
        return list(space.evaluator.values(state))
    replies = [sight(space, game.play(state, m), plies - 1) for m in game.moves(state)]
    return max(replies, key=lambda value: step(value[seat]))


def expected(
    space: SearchSpace, matrix: Any, state: Any, depth: int, horizons: list[int]
) -> tuple[list[float], Any]:
    """Value and move by a plain recursion that shares no code with the search."""
    own = dict(enumerate(horizons)) | {space.game.mover(state): 0}
    return expected_with_end(space, matrix, state, depth, own, 0)[:2]


def expected_with_end(
    space: SearchSpace, matrix: Any, state: Any, depth: int, horizons: dict[int, int], ply: int
) -> tuple[list[float], Any, float]:
    """The same, and the ply at which the game ends."""
    game = space.game
    seat = game.mover(state)
    outcomes = game.tree_chance(state) if seat == CHANCE else ()
    if outcomes:
        value, last = [0.0] * game.players, 0.0
        for outcome, probability in outcomes:
            after = game.play(state, outcome)
            mean, _, end = expected_with_end(space, matrix, after, depth, horizons, ply + 1)
            value = [v + probability * m for v, m in zip(value, mean, strict=True)]
            last = max(last, end)
        return value, None, last
    if seat < 0 or depth == 0:
        values = space.evaluator.values(state).tolist()
        return values, None, ply if seat == OVER else math.inf
    moves = list(game.moves(state))
    if plies := horizons[seat]:
        after = [sight(space, game.play(state, m), plies - 1) for m in moves]
        seen = [step(dot(matrix[seat], value)) for value in after]
        moves = [m for m, worth in zip(moves, seen, strict=True) if worth == max(seen)]
    found = []
    for move in moves:
        after = game.play(state, move)
        value, _, end = expected_with_end(space, matrix, after, depth - 1, horizons, ply + 1)
        found.append((value, move, end))
    return max(found, key=lambda its: preference(space.evaluator, matrix[seat], its[0], its[2]))


def searched(
    space: SearchSpace,
    matrix: Any,
    state: Any,
    depth: int,
    horizons: list[int],
    *,
    interpret: bool = False,
) -> Report:
    root = space.game.mover(state)
    narrowed = shallow_space(space, root, matrix, horizons, interpret=interpret)
    engine = make_engine(narrowed, interpret=interpret)
    stance = Stance(matrix=matrix, label="any")
    return search(narrowed, [state], stance, Limits(depth=depth), engine=engine)


def drawn_case(rng: np.random.Generator) -> tuple[SearchSpace, Any, list[int]]:
    players = int(rng.integers(2, 5))
    game = HashTree(
        int(rng.integers(2**30)),
        players=players,
        chances=int(rng.choice([0, 6])),
        in_turn=bool(rng.integers(2)),
    )
    kind = EVALUATORS[str(rng.choice(list(EVALUATORS)))]
    space = SearchSpace(game=game, evaluator=hash_evaluator(game, **kind, box=BOX))
    matrix = np.round(rng.uniform(-1, 1, (players, players)), 2)
    if rng.integers(3) == 0:
        matrix[int(rng.integers(players))] = 0.0  # who is indifferent may do anything
    return space, matrix, rng.integers(3, size=players).tolist()


def test_move_and_value_are_those_of_the_plain_recursion() -> None:
    rng = np.random.default_rng(21)
    narrower = 0
    for _ in range(60):
        space, matrix, horizons = drawn_case(rng)
        state, depth = space.game.new(), int(rng.integers(1, 6))
        value, move = expected(space, matrix, state, depth, horizons)
        found = searched(space, matrix, state, depth, horizons)
        assert found.move == move
        assert found.value.tolist() == pytest.approx(value, abs=1e-6)
        stance = Stance(matrix=matrix, label="any")
        deep = search(space, [state], stance, Limits(depth=depth))
        narrower += deep.value.tolist() != found.value.tolist()
    assert narrower > 5  # it is another search


def test_interpreted_it_gives_the_same_with_as_many_nodes() -> None:
    rng = np.random.default_rng(22)
    for _ in range(20):
        space, matrix, horizons = drawn_case(rng)
        state = space.game.new()
        fast = searched(space, matrix, state, 4, horizons)
        plain = searched(space, matrix, state, 4, horizons, interpret=True)
        assert (plain.move, plain.value.tolist(), plain.nodes) == (
            fast.move,
            fast.value.tolist(),
            fast.nodes,
        )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=cases())
def test_any_tree_of_a_game_without_compiled_rules(case: Case) -> None:
    space = SearchSpace(game=case.game, evaluator=case.evaluator)
    matrix, horizons = identity(case.game.players), [2, 0, 1, 2][: case.game.players]
    value, move = expected(space, matrix, (), case.depth, horizons)
    found = searched(space, matrix, (), case.depth, horizons)
    assert found.move == move
    assert found.value.tolist() == pytest.approx(value, abs=1e-6)


def test_two_plies_deep_it_is_tree_search() -> None:
    """An opponent that moves last sees as far as we do."""
    rng = np.random.default_rng(23)
    for _ in range(20):
        game = HashTree(int(rng.integers(2**30)), players=3, chances=0, in_turn=True)
        space = SearchSpace(game=game, evaluator=hash_evaluator(game, box=BOX))
        matrix = np.round(rng.uniform(-1, 1, (3, 3)), 2)
        deep = search(space, [game.new()], Stance(matrix=matrix, label="any"), Limits(depth=2))
        found = searched(space, matrix, game.new(), 2, [1, 1, 1])
        assert (found.move, found.value.tolist()) == (deep.move, deep.value.tolist())


def test_horizons_are_those_of_the_request_or_one_ply() -> None:
    rng = np.random.default_rng(26)
    differ = 0
    for _ in range(15):
        space, matrix, horizons = drawn_case(rng)
        state, stance = space.game.new(), Stance(matrix=matrix, label="any")
        algorithm = make_horizon_search(space, {})
        found = []
        for told in (tuple(horizons), None):
            request = SearchRequest(
                root=space.game.mover(state), rng=rng, shuffle=False, horizons=told
            )
            report = algorithm.search([state], stance, Limits(depth=3), request)
            given = list(told or [1] * space.game.players)
            plain = searched(space, matrix, state, 3, given, interpret=True)
            assert (report.move, report.value.tolist()) == (plain.move, plain.value.tolist())
            found.append(report.value.tolist())
        differ += found[0] != found[1]
    assert differ > 0


def test_whoever_looks_farther_is_searched_as_ever() -> None:
    rng = np.random.default_rng(24)
    for _ in range(20):
        space, matrix, horizons = drawn_case(rng)
        state = space.game.new()
        stance, limits = Stance(matrix=matrix, label="any"), Limits(depth=4)
        deep = search(space, [state], stance, limits)
        found = searched(space, matrix, state, 4, [0] * len(horizons))
        assert (found.move, found.value.tolist()) == (deep.move, deep.value.tolist())


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_lookahead_is_the_plain_recursion_compiled_and_not(plies: int) -> None:
    rng = np.random.default_rng(25)
    for _ in range(30):
        space, _, _ = drawn_case(rng)
        state = space.game.new()
        found = lookahead(space, plies)(state).tolist()
        assert found == PlainLookahead(space, plies)(state).tolist()
        assert found == pytest.approx(sight(space, state, plies), abs=1e-9)


def test_an_agent_foresees_what_opponents_do_that_look_one_ply_ahead() -> None:
    """Selfish ones whose own evaluator it shares: their moves are among those it expects."""
    place = table("scramble", players=3)
    agent = place.agent("maxn:depth=4,search=horizon,ties=first")
    greedy = place.agent("greedy:ties=first")
    assert isinstance(agent, SearchAgent)
    assert isinstance(greedy, SearchAgent)
    state = place.game.new()
    rng = np.random.default_rng(0)
    foreseen = 0
    for _ in range(12):
        report = agent.algorithm.search(
            [state],
            Stance(matrix=identity(3), label="maxn"),
            Limits(depth=4),
            SearchRequest(root=place.game.mover(state), rng=rng, shuffle=False),
        )
        state = place.game.play(state, report.move)
        for move in report.line[1:3]:
            seat = place.game.mover(state)
            if seat < 0:
                break
            seen = greedy.algorithm.search(
                [state],
                Stance(matrix=identity(3), label="maxn"),
                Limits(depth=1),
                SearchRequest(root=seat, rng=rng, shuffle=False, exact=True),
            )
            best = max(step(m.value[seat]) for m in seen.moves)
            assert step(next(m.value[seat] for m in seen.moves if m.move == move)) == best
            state = place.game.play(state, move)
            foreseen += 1
        if place.game.mover(state) < 0:
            break
    assert foreseen > 4


def test_engines_of_matrices_that_change_all_the_time_are_given_up() -> None:
    game = HashTree(5, players=3, chances=0, in_turn=True)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game, box=BOX))
    algorithm = make_horizon_search(space, {})
    request = SearchRequest(root=0, rng=np.random.default_rng(0), shuffle=False)
    for number in range(40):
        matrix = np.array(identity(3))
        matrix[1, 0] = -number / 40
        found = algorithm.search(
            [game.new()], Stance(matrix=matrix, label="any"), Limits(depth=3), request
        )
        assert found.move == searched(space, matrix, game.new(), 3, [1, 1, 1]).move
    assert len(algorithm._engines) < 40


@pytest.mark.parametrize("model", ["recent", "likelihood,farthest=3"])
def test_an_agent_that_learns_plays_with_it(model: str) -> None:
    found = tournament("scramble", f"sos:model={model},depth=2,search=horizon", "random", games=3)
    assert len(found.played) == 3
