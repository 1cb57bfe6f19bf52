"""Seeds of played games: nobody can compute them, and nobody is told before the end."""

import time
from typing import Any

import numpy as np
import pytest
from web.conftest import House

from mpsearch.contracts import CHANCE
from mpsearch.match import generators, read_record

HEARTS = {"game": "hearts", "agents": ["human", "random", "random", "random"]}


def seed_of(house: House, found: dict[str, Any]) -> int:
    place = house.tables.place(found["watch"].removeprefix("/table/"))
    assert place is not None
    return place.session.live.setting.seed


def test_a_seat_that_knows_its_cards_and_the_clock_cannot_compute_the_deal(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack that found all four hands: try every time at which the table may have been set."""
    now = time.time_ns()
    clock = iter(range(now, now + 10**9))
    monkeypatch.setattr(time, "time_ns", lambda: next(clock))
    before = time.time_ns()
    found = house.client.post("/tables", json=HEARTS).json()
    after = time.time_ns()
    place = house.tables.place(found["seats"]["0"].removeprefix("/table/"))
    assert place is not None
    live = place.session.live
    with house.window(found["seats"]["0"].removeprefix("/table/")) as window:
        window.until("now", yours=True)
    assert live.plies[0].seat == CHANCE
    mine = live.game.view(live.plies[0].state, 0)
    candidates = [candidate % 2**32 for candidate in range(before, after + 1000)]
    fitting = []
    for candidate in candidates:
        chance = generators(candidate, 4)[0]
        deal = live.game.play(live.first, live.game.draw(live.first, chance))
        if live.game.view(deal, 0) == mine:
            fitting.append(candidate)
    assert fitting == []


def test_seeds_have_128_bits_of_which_every_one_is_drawn(house: House) -> None:
    wish = {"game": "plunder", "agents": ["human", "random", "random"]}
    seeds = []
    for _ in range(64):
        seeds.append(seed_of(house, house.client.post("/tables", json=wish).json()))
    bits = np.array([[seed >> k & 1 for k in range(128)] for seed in seeds])
    # Each bit is a fair coin: among 64 tosses all equal has a chance of 2**-63.
    assert bits.sum(axis=0).min() > 0
    assert bits.sum(axis=0).max() < 64
    assert len(set(seeds)) == 64


def test_where_more_than_one_person_sits_nobody_chooses_the_seed(house: House) -> None:
    wish = {"game": "plunder", "agents": ["human", "human", "random"], "seed": "5"}
    answer = house.client.post("/tables", json=wish)
    refused = {"error": "a seed is not allowed with more than one person at the table"}
    assert (answer.status_code, answer.json()) == (400, refused)
    alone = {**wish, "agents": ["human", "random", "random"], "seed": str(2**127)}
    assert seed_of(house, house.client.post("/tables", json=alone).json()) == 2**127


def test_nobody_is_told_the_seed_before_the_end(house: House) -> None:
    wish = {"game": "plunder", "agents": ["human", "random", "random"], "options": {"cards": "4"}}
    found = house.client.post("/tables", json=wish).json()
    seed = seed_of(house, found)
    seat, watch = (path.removeprefix("/table/") for path in (found["seats"]["0"], found["watch"]))
    with house.window(seat) as window, house.window(watch) as watcher:
        while not (now := window.turn())["over"]:
            for token in (seat, watch):
                assert house.client.get(f"/table/{token}/record").status_code == 403
            window.send(type="look", ply=now["ply"])
            window.until("frame")
            window.play(now)
        watcher.until("now", over=True)
        assert not any(str(seed) in text for text in (*window.texts, *watcher.texts))
    answer = house.client.get(f"/table/{seat}/record")
    assert str(seed) in answer.text
    (kept,) = house.tables.folder.glob("*.jsonl")
    assert read_record(kept).setting.seed == seed


def test_the_record_of_a_game_among_agents_is_not_told_while_it_goes_on(house: House) -> None:
    keys = house.set_table("quoridor", "maxn:time=5", "maxn:time=5")
    answer = house.client.get(f"/table/{keys.watch}/record")
    assert (answer.status_code, answer.text) == (403, "the record is available after the game")
