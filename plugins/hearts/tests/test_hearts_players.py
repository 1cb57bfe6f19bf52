"""Players at the table: wrt, the core's own, branchings, and records that survive a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_hearts.game import Hearts

import mpsearch
from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.contracts import Limits, SearchSpace, Stance, State, Turn
from mpsearch.jit import jit_enabled
from mpsearch.match import play_match, read_record, replay
from mpsearch.search import search

if TYPE_CHECKING:
    from .conftest import Make, Slow


def choices(game: Hearts, state: State, agent: str, count: int = 30) -> set[str]:
    player = make_agent(load_catalog(), "hearts", game, agent)
    seat = game.mover(state)
    turn = Turn(seat=seat, view=game.view(state, seat), moves=tuple(game.moves(state)))
    found = set()
    for seed in range(count):
        rng = np.random.default_rng(seed)
        found.add(game.write(player.choose(turn, player.start(seat, rng), rng).move))
    return found


def test_wrt_follows_with_its_lowest_card(make: Make, slow: type[Slow]) -> None:
    game = make()
    state = slow.dealt(game, slow.fill("2c", "5c 9c kc"), "2c")
    clubs = [card for card in slow.DECK if card in slow.legal(game, state)]
    assert choices(game, state, "wrt") == {clubs[0]}


def test_wrt_leads_its_lowest_card_of_any_suit(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c", "3c", "4c", "ac 2d 2s 3h kh")
    state = slow.dealt(game, hands, "2c", "3c", "4c", "ac")
    assert choices(game, state, "wrt") == {"2d", "2s"}


def test_wrt_throws_off_its_highest_card_when_void(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c", "as ah 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd")
    assert choices(game, slow.dealt(game, hands, "2c"), "wrt") == {"as", "ah"}


def test_wrt_passes_its_highest_cards(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")
    hands = slow.fill("as kh 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd")
    assert choices(game, slow.dealt(game, hands), "wrt") == {"as"}
    assert choices(game, slow.dealt(game, hands, "as"), "wrt") == {"kh"}


@pytest.mark.parametrize("preset", ["papers", "standard"])
def test_all_players_of_the_core_play_a_tournament(make: Make, preset: str) -> None:
    game = make(preset=preset, limit=20)
    small = "depth=2,worlds=3"
    fields = (
        (f"maxn:{small}", f"paranoid:{small}", "wrt", "random"),
        (f"mpmix:td=5,to=5,{small}", f"sos:{small}", f"offensive:{small}", "greedy:worlds=3"),
    )
    for field in fields:
        players = [make_agent(load_catalog(), "hearts", game, text) for text in field]
        *_, last = play_match(game, players, seed=1)
        assert max(-game.payoff(last.state)) >= 20


def test_search_sees_that_the_queen_must_go(make: Make, slow: type[Slow]) -> None:
    """Void in clubs, with the queen of spades: every stance for itself throws it off."""
    game = make()
    hands = slow.fill("2c", "qs 2d 3d 4d 5d 6d 7d 8d 9d 10d 2h 3h 4h")
    state = slow.dealt(game, hands, "2c")
    worlds, count = (10, 2) if jit_enabled() else (2, 1)  # plain Python takes minutes for them
    for agent in (f"maxn:depth=4,worlds={worlds}", f"paranoid:depth=4,worlds={worlds}"):
        assert choices(game, state, agent, count=count) == {"qs"}


# Branchings.


def branch(game: Hearts, name: str, state: State) -> set[str]:
    offers = {offer.name: offer for offer in load_catalog().game_offer("hearts").branchings}
    return {game.write(move) for move in offers[name].make(game).moves(state)}


def test_once_lists_every_set_of_passed_cards_in_one_order(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")

    def sets(state: State, left: int) -> list[frozenset[str]]:
        if left == 0:
            return [frozenset(slow.cards_of(game, game.record(state).passed[0]))]
        found = []
        for card in branch(game, "once", state):
            found += sets(game.play(state, game.read(card)), left - 1)
        return found

    listed = sets(slow.dealt(game, slow.fill()), 3)
    assert len(listed) == len(set(listed)) == 286


def test_once_lists_all_cards_after_an_order_of_ones_own(make: Make, slow: type[Slow]) -> None:
    game = make(passing="left")
    hands = slow.fill("ah")
    state = slow.dealt(game, hands, "ah")
    assert branch(game, "once", state) == hands[0] - {"ah"}


def test_distinct_keeps_one_of_touching_cards(make: Make, slow: type[Slow]) -> None:
    game = make()
    hands = slow.fill("2c 5d", "3c 2d 3d 4d 6d 8d js qs ks 5h 6h 8h 9h", "4c 7h", "ac 7d")
    state = slow.dealt(game, hands, "2c")
    assert branch(game, "distinct", state) == {"3c"}
    s = game.record(state)
    s.count, s.mover = 8, 1
    expected = {"3c", "2d", "6d", "8d", "js", "qs", "ks", "5h", "8h"}
    assert branch(game, "distinct", s.tobytes()) == expected


def test_distinct_keeps_a_card_on_both_sides_of_the_best_on_the_table(
    make: Make, slow: type[Slow]
) -> None:
    game = make()
    hands = slow.fill("2c 10c", "4c 6c 2d", "5c 3d", "ac 3c")
    s = game.record(slow.dealt(game, hands))
    s.hands[:] = slow.to_deal(game, [{"10c"}, {"4c", "6c"}, {"2d"}, {"3d"}])
    (s.pile,) = slow.to_deal(game, [{"5c"}])
    s.best = game.read("5c")
    s.count, s.mover, s.winner = 41, 1, 0
    assert branch(game, "distinct", s.tobytes()) == {"4c", "6c"}


def test_distinct_cards_suffice_to_the_end_of_a_deal(make: Make, slow: type[Slow]) -> None:
    """Touching cards of one price take the same tricks: points are the same in the end."""
    game = make()
    offers = {offer.name: offer for offer in load_catalog().game_offer("hearts").branchings}
    points = load_catalog().evaluator_offer("hearts", "points").make(game)
    stance = Stance(
        matrix=np.array([[1.0, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0]]), label="p"
    )
    # As plain Python the trees of shorter ends are large enough.
    for seed in range(12 if jit_enabled() else 4):
        state, _ = slow.random_deal(game, seed, until=36 if jit_enabled() else 40)
        found = []
        for branching in (None, offers["distinct"].make(game)):
            space = SearchSpace(game=game, evaluator=points, branching=branching)
            report = search(space, [state], stance, Limits(depth=60))
            found.append((report.value[0], report.nodes))
        assert found[0][0] == found[1][0]
        assert found[1][1] <= found[0][1]


# From Python.


@pytest.mark.parametrize("single", [True, "yes", "true"])
def test_a_single_deal_is_asked_for_in_any_way(single: str | bool) -> None:
    assert mpsearch.table("hearts", single=single).options["single"] == "yes"


# A killed process.

TOURNAMENT = """
import sys
import mpsearch
from mpsearch.match import RecordWriter
from mpsearch.match.record.format import ply_entry
table = mpsearch.table("hearts", preset="standard", limit=10000)
setting = table.setting("wrt", "random", seed=5)
with RecordWriter(sys.argv[1], setting) as writer:
    for ply in table.plies(setting):
        writer.write(ply_entry(table.game, ply))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_the_record_of_a_killed_tournament_can_be_replayed(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "tournament.jsonl"
    process = subprocess.Popen([sys.executable, "-c", TOURNAMENT, str(path)])
    try:
        while not path.exists() or path.stat().st_size < 40_000:
            assert process.poll() is None, "the tournament ended before it could be killed"
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    record = read_record(path)
    assert record.payoff is None
    game = make(preset="standard", limit=10000)
    states = list(replay(game, record))
    assert len(states) == len(record.plies) + 1 > 200
    assert game.record(states[-1]).deals > 0
