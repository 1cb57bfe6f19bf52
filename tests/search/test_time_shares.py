"""Time limits: worlds share what is left, and whoever keeps time is not kept waiting.

A clock that the games themselves move on takes the place of the real one: nothing is timed here.
"""

import sys
from types import SimpleNamespace
from typing import Any

import attrs
import numpy as np
import pytest
from support.trees import LeafValues, OrderedTree, WrittenTree, ordered_values
from support.turns import turns

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.contracts import (
    OVER,
    Array,
    Bounds,
    CompiledEvaluator,
    Limits,
    Report,
    SearchAlgorithm,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.jit import compile_time
from mpsearch.plugins import load_catalog
from mpsearch.search import AbortedError, deadline, decision, make_engine, search, world_search
from mpsearch.search.deadline import TimeShare, Watch, switching_every
from mpsearch.search.pruning.plan import make_plan
from mpsearch.search.ties import Ties
from mpsearch.search.world_search import WorldResult, search_move, search_world
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
    """A second passes with every evaluation, and then whoever keeps time looks at the clock."""

    def __init__(self, game: Any, clock: Clock) -> None:
        super().__init__(game, Bounds(least=0, greatest=10))
        self.clock, self.count = clock, 0
        self.intervals: set[float] = set()
        self.watch: Watch | None = None

    def values(self, state: State) -> Array:
        self.clock.now += 1.0
        self.count += 1
        self.intervals.add(sys.getswitchinterval())
        if self.watch is not None:
            self.watch.check()
        over = self.game.mover(state) == OVER
        return super().values(state) if over else np.array([5.0, 5.0])


def space(clock: Clock, tree: Any = TREE) -> tuple[SearchSpace, SlowValues]:
    game = WrittenTree(tree, players=2)
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


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever keeps time never gets to it."""
    monkeypatch.setattr(Watch, "check", lambda watch: None)


@pytest.mark.usefixtures("asleep")
def test_worlds_that_there_is_no_time_for_are_not_searched(clock: Clock) -> None:
    """Depth 1 of a world is three evaluations: ten seconds are over in the fourth of thirty."""
    problem, values = space(clock)
    worlds = [()] * 30
    report = search(problem, worlds, STANCE, Limits(seconds=10.0), prune=False, pool="mean")
    assert (report.worlds, values.count) == (4, 12)
    assert sum(move.votes for move in report.moves) == 4


@pytest.mark.usefixtures("asleep")
def test_one_world_is_searched_however_little_time_there_is(clock: Clock) -> None:
    problem, values = space(clock)
    report = search(problem, [()] * 5, STANCE, Limits(seconds=1e-9), prune=False)
    assert (report.worlds, report.depth, values.count) == (1, 1, 3)


def one_world(
    clock: Clock, watch: Watch, share: TimeShare, *, tree: Any = TREE, ties: Ties | None = None
) -> tuple[WorldResult | None, int]:
    """The search of one world under a watch that looks at the clock after every evaluation."""
    problem, values = space(clock, tree)
    values.watch = watch
    plan = make_plan(STANCE.matrix, values.bounds, prune=False)
    workspace = make_engine(problem).workspace()
    found = search_world(
        workspace, (), watch, plan=plan, limits=Limits(seconds=1), ties=ties or Ties(), share=share
    )
    return found, values.count


#: Six moves of the root, behind which the game goes on, and six that end it with so many points.
WIDE: Any = (0, *((1, [move, 0], [move, 0]) for move in range(6)))
LEAVES: Any = (0, *([move, 0] for move in (3, 1, 4, 1, 5, 9)))


def test_the_first_depth_ends_with_the_move_during_which_time_is_over(clock: Clock) -> None:
    """Six evaluations would make depth 1 complete; time is over in the third."""
    found, evaluations = one_world(clock, Watch(), TimeShare(2.5, parts=1, threads=1), tree=WIDE)
    assert found is not None
    assert evaluations == 3
    assert (found.depth, found.best) == (0, 0)
    assert found.found.exact == [1, 1, 1, 0, 0, 0]


def test_of_the_moves_that_were_tried_the_best_is_chosen(clock: Clock) -> None:
    ties = Ties(np.random.default_rng(3))
    share = TimeShare(2.5, parts=1, threads=1)
    found, _ = one_world(clock, Watch(), share, tree=LEAVES, ties=ties)
    assert found is not None
    tried = [index for index, exact in enumerate(found.found.exact) if exact]
    assert len(tried) == 3
    worth = {index: float(found.found.values[index][0]) for index in range(6)}
    assert {index: worth[index] for index in tried} == {k: LEAVES[1 + k][0] for k in tried}
    assert found.best == max(tried, key=lambda index: worth[index])
    mean = sum(worth[index] for index in tried) / 3
    assert all(worth[index] == mean for index in range(6) if index not in tried)


@pytest.mark.parametrize("interpret", [False, True])
def test_compiled_and_interpreted_searches_keep_the_same_of_a_first_depth(interpret: bool) -> None:
    game = OrderedTree(depth=5)
    evaluator = CompiledEvaluator(game, ordered_values, bounds=Bounds(total=(100, 100)))
    problem = SearchSpace(game=game, evaluator=evaluator)
    workspace = make_engine(problem, interpret=interpret).workspace()
    load = workspace.load

    def halted_soon(*given: Any) -> Any:
        moves = load(*given)
        workspace.context.node_limit = 4  # the root and three moves
        return moves

    workspace.load = halted_soon  # type: ignore[method-assign, assignment]
    plan, ties = make_plan(STANCE.matrix, evaluator.bounds), Ties(np.random.default_rng(7))
    found = search_world(
        workspace, game.new(), Watch(), plan=plan, limits=Limits(seconds=9), ties=ties
    )
    assert found is not None
    order = Ties(np.random.default_rng(7)).order(found.listed)
    tried = order[:3]
    assert found.best == min(tried)
    assert [k for k, sure in enumerate(found.found.exact) if sure] == sorted(tried)
    mean = 50 - sum(tried) / 3
    wanted = [50.0 - k if k in tried else mean for k in range(10)]
    assert found.found.values[:, 0].tolist() == pytest.approx(wanted)


def test_a_world_that_takes_longer_than_its_part_may_go_on_while_there_is_time(
    clock: Clock,
) -> None:
    found, evaluations = one_world(clock, Watch(), TimeShare(60.0, parts=60, threads=1), tree=WIDE)
    assert found is not None
    assert (found.depth, evaluations) == (1, 6)


def test_once_time_is_over_a_further_world_is_given_up(clock: Clock) -> None:
    watch, share = Watch(), TimeShare(8.5, parts=2, threads=1)
    first, _ = one_world(clock, watch, share, tree=WIDE)
    assert first is not None
    assert clock.now == 6.0
    second, evaluations = one_world(clock, watch, share, tree=WIDE)
    assert second is None
    assert evaluations == 3


def test_an_exact_value_is_not_waited_for(clock: Clock) -> None:
    """The search of a move alone has a result to fall back on, at whatever depth it stands."""
    watch = Watch()
    problem, values = space(clock, WIDE)
    plan = make_plan(STANCE.matrix, values.bounds, prune=False)
    workspace = make_engine(problem).workspace()
    result = search_world(
        workspace, (), watch, plan=plan, limits=Limits(depth=2), ties=Ties(), exact=True
    )
    assert result is not None
    values.watch, values.count = watch, 0
    share = TimeShare(0.5, parts=1, threads=1)
    again = search_move(workspace, ((), result), watch, plan=plan, move=0, share=share)
    assert values.count == 1
    assert again.found.exact == result.found.exact
    assert again.nodes > result.nodes


def test_a_search_that_is_aborted_has_no_half_result(clock: Clock) -> None:
    watch = Watch()
    problem, values = space(clock, WIDE)
    played = values.values

    def aborts(state: State) -> Array:
        watch.abort()
        return played(state)

    values.values = aborts  # type: ignore[method-assign]
    plan = make_plan(STANCE.matrix, values.bounds, prune=False)
    workspace = make_engine(problem).workspace()
    with pytest.raises(AbortedError):
        search_world(workspace, (), watch, plan=plan, limits=Limits(seconds=9), ties=Ties())


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
        self.worlds: list[int] = []

    def search(self, worlds: Any, stance: Any, limits: Limits, request: Any) -> Report:
        self.limits.append(limits)
        self.worlds.append(len(worlds))
        return self.inner.search(worlds, stance, Limits(depth=1), request)


@pytest.mark.parametrize(
    ("drawing", "worlds", "left"), [(1.0, 3, 7.0), (4.0, 2, 2.0), (50.0, 1, 1e-6)]
)
def test_worlds_are_drawn_in_half_of_the_time_of_the_move(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, drawing: float, worlds: int, left: float
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
    assert asked.worlds == [worlds]
