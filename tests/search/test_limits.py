"""Depth, node and time limits; interruption."""

import threading
from typing import Any

import numpy as np
import pytest
from support.chain import endless
from support.hashtree import HashTree, hash_evaluator
from support.interrupting import interrupted

from mpsearch.contracts import (
    GREATEST_DEPTH,
    Limits,
    SearchSpace,
    Stance,
)
from mpsearch.errors import ContractError, UsageError
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import count_leaves, make_engine, make_plan, search
from mpsearch.search.deadline import Watch
from mpsearch.search.ties import Ties
from mpsearch.search.world_search import search_world
from mpsearch.social import identity


@pytest.fixture(scope="module")
def scramble() -> SearchSpace:
    catalog = load_catalog()
    game = catalog.game("scramble")
    return SearchSpace(game=game, evaluator=catalog.evaluator_offer("scramble").make(game))


MAXN = Stance(matrix=identity(4), label="maxn")


def test_a_node_limit_returns_the_last_completed_depth(scramble: SearchSpace) -> None:
    start = scramble.game.new()
    by_depth = {d: search(scramble, [start], MAXN, Limits(depth=d)) for d in range(1, 9)}
    # Nodes of depths 1 to d together, as deepening visits them; each sweep has its own root.
    deepened = {
        d: search(scramble, [start], MAXN, Limits(depth=d, nodes=10**9)).nodes for d in by_depth
    }
    for depth in range(2, 8):
        for limit in (deepened[depth], deepened[depth] + 1, deepened[depth + 1] - 1):
            report = search(scramble, [start], MAXN, Limits(nodes=limit))
            assert report.depth == depth
            expected = by_depth[depth]
            assert (report.move, report.value.tolist()) == (
                expected.move,
                expected.value.tolist(),
            )
            assert report.nodes <= limit + 1


def test_a_half_finished_depth_is_never_used() -> None:
    """At every node limit the result is that of some whole depth, also with shuffled ties."""
    game = HashTree(12345, players=3)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game, levels=100))
    start = game.new()
    stance = Stance(matrix=identity(3), label="maxn")

    def rng() -> np.random.Generator:
        return np.random.default_rng(1)

    whole = {
        d: search(space, [start], stance, Limits(depth=d), rng=rng()).value.tolist()
        for d in range(1, 8)
    }
    for nodes in range(1, 400, 7):
        report = search(space, [start], stance, Limits(nodes=nodes, depth=7), rng=rng())
        assert report.value.tolist() == whole[report.depth]


def test_depth_one_is_always_completed(scramble: SearchSpace) -> None:
    start = scramble.game.new()
    for limits in (Limits(nodes=1), Limits(seconds=1e-9)):
        report = search(scramble, [start], MAXN, limits)
        assert report.depth == 1
        assert len(report.moves) == len(scramble.game.moves(start))


def test_deepening_stops_when_the_game_is_exhausted() -> None:
    game = load_catalog().game("scramble", players=2, length=5, plies=6)
    evaluator = load_catalog().evaluator_offer("scramble").make(game)
    space = SearchSpace(game=game, evaluator=evaluator)
    stance = Stance(matrix=identity(2), label="maxn")
    report = search(space, [game.new()], stance, Limits(nodes=10**12))
    assert report.depth <= 6
    deeper = search(space, [game.new()], stance, Limits(depth=20))
    assert report.value.tolist() == deeper.value.tolist()


@pytest.mark.parametrize("interpret", [False, True])
def test_a_time_limit_ends_a_search_that_would_take_forever(
    scramble: SearchSpace, interpret: bool
) -> None:
    engine = make_engine(scramble, interpret=interpret)
    report = search(
        scramble, [scramble.game.new()], MAXN, Limits(seconds=0.2), prune=False, engine=engine
    )
    assert report.depth >= 1
    whole = search(scramble, [scramble.game.new()], MAXN, Limits(depth=report.depth))
    assert report.value.tolist() == whole.value.tolist()


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("interpret", [False, True])
def test_a_search_deeper_than_its_first_frames_grows(interpret: bool, prune: bool) -> None:
    """Sixteen frames are there at first; more are made, and no node is counted twice."""
    game = HashTree(1, players=2, ends=10**9, most=1)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game))
    stance = Stance(matrix=identity(2), label="maxn")
    engine = make_engine(space, interpret=interpret)
    report = search(space, [game.new()], stance, Limits(depth=100), prune=prune, engine=engine)
    assert (report.depth, report.nodes) == (100, 101)


TWO = Stance(matrix=identity(2), label="maxn")


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("interpret", [False, True])
def test_the_greatest_depth_fits_on_the_stack_of_any_thread(interpret: bool, prune: bool) -> None:
    """A thread has 512 KiB on some systems; compiled or not, half of that is enough."""
    space = endless()
    engine = make_engine(space, interpret=interpret)
    limits = [Limits(depth=GREATEST_DEPTH), Limits(nodes=10**12)]
    # The first search is not measured: compiling takes a deep stack of its own.
    search(space, [space.game.new()], TWO, Limits(depth=1), engine=engine)
    plan = make_plan(TWO.matrix, space.evaluator.bounds, prune=prune)
    found: list[int] = []

    def run() -> None:
        for limit in limits:
            result = search_world(
                engine.workspace(),
                space.game.new(),
                Watch(),
                plan=plan,
                limits=limit,
                ties=Ties(),
            )
            assert result is not None
            found.append(result.depth)

    usual = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    assert found == [GREATEST_DEPTH, GREATEST_DEPTH]


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("interpret", [False, True])
def test_chains_of_chance_without_end_are_an_error_and_no_crash(
    interpret: bool, prune: bool
) -> None:
    space = endless(period=10**9)
    engine = make_engine(space, interpret=interpret)
    with pytest.raises(ContractError, match="more than 801 levels deep, outcomes of chance incl"):
        search(space, [space.game.new()], TWO, Limits(depth=1), prune=prune, engine=engine)


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("interpret", [False, True])
def test_deepening_ends_where_the_levels_end(interpret: bool, prune: bool) -> None:
    """With two outcomes of chance after every move, 801 levels hold 267 moves."""
    space = endless(period=3)
    engine = make_engine(space, interpret=interpret)
    settings: dict[str, Any] = {"prune": prune, "engine": engine}
    report = search(space, [space.game.new()], TWO, Limits(nodes=10**12), **settings)
    assert report.depth == 266
    with pytest.raises(ContractError, match="levels deep"):
        search(space, [space.game.new()], TWO, Limits(depth=267), **settings)


@pytest.mark.parametrize("jit", ["1", "0"])
def test_perft_counts_to_the_greatest_depth_and_no_deeper(
    jit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPSEARCH_JIT", jit)
    game = endless(period=2).game
    assert count_leaves(game, game.new(), GREATEST_DEPTH) == 1
    with pytest.raises(UsageError, match="perft: depth 401 is more than 400"):
        count_leaves(game, game.new(), GREATEST_DEPTH + 1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"depth": 401}, "depth is 401; the most is 400"),
        ({"nodes": 10**20}, "the most"),
        ({"seconds": float("inf")}, "the most"),
        ({"seconds": float("nan")}, "not above zero"),
    ],
)
def test_limits_that_do_not_fit_are_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Limits(**wrong)


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"nodes": 0}, {"seconds": 0.0}, {}])
def test_limits_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="limits"):
        Limits(**wrong)


INTERRUPTED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
from mpsearch.plugins.catalog import load_catalog
from mpsearch.contracts import Stance
from mpsearch.contracts import Limits, SearchSpace
from mpsearch.search import search
from mpsearch.social import identity
catalog = load_catalog()
game = catalog.game("scramble")
space = SearchSpace(game=game, evaluator=catalog.evaluator_offer("scramble").make(game))
stance = Stance(matrix=identity(4), label="maxn")
search(space, [game.new()], stance, Limits(depth=2))
print("ready", flush=True)
try:
    search(space, [game.new()], stance, Limits(depth=60), prune=False)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print(search(space, [game.new()], stance, Limits(depth=2)).depth, flush=True)
"""


def test_ctrl_c_stops_a_compiled_search_at_once() -> None:
    assert interrupted(INTERRUPTED).splitlines() == ["interrupted", "2"]
