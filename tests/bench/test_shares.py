"""Who gets how much of the time of a bench, by a clock that only the test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from mpsearch.bench import run
from mpsearch.bench.shares import LONGEST, Clock, Growth, climb, share_out
from mpsearch.jit.kept import NotKeptError, only_kept, refuse
from mpsearch.search import Limits


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = 100.0
        self.clock = Clock(now=lambda: self.at, busy=lambda: self.at)


@pytest.fixture
def hands() -> Hands:
    return Hands()


def test_what_one_part_does_not_need_is_shared_by_the_others(hands: Hands) -> None:
    shares = []

    def measure(part: float, seconds: float) -> None:
        shares.append(seconds)
        hands.at += part

    late = share_out([0.25, 0.05, 0.4], measure, deadline=100.75, clock=hands.clock)
    assert late == []
    assert shares == pytest.approx([0.25, 0.25, 0.45])


def test_room_is_left_for_what_comes_later(hands: Hands) -> None:
    shares: list[float] = []
    share_out(
        [0, 0],
        lambda _, seconds: shares.append(seconds),
        deadline=101.0,
        clock=hands.clock,
        later=2,
    )
    assert shares == pytest.approx([1 / 4, 1 / 3])


def test_no_part_is_measured_for_long_and_none_after_the_end(hands: Hands) -> None:
    shares = []

    def measure(part: str, seconds: float) -> None:
        shares.append(seconds)
        hands.at += 500.0

    assert share_out("abc", measure, deadline=1000.0, clock=hands.clock) == ["c"]
    assert shares == [LONGEST, LONGEST]


def test_the_next_depth_is_expected_to_grow_as_the_last_ones_did() -> None:
    growth = Growth()
    assert growth.expected() == 0.0
    growth.note(12, 0.5)
    assert growth.expected() == 6.0  # as many moves as nodes
    growth.note(60, 2.0)
    assert growth.expected() == 10.0
    growth.note(120, 3.0)
    assert growth.expected() == 15.0  # every other depth is cheap
    growth.note(120, 3.0)
    assert growth.expected() == 6.0
    growth.note(60, 2.0)
    assert growth.expected() == 2.0  # and none is expected to be cheaper than the last


class Tree:
    """A search whose depths take as many seconds as nodes, a thousand a second."""

    def __init__(self, hands: Hands, nodes: Callable[[int], int], end: int = 99) -> None:
        self.hands, self.nodes, self.end = hands, nodes, end
        self.alone: list[int] = []

    def look(self, limits: Limits) -> Any:
        if limits.seconds is None:
            assert limits.depth is not None
            self.alone.append(limits.depth)
            nodes = self.nodes(limits.depth)
            self.hands.at += nodes / 1000
            return SimpleNamespace(nodes=nodes, depth=limits.depth)
        until = self.hands.at + limits.seconds
        for depth in range(1, min(limits.depth or 99, self.end) + 1):
            self.hands.at += self.nodes(depth) / 1000
            if self.hands.at > until and depth > 1:
                self.hands.at = until
                return SimpleNamespace(nodes=0, depth=depth - 1)
        return SimpleNamespace(nodes=0, depth=depth)


@pytest.mark.parametrize("seconds", [0.01, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("factor", [2, 5, 17])
def test_a_climb_ends_in_its_time_and_goes_as_deep_as_it_can(
    hands: Hands, seconds: float, factor: int
) -> None:
    tree = Tree(hands, lambda depth: factor**depth)
    steps = list(climb(tree.look, seconds=seconds, clock=hands.clock))
    assert [step.depth for step in steps] == list(range(1, len(steps) + 1))
    assert steps[-1].nodes == factor ** len(steps)
    assert steps[-1].seconds == pytest.approx(steps[-1].nodes / 1000)
    # The first depth is searched whatever it takes.
    assert hands.at <= 100.0 + max(seconds, factor / 1000)
    # Three times the next depth would not have fitted.
    assert 3 * factor ** (len(steps) + 1) / 1000 > seconds - (hands.at - 100.0)


def test_a_depth_that_suddenly_explodes_ends_in_time(hands: Hands) -> None:
    tree = Tree(hands, lambda depth: 2**depth if depth < 6 else 10**9)
    steps = list(climb(tree.look, seconds=5.0, clock=hands.clock))
    assert [step.depth for step in steps] == [1, 2, 3, 4, 5]
    assert tree.alone == [1, 2, 3, 4, 5]
    assert hands.at <= 105.0


def test_a_climb_ends_with_the_game(hands: Hands) -> None:
    tree = Tree(hands, lambda depth: depth, end=4)
    steps = list(climb(tree.look, seconds=60.0, clock=hands.clock))
    assert [step.depth for step in steps] == [1, 2, 3, 4]


def test_only_what_is_kept_is_used_while_that_is_asked_for() -> None:
    refuse("search")
    with only_kept(), pytest.raises(NotKeptError, match="search"):
        refuse("search")
    refuse("search")


@attrs.frozen(kw_only=True)
class FakeSubject:
    """Stands for a game that was made ready."""

    name: str
    evaluator: str = "usual"
    usual: bool = True

    @property
    def table(self) -> Any:
        return SimpleNamespace(name=self.name)

    def techniques(self) -> dict[str, Any]:
        return dict.fromkeys(("all", "no pruning", "no ordering"))


@pytest.fixture
def bench(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A run over made-up games: seconds to compile each, and to measure a part; what was done."""

    def fake_depths(subject: Any, kind: str, way: str, **_: Any) -> Iterator[Any]:
        hands.at += 0.1
        done.append((subject.name, kind, way))
        yield SimpleNamespace(
            game=subject.name,
            evaluator="usual",
            propagator=kind,
            technique=way,
            nodes=1,
            nodes_per_second=1.0,
        )

    def fake_decision(subject: Any, **_: Any) -> Any:
        hands.at += 0.1
        done.append((subject.name, "decisions", ""))
        return SimpleNamespace(game=subject.name)

    done: list[tuple[str, str, str]] = []
    monkeypatch.setattr(run, "measure_depths", fake_depths)
    monkeypatch.setattr(run, "measure_decision", fake_decision)

    def go(
        compiling: dict[str, float], *, seconds: float, loading: dict[str, float] | None = None
    ) -> tuple[Any, list[Any]]:
        def prepare(name: Any) -> Any:
            hands.at += (loading or {}).get(name[0].name, 0.0)
            if compiling[name[0].name]:
                refuse(name[0].name)
            hands.at += compiling[name[0].name]
            return FakeSubject(name=name[0].name)

        names: Any = [(SimpleNamespace(name=name), "usual") for name in compiling]
        made = run.Run(
            prepare=prepare, quick=True, seconds=seconds, show=lambda _: None, clock=hands.clock
        )
        return made.all(names), done

    return go


def test_every_game_has_its_first_propagator_before_any_has_a_second(
    bench: Callable[..., Any],
) -> None:
    result, done = bench({"a": 0.0, "b": 0.0, "c": 0.0}, seconds=100.0)
    first = [("all", "maxn"), ("no pruning", "maxn"), ("", "decisions")]
    assert done[:9] == [(game, kind, way) for game in "abc" for way, kind in first]
    assert len(done) == 9 + 3 * 2 * 2
    assert result.left_out == []
    # Rows of a game stay together.
    games = [row.game for row in result.searches]
    assert games == sorted(games)


def test_what_must_be_compiled_waits_for_what_is_ready(bench: Callable[..., Any]) -> None:
    result, done = bench({"cold": 5.0, "warm": 0.0}, seconds=100.0)
    assert [game for game, *_ in done[:6]] == ["warm"] * 3 + ["cold"] * 3
    assert result.compiled == {"cold.usual": pytest.approx(5.0)}
    assert result.left_out == []


def test_compiling_takes_nothing_from_others(bench: Callable[..., Any], hands: Hands) -> None:
    """The second would take as long as the first, and that is not left."""
    result, done = bench({"first": 8.0, "second": 8.0, "warm": 0.0}, seconds=16.0)
    assert result.left_out == ["second.usual"]
    measured = {kind for game, kind, _ in done if game == "warm"}
    assert measured == {"maxn", "decisions", "paranoid", "sos random"}
    assert hands.at <= 116.0


def test_what_was_compiled_is_searched_even_if_that_took_all_the_time(
    bench: Callable[..., Any],
) -> None:
    result, _ = bench({"cold": 30.0, "next": 1.0}, seconds=10.0)
    assert {row.game for row in result.searches} == {"cold"}
    assert "next.usual" in result.left_out


def test_no_game_waits_for_another_to_be_loaded(bench: Callable[..., Any], hands: Hands) -> None:
    """On a machine so busy that loading the second takes all the time, the first is measured."""
    result, done = bench({"a": 0.0, "b": 0.0}, seconds=5.0, loading={"a": 1.0, "b": 60.0})
    assert [row.game for row in result.decisions] == ["a"]
    assert {game for game, *_ in done} == {"a", "b"}
    assert hands.at < 170.0


def test_parts_that_no_time_was_left_for_are_named(bench: Callable[..., Any]) -> None:
    result, _ = bench({"a": 0.0, "b": 0.0}, seconds=0.75)
    assert (
        result.left_out
        == [
            "a.usual (paranoid)",
            "b.usual (paranoid)",
            "a.usual (sos random)",
            "b.usual (sos random)",
        ][-len(result.left_out) :]
    )
    assert result.left_out[-1] == "b.usual (sos random)"
    assert {row.game for row in result.decisions} == {"a", "b"}
