"""Games of agents that search one ply, played natively, beside those in which they are asked.

The referee, who lets the whole search decide every move, is the oracle.
"""

from __future__ import annotations

import functools
import gc
import json
from typing import Any

import numpy as np
import pytest
from support.hashtree import EVALUATORS, MOST_MOVES, HashTree, hash_evaluator
from support.hashtree import moves as list_moves

from mpsearch.agents import SearchAgent
from mpsearch.api.game_table import Table, set_table
from mpsearch.builtin.opponent_models.given import Selfish
from mpsearch.builtin.propagators import SOS, MaxN, Paranoid
from mpsearch.contracts import (
    Bounds,
    CompiledBranching,
    CompiledEvaluator,
    CompiledGame,
    Game,
    Limits,
    Player,
    Propagator,
    ScratchPolicy,
    SearchSpace,
    compiled,
)
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.match import Ply, play_match, referee
from mpsearch.match.native_play import NativePlay, native_play
from mpsearch.match.record.format import ply_entry
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import make_best_reply_search, make_tree_search
from mpsearch.search.tree import one_ply

pytestmark = [
    pytest.mark.skipif(not jit_enabled(), reason="native play needs the compiler"),
    pytest.mark.usefixtures("natively"),
]

#: Options with which games end soon.
SHORT: dict[str, dict[str, Any]] = {
    "hearts": {"single": True},
    "quoridor": {"plies": 60},
    "risk_lite": {"rounds": 6},
}
GREEDY = "greedy:worlds=1"


def table_of(name: str) -> Table:
    return set_table(load_catalog(), name, options=SHORT.get(name, {}))


#: Every installed game that can be played natively by who looks at one world.
GAMES = [
    name
    for name, offer in sorted(load_catalog().games.items())
    if isinstance(game := offer.new_game(), CompiledGame)
    and (not game.hidden or game.rules.world is not None)
    and table_of(name).searcher(GREEDY).space.compilable
]


def written(game: Game, plies: list[Ply]) -> list[str]:
    """The lines of a record."""
    return [json.dumps(ply_entry(game, ply)) for ply in plies]


def reports(plies: list[Ply]) -> list[Any]:
    return [None if ply.decision is None else ply.decision.report for ply in plies]


def played(
    monkeypatch: pytest.MonkeyPatch, game: Game, players: list[Player], seed: int
) -> tuple[list[Ply], list[Ply]]:
    """One game, natively and asked; the first seat was really played natively."""
    ran = []

    def watched(*arguments: Any) -> Any:
        ran.append(native_play(*arguments))
        return ran[-1]

    monkeypatch.setattr(referee, "native_play", watched)
    native = list(play_match(game, players, seed=seed))
    assert [found is not None and found.plays(0) for found in ran] == [True]
    monkeypatch.setattr(referee, "native_play", lambda *arguments: None)
    return native, list(play_match(game, players, seed=seed))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "texts",
    [
        (GREEDY,),
        (
            f"{GREEDY},ties=first,prune=no",
            "random",
            "paranoid:depth=1,worlds=1",
            "maxn:depth=2,worlds=2",
        ),
    ],
)
def test_greedy_plays_the_same_games_natively(
    name: str, texts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(name)
    players = [table.agent(texts[seat % len(texts)]) for seat in range(table.players)]
    for seed in range(3):
        native, asked = played(monkeypatch, table.game, players, seed)
        assert native == asked
        assert written(table.game, native) == written(table.game, asked)
        assert reports(native[:40]) == reports(asked[:40])
        assert len(native) > 10


def test_there_are_games_to_be_played_natively() -> None:
    assert {"scramble", "hearts", "quoridor", "risk_lite"} <= set(GAMES)


class DrawnTree(HashTree):
    """Chance that is not listed is drawn."""

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return super().draw(state, rng) if self.chance(state) else int(rng.integers(3))


def agent(game: HashTree, evaluator: dict[str, Any], **settings: Any) -> SearchAgent:
    usual: dict[str, Any] = {
        "space": SearchSpace(game=game, evaluator=hash_evaluator(game, **evaluator)),
        "propagator": MaxN(),
        "model": Selfish(),
        "limits": Limits(depth=1),
        "worlds": 1,
        "pool": "vote",
        "ties": "random",
        "prune": True,
        "threads": 1,
        "insights": (),
    }
    settings = {**usual, **settings}
    algorithm = settings.pop("search", make_tree_search)(settings["space"], {})
    return SearchAgent(**settings, algorithm=algorithm)


@pytest.mark.parametrize(
    ("box", "levels"), [(None, 8), ((0.0, False, False), 8), (None, 2)], ids=str
)
def test_random_trees_are_played_the_same_natively(
    box: tuple[float, bool, bool] | None, levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With listed chance, also one outcome behind the other, and with many ties.

    With two levels there is no room for chance: then the search itself is asked.
    """
    monkeypatch.setattr(one_ply, "_LEVELS", levels)
    propagators: list[Propagator] = [
        MaxN(),
        Paranoid(),
        SOS(matrix="1:-0.5:0/0.1:1:0.2/-1:-1:0.3"),
    ]
    declined, plies = [], 0
    whole = NativePlay.play

    def watched(self: NativePlay, state: Any, seat: int) -> Any:
        steps = whole(self, state, seat)
        declined.append(self.plays(seat) and not steps)
        return steps

    monkeypatch.setattr(NativePlay, "play", watched)
    for key in range(120):
        chances = (0, 6, 4)[key % 3]
        game = DrawnTree(key, players=3, ends=40, chances=chances, in_turn=key % 2 == 0)
        evaluator = {**list(EVALUATORS.values())[key % len(EVALUATORS)], "box": box}
        seats: list[Player] = [
            agent(
                game,
                evaluator,
                propagator=propagators[(key + seat) % 3],
                ties=("random", "first")[(key + seat) % 5 == 0],
                prune=(key + seat) % 4 != 0,
            )
            for seat in range(3)
        ]
        native, asked = played(monkeypatch, game, seats, key)
        assert native == asked, key
        assert reports(native) == reports(asked), key
        plies += len(native)
    assert plies > 1000
    assert any(declined) == (levels == 2)


@pytest.mark.parametrize(
    "settings",
    [
        {"limits": Limits(depth=2)},
        {"limits": Limits(nodes=5)},
        {"limits": Limits(depth=1, seconds=1.0)},
        {"exact": True},
        {"insights": (object(),)},
        {"search": functools.partial(make_best_reply_search, others="ordered")},
        {"propagator": SOS(matrix="")},
        {"propagator": SOS(matrix="1:0:0/0:0:0/0:0:1")},  # seat 1 cares about nobody
    ],
)
def test_who_needs_the_whole_search_is_asked(settings: dict[str, Any]) -> None:
    game = HashTree(1, players=3)
    assert isinstance(agent(game, {}).policy, ScratchPolicy)
    assert agent(game, {}, **settings).policy is None


@pytest.mark.parametrize("more", ["worlds=2", "worlds=1,model=recent"])
def test_who_draws_several_worlds_or_learns_is_asked_in_hidden_games(more: str) -> None:
    assert isinstance(table_of("hearts").searcher(GREEDY).policy, ScratchPolicy)
    assert table_of("hearts").searcher(f"greedy:{more}").policy is None


@compiled
def one_too_many(s: Any, parameters: Any, out: Any) -> None:
    for k in range(s.players + 1):
        out[k] = 1.0


def test_an_evaluator_that_writes_too_much_is_noticed_in_native_play() -> None:
    game = HashTree(1, players=3)
    wrong = CompiledEvaluator(game, one_too_many, bounds=Bounds())
    seats: list[Player] = [agent(game, {}, space=SearchSpace(game=game, evaluator=wrong))] * 3
    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    native = native_play(game, seats, rngs, chance)
    assert native is not None
    state = game.new()
    with pytest.raises(ContractError, match="one_too_many wrote beyond the end of 'value'"):
        native.play(state, game.mover(state))


@compiled
def one_move_beyond(s: Any, parameters: Any, out: Any) -> int:
    out[MOST_MOVES] = 7
    return int(list_moves(s, out))


def test_a_branching_that_writes_too_much_is_noticed_in_native_play() -> None:
    game = HashTree(1, players=3)
    branching = CompiledBranching(game, one_move_beyond, parameters=[0.0])
    space = SearchSpace(game=game, evaluator=hash_evaluator(game), branching=branching)
    seats: list[Player] = [agent(game, {}, space=space)] * 3
    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    native = native_play(game, seats, rngs, chance)
    assert native is not None
    with pytest.raises(ContractError, match="one_move_beyond wrote beyond the end"):
        native.play(game.new(), game.mover(game.new()))


def test_scratches_of_one_search_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluators of one function, with more and with fewer parameters."""
    game = HashTree(7, players=3, ends=40)
    seats: list[Player] = [
        agent(game, {}),
        agent(game, {"levels": 3, "box": (0.0, False, False)}),
        agent(game, {"levels": 9}),
    ]
    assert len({id(seat.policy.choose) for seat in seats}) == 1  # type: ignore[union-attr]
    native, asked = played(monkeypatch, game, seats, 5)
    assert native == asked


@compiled
def first_moves(s: Any, parameters: Any, out: Any) -> int:
    count = list_moves(s, out)
    return min(count, int(parameters[0]))


@compiled
def wrong_count(s: Any, parameters: Any, out: Any) -> int:
    list_moves(s, out)
    return int(parameters[0])


class ByRoot(CompiledBranching):
    """Seat 0 looks at one move, seat 1 at two and seat 2 at three."""

    def for_root(self, root: int) -> CompiledBranching:
        return CompiledBranching(self.game, first_moves, parameters=[1.0 + root])


def test_one_agent_in_all_seats_searches_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """With that seat's stance and branching, in one game after the other."""
    game = HashTree(11, players=3, ends=40)
    branching = ByRoot(game, first_moves, parameters=[9.0])
    space = SearchSpace(game=game, evaluator=hash_evaluator(game), branching=branching)
    seats: list[Player] = [agent(game, {}, space=space, propagator=Paranoid())] * 3
    for seed in range(6):
        native, asked = played(monkeypatch, game, seats, seed)
        assert native == asked
        assert reports(native) == reports(asked)


def test_a_memory_is_used_again_by_the_seat_that_it_was_made_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the next game: each seat has a stance and a branching of its own."""
    made: list[Any] = []

    class Counted(one_ply._Memory):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(arguments)

    monkeypatch.setattr(one_ply, "_Memory", Counted)
    game = HashTree(11, players=3, ends=40)
    branching = ByRoot(game, first_moves, parameters=[9.0])
    space = SearchSpace(game=game, evaluator=hash_evaluator(game), branching=branching)
    seats: list[Player] = [agent(game, {}, space=space, propagator=Paranoid())] * 3
    native = []
    for seed in range(6):
        native.append(list(play_match(game, seats, seed=seed)))
        gc.collect()
    assert len(made) == 3
    monkeypatch.setattr(referee, "native_play", lambda *arguments: None)
    assert native == [list(play_match(game, seats, seed=seed)) for seed in range(6)]


@pytest.mark.parametrize("count", [0, -3, 6])
def test_a_branching_whose_count_cannot_be_is_an_error_in_native_play(count: int) -> None:
    game = HashTree(1, players=3)
    branching = CompiledBranching(game, wrong_count, parameters=[count])
    space = SearchSpace(game=game, evaluator=hash_evaluator(game), branching=branching)
    seats: list[Player] = [agent(game, {}, space=space)] * 3
    chance, *rngs = (np.random.default_rng(k) for k in range(4))
    native = native_play(game, seats, rngs, chance)
    assert native is not None
    assert native.play(game.new(), game.mover(game.new())) == []
    with pytest.raises(ContractError, match=f"{count} moves were listed"):
        list(play_match(game, seats, seed=1))


def test_ties_are_there_to_be_broken() -> None:
    """Else the games above would say nothing about the order in which moves tie."""
    game = HashTree(3, players=3, ends=40)
    seats = [agent(game, {"levels": 2}) for _ in range(3)]
    games = {tuple(ply.move for ply in play_match(game, seats, seed=seed)) for seed in range(20)}
    assert len(games) > 10
    assert np.ptp([len(moves) for moves in games]) > 0
