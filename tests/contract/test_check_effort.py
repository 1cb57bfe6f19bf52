"""How much a check tries, and that rules share the random games they look at."""

import subprocess
import time
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.contracts import Bounds, Evaluator, Move, State
from mpsearch.jit import jit_enabled
from mpsearch.plugins import installed
from mpsearch.testing import check_catalog, game_check, random_play, walk
from mpsearch.testing.checked_settings import changed_options, few_counts, player_counts
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.random_play import shared_walks, values_at
from mpsearch.testing.smoke_test import smoke_test
from mpsearch.testing.world_rules import WORLD_RULES


@attrs.define
class Tried:
    """What a check was about to run."""

    #: Evaluators of each smoke test by number of players, where only that is set.
    evaluators: dict[int, set[int]] = attrs.field(factory=dict)
    #: Evaluators of the smoke tests of all seeds but the first.
    later: set[int] = attrs.field(factory=set)
    #: Settings in which the rules were checked.
    rules: list[int] = attrs.field(factory=list)


def try_scramble(monkeypatch: pytest.MonkeyPatch, **effort: bool) -> Tried:
    tried = Tried()

    def smoke_test(game: Any, seed: int, *, evaluators: Any, **_: Any) -> None:
        tried.evaluators.setdefault(game.players, set()).add(len(evaluators))
        if seed > 0:
            tried.later.add(len(evaluators))

    def rules(_: Any, setting: dict[str, Any]) -> None:
        tried.rules.append(setting["players"])

    monkeypatch.setattr(game_check, "smoke_test", smoke_test)
    monkeypatch.setattr(game_check.Check, "_rules", rules)
    game_check.Check(installed(), "scramble", lambda **_: None, **effort).run()
    return tried


def test_options_of_parts_are_not_multiplied_with_the_number_of_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalog = installed()
    offer, parts = catalog.games["scramble"], catalog.evaluators["scramble"].values()
    plain = sum(1 + len(list(changed_options(part, greatest=False))) for part in parts)
    native = sum(1 + len(list(changed_options(part))) for part in parts)
    usual, every = {len(parts)}, {plain, native}
    assert min(every) > len(parts)
    others = [count for count in player_counts(offer) if count != offer.default_players]

    found = try_scramble(monkeypatch)
    # With other options of the game, too, there is one of each.
    assert found.evaluators == {offer.default_players: every | usual} | dict.fromkeys(others, usual)
    assert found.rules == few_counts(offer)
    assert found.later == (usual if jit_enabled() else set())

    found = try_scramble(monkeypatch, thorough=True)
    assert found.later == ({native} if jit_enabled() else set())
    assert found.evaluators == {offer.default_players: every | usual} | dict.fromkeys(others, every)
    assert found.rules == player_counts(offer)

    found = try_scramble(monkeypatch, quick=True)
    assert found.evaluators == dict.fromkeys(few_counts(offer), usual)
    assert found.rules == few_counts(offer)


@pytest.mark.parametrize("thorough", [False, True])
def test_plain_games_are_short_only_where_a_setting_repeats_another(
    monkeypatch: pytest.MonkeyPatch, thorough: bool
) -> None:
    plain: dict[str, int] = {}
    compiled: set[int] = set()
    running = ""

    def say(**said: str) -> None:
        nonlocal running
        running = said.get("running", "")

    def smoke_test(game: Any, seed: int, *, plies: int, **_: Any) -> None:
        if running.endswith("plain functions"):
            plain[running.split(" with ")[1].removesuffix(", plain functions")] = plies
        else:
            compiled.add(plies)

    monkeypatch.setattr(game_check, "smoke_test", smoke_test)
    offer = installed().games["scramble"]
    game_check.Check(installed(), "scramble", say, thorough=thorough, smoke_test_only=True).run()
    usual = {f"players={count}" for count in few_counts(offer)}
    assert len(plain) == len(player_counts(offer)) + len(list(changed_options(offer)))
    short = {setting for setting, plies in plain.items() if plies < max(plain.values())}
    assert short == (set() if thorough else set(plain) - usual)
    assert compiled == ({400} if jit_enabled() else set())


@pytest.mark.parametrize("quick", [False, True])
def test_a_quick_check_draws_worlds_for_the_default_number_of_players_only(
    monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    offer = installed().games["plunder"]
    tried: dict[int, set[str]] = {count: set() for count in few_counts(offer)}

    def attempt(self: Any, plugin: str, key: str, what: str, check: Any, *given: Any) -> None:
        if key in GAME_RULES:
            tried[given[0].players].add(key)

    monkeypatch.setattr(game_check.Check, "_attempt", attempt)
    check = game_check.Check(installed(), "plunder", lambda **_: None, quick=quick)
    for count in tried:
        check._rules({"players": count})
    others = set(GAME_RULES) - set(WORLD_RULES) if quick else set(GAME_RULES)
    expected = dict.fromkeys(tried, others) | {offer.default_players: set(GAME_RULES)}
    assert len(tried) > 1
    assert tried == expected


@pytest.mark.parametrize("quick", [False, True])
def test_a_quick_check_looks_at_fewer_views_where_players_are_more_than_usual(
    monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    views: dict[int, set[tuple[int, int]]] = {}
    turns: dict[int, int] = {}

    def world_at(game: Any, step: Any, seat: int) -> State:
        views.setdefault(game.players, set()).add((step.ply, seat))
        return random_play.world_at(game, step, seat)

    monkeypatch.setattr("mpsearch.testing.view_rules.world_at", world_at)
    monkeypatch.setattr(game_check, "_QUICK_VIEWS", 12)
    offer = installed().games["plunder"]
    check = game_check.Check(installed(), "plunder", lambda **_: None, quick=quick)
    check.evaluators = {}
    check.run()
    for count in few_counts(offer):
        game = offer.new_game(players=count, options={})
        turns[count] = len(list(random_play.turns(game, 1, 60)))
    expected = {count: count * turns[count] for count in turns}
    if quick:
        others = set(turns) - {offer.default_players}
        assert all(12 // count < turns[count] for count in others)
        expected |= {count: 12 // count * count for count in others}
    assert {count: len(found) for count, found in views.items()} == expected


def test_rules_that_share_walks_share_a_world_of_each_view() -> None:
    game = installed().games["plunder"].new_game(players=3, options={})
    steps = list(random_play.turns(game, 1, 12))
    drawn: list[State] = []
    world = type(game).world

    def counted(self: Any, view: Any, rng: Any) -> State:
        drawn.append(world(self, view, rng))
        return drawn[-1]

    alone = [random_play.world_at(game, step, seat) for step in steps for seat in range(3)]
    with shared_walks(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "world", counted)
        list(walk(game, 1, plies=12))
        for _ in range(2):
            found = [random_play.world_at(game, step, seat) for step in steps for seat in range(3)]
            assert found == alone
    assert len(drawn) == len(alone)
    assert len(set(alone)) > len(steps)


def test_looks_at_views_are_limited_in_hidden_games_only() -> None:
    games = [
        installed().games[name].new_game(players=4, options={}) for name in ("plunder", "scramble")
    ]
    for most, hidden in ((None, 50), (100, 25), (12, 3), (1, 1)):
        with shared_walks(most_views=most):
            assert [random_play.affordable(game, 50) for game in games] == [hidden, 50]
            assert len(random_play.viewed(games[0], 1, 60)) == min(
                hidden, len(list(random_play.turns(games[0], 1, 60)))
            )


def test_shared_walks_are_those_that_are_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    game = installed().games["plunder"].new_game(players=3, options={})
    expected = {plies: list(walk(game, 5, plies=plies)) for plies in (0, 4, 9, 10_000)}
    assert len(expected[10_000]) > 10
    played: list[Move] = []
    play = type(game).play

    def counted(self: Any, state: State, move: Move) -> State:
        played.append(move)
        return play(self, state, move)

    monkeypatch.setattr(type(game), "play", counted)
    with shared_walks():
        for plies in (4, 10_000, 0, 9, 4, 10_000):
            found = list(walk(game, 5, plies=plies))
            assert [attrs.evolve(step, history=[]) for step in found] == [
                attrs.evolve(step, history=[]) for step in expected[plies]
            ]
            assert [step.moves for step in found] == [step.moves for step in expected[plies]]
        assert len(played) == len(expected[10_000]) - 1
        list(walk(game, 6, plies=4))
        list(walk(game, 5, plies=4, start=game.new()))
        assert len(played) == len(expected[10_000]) - 1 + 8
    list(walk(game, 5, plies=4))
    assert len(played) == len(expected[10_000]) - 1 + 12


def test_whoever_shares_a_walk_meets_its_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    game = installed().games["scramble"].new_game(players=3, options={})

    def breaks(self: Any, state: State, move: Move) -> State:
        raise ZeroDivisionError("in play")

    monkeypatch.setattr(type(game), "play", breaks)
    with shared_walks():
        for _ in range(2):
            with pytest.raises(ZeroDivisionError, match="in play"):
                list(walk(game, 1, plies=3))


def test_rules_that_share_walks_share_what_evaluators_say(monkeypatch: pytest.MonkeyPatch) -> None:
    game = installed().games["scramble"].new_game(players=3, options={})
    offer = installed().evaluators["scramble"]["progress"]
    evaluator = offer.make(game, **offer.settle({}))
    asked: list[State] = []
    values = type(evaluator).values

    def counted(self: Any, state: State) -> Any:
        asked.append(state)
        return values(self, state)

    monkeypatch.setattr(type(evaluator), "values", counted)
    step = next(walk(game, 1, plies=3))
    with shared_walks():
        first, second = (values_at(evaluator, step) for _ in range(2))
    assert first.tolist() == second.tolist() == values(evaluator, step.state).tolist()
    assert len(asked) == 1
    values_at(evaluator, step)
    assert len(asked) == 2


class Lucky(Evaluator):
    """It is noisy, and notes what it is asked about."""

    bounds = Bounds()
    noisy = True

    def __init__(self) -> None:
        self.asked: list[State] = []

    def values(self, state: State) -> Any:
        self.asked.append(state)
        return np.zeros(3)


@pytest.mark.parametrize(
    ("effort", "repeats", "plies"),
    [
        ({"quick": True}, False, 8),
        ({"quick": True}, True, 2),
        ({}, False, 60),
        ({"thorough": True}, True, 60),
    ],
)
def test_a_quick_check_asks_a_noisy_evaluator_about_few_states(
    effort: dict[str, bool], repeats: bool, plies: int
) -> None:
    game = installed().games["scramble"].new_game(players=3, options={})
    check = game_check.Check(installed(), "scramble", lambda **_: None, **effort)
    assert check._plies_of(game, Lucky(), repeats=repeats) == plies


def test_a_smoke_test_asks_a_noisy_evaluator_in_every_eighth_state() -> None:
    game = installed().games["scramble"].new_game(players=3, options={})
    lucky = Lucky()
    smoke_test(game, 1, plies=40, evaluators=[("lucky", lucky)], branchings=[])
    states = [step.state for step in walk(game, 1, plies=40)]
    assert len(states) > 20
    assert lucky.asked == states[::8]


class Slow(Evaluator):
    """It takes processor time."""

    bounds = Bounds()

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def values(self, state: State) -> Any:
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return np.zeros(3)


@pytest.mark.parametrize(
    ("seconds", "effort", "plies"),
    [(0.0, {}, 60), (0.0, {"quick": True}, 30), (0.2, {}, 4), (0.2, {"thorough": True}, 60)],
)
def test_an_evaluator_that_takes_long_is_asked_about_fewer_states(
    seconds: float, effort: dict[str, bool], plies: int
) -> None:
    catalog = installed()
    game = catalog.games["scramble"].new_game(players=3, options={})
    check = game_check.Check(catalog, "scramble", lambda **_: None, **effort)
    assert check._plies_of(game, Slow(seconds)) == plies


def test_a_check_that_is_broken_off_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def start(*args: Any, **settings: Any) -> subprocess.Popen[str]:
        started.append(popen(*args, **settings))
        return started[-1]

    def tell(what: str) -> None:
        if what:
            raise KeyboardInterrupt

    monkeypatch.setattr("mpsearch.testing.check.subprocess.Popen", start)
    with pytest.raises(KeyboardInterrupt):
        check_catalog(installed(), quick=True, tell=tell)
    assert started
    assert all(child.poll() is not None for child in started)
