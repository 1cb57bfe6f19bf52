"""Time limits: worlds share what is left, and whoever keeps time is not kept waiting.

A clock that the games themselves move on takes the place of the real one: nothing is timed here.
"""

import sys
from types import SimpleNamespace
from typing import Any

import attrs
import numpy as np
import pytest
from support.trees import LeafValues, WrittenTree
from support.turns import turns

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.contracts import (
    Array,
    Bounds,
    Limits,
    Report,
    SearchAlgorithm,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.jit import compile_time
from mpsearch.plugins import load_catalog
from mpsearch.search import deadline, decision, search, world_search
from mpsearch.search.deadline import TimeShare, switching_every
from mpsearch.social import identity

STANCE = Stance(matrix=identity(2), label="maxn")
TREE = (0, (1, [5, 0], [4, 0]), (1, [0, 3], [9, 0]), (1, [2, 2], [3, 3]))


class Clock:
    """Seconds that pass only when somebody says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (deadline, decision, world_search, compile_time):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=made, perf_counter=made))
    return made


class SlowValues(LeafValues):
    """A second passes with every evaluation."""

    def __init__(self, game: Any, clock: Clock) -> None:
        super().__init__(game, Bounds(least=0, greatest=10))
        self.clock, self.count = clock, 0
        self.intervals: set[float] = set()

    def values(self, state: State) -> Array:
        self.clock.now += 1.0
        self.count += 1
        self.intervals.add(sys.getswitchinterval())
        return np.array([5.0, 5.0]) if len(state) < 2 else super().values(state)


def space(clock: Clock) -> tuple[SearchSpace, SlowValues]:
    game = WrittenTree(TREE, players=2)
    values = SlowValues(game, clock)
    return SearchSpace(game=game, evaluator=values), values


def test_each_world_gets_an_equal_part_of_what_is_left(clock: Clock) -> None:
    share = TimeShare(12.0, parts=4, threads=1)
    assert not share.over
    assert share.take() == 3.0
    clock.now = 6.0  # the first took twice its part
    assert share.take() == 2.0
    clock.now = 7.0  # the second half of it
    assert share.take() == 2.5
    assert not share.over
    clock.now = 12.0
    assert share.over
    assert share.take() == 0.0


def test_threads_share_in_rounds(clock: Clock) -> None:
    share = TimeShare(12.0, parts=5, threads=2)
    assert [share.take() for _ in range(5)] == [4.0, 6.0, 6.0, 12.0, 12.0]


@pytest.mark.parametrize(("threads", "rounds"), [(1, 7), (2, 4), (3, 3), (6, 2), (7, 1), (9, 1)])
def test_the_first_world_gets_the_part_of_one_round(
    clock: Clock, threads: int, rounds: int
) -> None:
    assert TimeShare(60.0, parts=7, threads=threads).take() == 60.0 / rounds


def test_without_a_limit_nothing_is_ever_over(clock: Clock) -> None:
    share = TimeShare(None, parts=1, threads=1)
    assert share.take() is None
    clock.now = 1e9
    assert not share.over


def test_worlds_that_there_is_no_time_for_are_not_searched(clock: Clock) -> None:
    """Depth 1 of a world is three evaluations: ten seconds are over in the fourth of thirty."""
    problem, values = space(clock)
    worlds = [()] * 30
    report = search(problem, worlds, STANCE, Limits(seconds=10.0), prune=False, pool="mean")
    assert (report.worlds, values.count) == (4, 12)
    assert sum(move.votes for move in report.moves) == 4


def test_one_world_is_searched_however_little_time_there_is(clock: Clock) -> None:
    problem, values = space(clock)
    report = search(problem, [()] * 5, STANCE, Limits(seconds=1e-9), prune=False)
    assert (report.worlds, report.depth, values.count) == (1, 1, 3)


def test_plain_searches_let_whoever_keeps_time_go_on_soon(clock: Clock) -> None:
    usual = sys.getswitchinterval()
    problem, values = space(clock)
    search(problem, [()] * 3, STANCE, Limits(seconds=5.0))
    assert max(values.intervals) <= 0.001 < usual
    values.intervals.clear()
    search(problem, [()] * 3, STANCE, Limits(depth=1))
    assert values.intervals == {usual}
    assert sys.getswitchinterval() == usual


def test_the_interval_comes_back_with_the_last_who_wanted_another() -> None:
    usual = sys.getswitchinterval()
    with switching_every(0.001):
        with switching_every(0.002):
            assert sys.getswitchinterval() == pytest.approx(0.001)
        assert sys.getswitchinterval() == pytest.approx(0.001)
    assert sys.getswitchinterval() == usual


class Asked(SearchAlgorithm):
    """Keeps the limits that it is given, and lets another search."""

    def __init__(self, inner: SearchAlgorithm) -> None:
        self.inner = inner
        self.limits: list[Limits] = []

    def search(self, worlds: Any, stance: Any, limits: Limits, request: Any) -> Report:
        self.limits.append(limits)
        return self.inner.search(worlds, stance, Limits(depth=1), request)


@pytest.mark.parametrize(("drawing", "left"), [(4.0, 6.0), (50.0, 1e-6)])
def test_worlds_are_drawn_in_the_time_of_the_move(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, drawing: float, left: float
) -> None:
    catalog = load_catalog()
    game = catalog.game("plunder")
    agent = make_agent(catalog, "plunder", game, "maxn:time=10,worlds=3")
    assert isinstance(agent, SearchAgent)
    asked = Asked(agent.algorithm)
    agent = attrs.evolve(agent, algorithm=asked)
    (turn,) = turns(game, 1, seed=1, share=0.5)
    draw = game.worlds

    def slowly(*given: Any) -> Any:
        clock.now += drawing
        return draw(*given)

    monkeypatch.setattr(game, "worlds", slowly)
    rng = np.random.default_rng(1)
    agent.choose(turn, agent.start(turn.seat, rng), rng)
    assert [limits.seconds for limits in asked.limits] == [pytest.approx(left)]
