"""Processor time: what agents may be given, and who waits for whom."""

import asyncio
import functools
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support.settings import setting
from web.conftest import House

from mpsearch.match import read_record
from mpsearch.plugins.catalog import installed
from mpsearch.search import AbortedError, Interrupt
from mpsearch.search.deadline import current_interrupt
from mpsearch.web import budget
from mpsearch.web.background import Background, SpentError
from mpsearch.web.budget import Engines
from mpsearch.web.hints import hint_message
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.scheduler import Scheduler, Usage
from mpsearch.web.tables import Tables

PATIENCE = 60


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("maxn:time=11", "time=11 is more than this server allows: 10 at most"),
        ("maxn:depth=9", "depth=9 is more than this server allows: 8 at most"),
        ("paranoid:nodes=2000001", "nodes=2000001 is more than this server allows: 2000000"),
        ("mpmix:td=9,worlds=201", "worlds=201 is more than this server allows: 200 at most"),
        ("sos:depth=2,threads=2", "threads=2 is more than this server allows: 1 at most"),
    ],
)
def test_an_agent_from_a_browser_is_given_no_more_than_the_server_allows(
    house: House, text: str, most: str
) -> None:
    wish = {"game": "plunder", "agents": ["human", "random", text]}
    answer = house.client.post("/tables", json=wish)
    assert answer.status_code == 400
    assert f"agent '{text}': {most}" in answer.json()["error"]
    # The command on this machine may.
    house.tables.set_table(setting("plunder", "human", "random", text))


class TestHurried:
    @pytest.fixture
    def limits(self) -> RateLimit:
        return RateLimit(rate=1e6, burst=10**6, agent_seconds=0.3)

    def test_an_agent_that_takes_too_long_is_hurried_and_it_is_recorded(self, house: House) -> None:
        keys = house.set_table("quoridor", "human", "maxn:depth=40", "maxn:depth=40", "random")
        with house.window(keys.seats[0]) as window:
            window.play(window.turn())
            assert window.turn()["yours"]
        (path,) = house.tables.folder.glob("*.jsonl")
        hurried = [mark["seat"] for mark in read_record(path).marks if mark["mark"] == "hurry"]
        assert hurried == [1, 2]


def test_a_hint_does_not_wait_behind_agents(tmp_path: Path, house: House) -> None:
    """Eight tables think, each for as long as it may; the hint is there before any has moved."""
    thinking = [house.set_table("quoridor", "maxn:time=10", "human") for _ in range(8)]
    keys = house.set_table("scramble", "human", "random", "random")
    with house.window(keys.seats[0]) as window:
        window.turn()
        window.send(type="hint")
        assert window.until("hint")["advice"]
    moved = [house.tables.place(key.watch) for key in thinking]
    # The threads of agents are fewer than the tables: most have not even begun.
    assert sum(bool(place and place.session.live.plies) for place in moved) < 8


def test_quick_agents_do_not_wait_behind_slow_ones(house: House) -> None:
    """Whoever thinks long never comes to an end here."""
    go = threading.Event()
    engines = house.tables._engines
    for number in range(engines.limits.agent_workers + 8):
        name = f"slow {number}"
        engines.agents.submit(lambda: go.wait(PATIENCE), client="others", table=name)
    keys = house.set_table("scramble", "human", "random", "maxn:depth=2")
    with house.window(keys.seats[0]) as window:
        now = window.turn()
        for _ in range(3):
            window.play(now)
            now = window.turn()
        assert now["ply"] >= 9
    assert not go.is_set()
    go.set()


def test_an_agent_is_not_slow_because_the_processor_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock every search takes too long at first, and none has used the processor."""
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)
    monkeypatch.setattr(budget, "_PATIENCE", 1e7)
    tables = Tables(installed(), tmp_path, limits=RateLimit(quick_seconds=1e-5))
    go = threading.Event()
    for number in range(tables.limits.agent_workers):
        tables._engines.agents.submit(lambda: go.wait(PATIENCE), client="", table=f"{number}")
    keys = tables.set_table(setting("scramble", *["maxn:depth=3"] * 3, length=6))
    place = tables.place(keys.watch)
    assert place is not None
    place.session.join()
    assert place.session.live.over
    assert not go.is_set()
    go.set()
    tables.close()


def test_an_agent_that_takes_its_time_is_not_tried_among_the_quick_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables(installed(), tmp_path, limits=RateLimit(quick_seconds=0.01))
    tried: list[str] = []
    submit = tables._engines.quick.submit

    def noted(work: Any, *, table: str, **settings: Any) -> Any:
        tried.append(table)
        return submit(work, table=table, **settings)

    monkeypatch.setattr(tables._engines.quick, "submit", noted)
    for agent in ("maxn:time=0.02", "maxn:depth=1"):
        keys = tables.set_table(setting("scramble", *[agent] * 3, length=6))
        place = tables.place(keys.watch)
        assert place is not None
        place.session.join()
        assert bool(tried) == (agent == "maxn:depth=1")
    tables.close()


def test_a_search_is_expected_to_take_as_long_as_its_limit_or_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a search of a moment would wait for those of all tables that have not begun."""
    tables = Tables(installed(), tmp_path, limits=RateLimit(quick_seconds=0.0))
    expected: list[float] = []
    submit = tables._engines.agents.submit

    def noted(work: Any, *, seconds: float, **settings: Any) -> Any:
        expected.append(seconds)
        return submit(work, seconds=seconds, **settings)

    monkeypatch.setattr(tables._engines.agents, "submit", noted)
    for agent in ("maxn:time=0.3", "maxn:depth=2"):
        keys = tables.set_table(setting("scramble", agent, "random", length=5))
        place = tables.place(keys.watch)
        assert place is not None
        place.session.join()
        if agent == "maxn:time=0.3":
            assert expected[0] == 0.3
            expected.clear()
    # It was tried among the quick ones first, and stopped there.
    assert expected
    assert all(seconds > 0 for seconds in expected)
    tables.close()


def test_a_search_that_was_begun_again_finds_the_same(tmp_path: Path) -> None:
    agents = ("maxn:depth=2,worlds=3", "sos:depth=2,worlds=2", "random")
    games = []
    for seconds in (0.0, 3600.0):
        folder = tmp_path / f"{seconds}"
        tables = Tables(installed(), folder, limits=RateLimit(quick_seconds=seconds))
        keys = tables.set_table(setting("plunder", *agents, seed=5))
        place = tables.place(keys.watch)
        assert place is not None
        place.session.join()
        (path,) = folder.glob("*.jsonl")
        games.append(read_record(path))
        tables.close()
    assert games[0].plies == games[1].plies
    assert games[0].marks == games[1].marks == ()
    assert len(games[0].plies) > 10


def test_an_adviser_that_takes_too_long_looks_one_ply_ahead(tmp_path: Path) -> None:
    tables = Tables(installed(), tmp_path, limits=RateLimit(hint_seconds=0.0))
    keys = tables.set_table(setting("quoridor", "human", "random", "random", "random"))
    place = tables.place(keys.seats[0])
    assert place is not None
    advice = hint_message(place.session, 0)["advice"]
    assert advice
    assert all("depth=1" in found["agent"] for found in advice)
    tables.close()


class TestScheduler:
    def test_who_has_used_less_comes_first(self) -> None:
        scheduler = Scheduler(1, "test")
        order: list[str] = []
        go = threading.Event()

        def job(name: str) -> Any:
            return lambda: order.append(name)

        first = scheduler.submit(lambda: go.wait(PATIENCE), client="busy", table="a")
        later = [
            scheduler.submit(job(f"busy {number}"), client="busy", table="a") for number in range(5)
        ]
        later.append(scheduler.submit(job("quiet table"), client="busy", table="b"))
        later.append(scheduler.submit(job("other"), client="other", table="c"))
        go.set()
        for future in (first, *later):
            future.result(PATIENCE)
        assert order[0] == "other"
        assert order[1] == "quiet table"
        assert order[2:] == [f"busy {number}" for number in range(5)]
        scheduler.close()

    def test_a_search_of_a_moment_does_not_wait_for_fifty_long_ones(self) -> None:
        """Its table has used time before, and the fifty none."""
        scheduler = Scheduler(1, "test")
        order: list[str] = []
        go = threading.Event()
        first = scheduler.submit(lambda: go.wait(PATIENCE), client="all", table="moment")
        long = [
            scheduler.submit(
                lambda: order.append("long"), client="all", table=f"{number}", seconds=3600
            )
            for number in range(50)
        ]
        moment = scheduler.submit(
            lambda: order.append("moment"), client="all", table="moment", seconds=0.3
        )
        threading.Event().wait(0.05)  # is used
        go.set()
        for future in (first, *long, moment):
            future.result(PATIENCE)
        assert order == ["moment", *["long"] * 50]
        scheduler.close()

    def test_no_more_work_goes_on_at_once_than_there_are_workers(self) -> None:
        scheduler = Scheduler(2, "test")
        lock, running, most = threading.Lock(), 0, 0

        def work() -> None:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            threading.Event().wait(0.01)
            with lock:
                running -= 1

        futures = [scheduler.submit(work, client=f"{k}", table=f"{k}") for k in range(20)]
        for future in futures:
            future.result(PATIENCE)
        assert most == 2
        scheduler.close()

    def test_what_was_raised_comes_to_who_waits_and_the_worker_goes_on(self) -> None:
        scheduler = Scheduler(1, "test")
        with pytest.raises(ZeroDivisionError):
            scheduler.submit(lambda: 1 // 0, client="", table="").result(PATIENCE)
        assert scheduler.submit(lambda: 7, client="", table="").result(PATIENCE) == 7
        scheduler.close()
        assert scheduler.submit(lambda: 7, client="", table="").cancelled()

    def test_what_was_used_is_forgotten_by_and_by(self) -> None:
        usage = Usage()
        usage.add("a", 8.0, now=0.0)
        assert (usage.of("a", 0.0), usage.of("a", 60.0), usage.of("b", 0.0)) == (8.0, 4.0, 0.0)


def test_background_work_waits_for_games_and_gives_way_to_them() -> None:
    scheduler = Scheduler(1, "test")
    order: list[str] = []
    busy, told, free = threading.Event(), threading.Event(), threading.Event()

    def analyse() -> None:
        busy.set()
        told.wait()  # until somebody else wants the thread
        order.append("gave way")

    def game(name: str) -> None:
        order.append(name)

    first = scheduler.submit(analyse, client="a", table="1", give_way=told.set)
    busy.wait()
    # Other background work is no reason to give way.
    later = scheduler.submit(
        lambda: order.append("later"), client="z", table="9", give_way=free.set
    )
    assert not told.is_set()
    waiting = [
        scheduler.submit(functools.partial(game, name), client="a", table="2") for name in "xy"
    ]
    for future in (first, later, *waiting):
        future.result(timeout=60)
    assert order == ["gave way", "x", "y", "later"]
    assert not free.is_set()
    scheduler.close()


def test_an_analysis_that_gave_way_begins_again_and_is_paid_for() -> None:
    engines = Engines.of(RateLimit(agent_workers=1))
    background = Background(engines, client="a", table="1")
    tries: list[Interrupt] = []
    began = threading.Event()

    def work() -> str:
        interrupt = current_interrupt()
        assert interrupt is not None
        tries.append(interrupt)
        began.set()
        while len(tries) == 1 and not interrupt.stopped:
            time.sleep(0.001)
        if interrupt.stopped:
            raise AbortedError
        return "found"

    async def analysed() -> str:
        task = asyncio.create_task(background.run(work, seconds=1000))
        await asyncio.to_thread(began.wait)
        await asyncio.wrap_future(engines.agents.submit(lambda: None, client="b", table="2"))
        return await task

    assert asyncio.run(analysed()) == "found"
    assert len(tries) == 2
    now = time.monotonic()
    assert engines.analyses.of("a", now) > 0
    assert engines.analyses.of("b", now) == 0
    engines.analyses.add("a", 1000, now)
    with pytest.raises(SpentError, match="used up"):
        asyncio.run(background.run(work, seconds=1))
    engines.close()
