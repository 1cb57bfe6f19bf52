"""Tables at which nobody sits sleep on disk; how many are awake is limited."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.settings import setting
from web.conftest import House

from mpsearch.api import Table
from mpsearch.errors import MpsearchError
from mpsearch.match import LiveGame, read_record
from mpsearch.plugins.catalog import installed
from mpsearch.web.budget import BudgetedAgent
from mpsearch.web.person import Person
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.session import Session
from mpsearch.web.tables import FullError, Tables

PLUNDER = ("plunder", "human", "maxn:worlds=2", "random")


def until(fits: Any) -> None:
    waiting = threading.Event()
    for _ in range(3000):
        if fits():
            return
        waiting.wait(0.02)
    raise AssertionError("it never came to that")


class TestLeft:
    @pytest.fixture
    def limits(self) -> RateLimit:
        return RateLimit(rate=1e6, burst=10**6, sleep_seconds=0.2)

    def test_a_table_that_everybody_has_left_sleeps_and_goes_on_when_somebody_comes(
        self, house: House
    ) -> None:
        threads = threading.active_count()
        keys = house.set_table(*PLUNDER)
        with house.window(keys.seats[0]) as window:
            window.play(window.turn())
            before = window.turn()
        until(lambda: house.tables.awake == 0)
        assert threading.active_count() <= threads + 4  # of the client; none of the table
        assert house.client.get(f"/table/{keys.seats[0]}").status_code == 200
        assert house.tables.awake == 0
        with house.window(keys.seats[0]) as window:
            now = window.turn()
            assert (now["ply"], now["moves"]) == (before["ply"], before["moves"])
            assert [e["move"] for e in now["log"]][-1] == before["log"][-1]["move"]
            assert house.tables.awake == 1
            window.play(now)
            assert window.turn()["yours"]
        (record,) = house.tables.folder.glob("*.jsonl")
        assert [mark["mark"] for mark in read_record(record).marks] == ["resume"]

    def test_a_table_somebody_looks_at_stays_awake(self, house: House) -> None:
        keys = house.set_table(*PLUNDER)
        with house.window(keys.watch) as watcher:
            watcher.until("now")
            assert house.tables.put_to_sleep(0.0) == 0

    def test_a_record_that_was_sent_sleeps_too(self, house: House) -> None:
        head = '{"record": 1, "game": "plunder", "players": 3, "options": {}, "seed": 1, '
        head += '"agents": ["random", "random", "random"]}\n'
        path = house.client.post("/records", content=head).json()["watch"]
        until(lambda: house.tables.awake == 0)
        with house.window(path.removeprefix("/table/")) as window:
            assert window.until("now")["ply"] == 0

    def test_an_agent_that_thinks_for_nobody_is_broken_off(self, house: House) -> None:
        house.set_table("quoridor", "maxn:time=9", "human")
        until(lambda: house.tables.awake == 0)


def test_there_are_never_more_tables_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All ask at once, and somebody sits at every table."""
    monkeypatch.setattr(Session, "listeners", property(lambda self: 1))
    tables = Tables(installed(), tmp_path, limits=RateLimit(tables=4))
    start = threading.Barrier(24)

    def ask(number: int) -> bool:
        start.wait()
        try:
            tables.set_table(setting(*PLUNDER, seed=number))
        except FullError:
            return False
        return True

    with ThreadPoolExecutor(24) as pool:
        made = list(pool.map(ask, range(24)))
    assert sum(made) == 4
    tables.close()


def test_many_tables_are_made_and_left_in_the_room_of_a_few(tmp_path: Path) -> None:
    others = set(threading.enumerate())  # of tables of other tests, which end by themselves
    tables = Tables(installed(), tmp_path, limits=RateLimit(tables=4))
    keys = [tables.set_table(setting(*PLUNDER, seed=number)) for number in range(40)]
    assert tables.awake == 4
    threads = set(threading.enumerate()) - others
    assert sum(thread.name.startswith("table ") for thread in threads) <= 4
    for key in keys[::8]:
        place = tables.place(key.seats[0])
        assert place is not None
        assert place.seat == 0
        assert tables.awake <= 4
    tables.close()


def live(*kinds: type) -> int:
    """How many objects of these kinds there are."""
    gc.collect()
    return sum(type(found) in kinds for found in gc.get_objects())


def test_tables_that_were_left_leave_nothing_in_memory(tmp_path: Path) -> None:
    kinds = (Session, LiveGame, BudgetedAgent, Person, Table)
    before = live(*kinds)
    tables = Tables(installed(), tmp_path, limits=RateLimit(tables=4))
    for number in range(8):
        tables.set_table(setting(*PLUNDER, seed=number))
    few = live(*kinds) - before
    for number in range(8, 40):
        tables.set_table(setting(*PLUNDER, seed=number))
    assert live(*kinds) - before <= few
    assert tables.put_to_sleep(0.0) == 4
    assert live(*kinds) - before < few / 2
    tables.close()


def test_uploads_are_counted(tmp_path: Path) -> None:
    tables = Tables(installed(), tmp_path, limits=RateLimit(tables=3, uploads=5))
    head = b'{"record": 1, "game": "plunder", "players": 3, "options": {}, "seed": 1, '
    head += b'"agents": ["random", "random", "random"]}\n'
    keys = [tables.upload(head) for _ in range(8)]
    assert tables.awake <= 3
    assert [tables.known(key.watch) for key in keys] == [False] * 3 + [True] * 5
    assert tables.place(keys[3].watch) is not None
    tables.close()


def damaged(folder: Path) -> dict[str, Any]:
    """What may have happened to the files of a table, by name."""
    (record,) = folder.glob("*.jsonl")
    (seats,) = folder.glob("*.seats.json")
    text = record.read_text()

    def directory() -> None:
        record.unlink()
        record.mkdir()

    return {
        "no record": record.unlink,
        "nothing": lambda: record.write_text(""),
        "rubbish": lambda: record.write_bytes(b"\xff\x00" * 99),
        "another game": lambda: record.write_text(text.replace('"plunder"', '"gone"')),
        "another agent": lambda: record.write_text(text.replace("maxn", "gone")),
        "fewer people": lambda: record.write_text(text.replace('"human"', '"random"')),
        "a move": lambda: record.write_text(
            text.split("\n")[0] + '\n{"ply":0,"seat":0,"move":"x"}'
        ),
        "a directory": directory,
        "no seats": seats.unlink,
        "other seats": lambda: seats.write_text('{"seats": {"77": "a"}, "watch": "b"}'),
        "deep seats": lambda: seats.write_text("[" * 60_000),
    }


@pytest.mark.parametrize("kind", [
    "no record", "nothing", "rubbish", "another game", "another agent", "fewer people", "a move",
    "a directory", "no seats", "other seats", "deep seats",
])  # fmt: skip
def test_a_damaged_table_is_told_of_each_time_and_leaves_others_alone(
    house: House, kind: str
) -> None:
    keys = house.set_table(*PLUNDER)
    assert house.tables.put_to_sleep(0.0) == 1
    damaged(house.tables.folder)[kind]()
    for _ in range(2):
        with pytest.raises(MpsearchError, match="this table cannot be restored: ") as found:
            house.tables.place(keys.seats[0])
        assert str(house.tables.folder) not in str(found.value)
        assert house.client.get(f"/table/{keys.seats[0]}/record").status_code == 500
        with house.window(keys.seats[0]) as window:
            closed = window.socket.receive()
        assert closed["code"] == 1008
        assert closed["reason"].startswith("this table cannot be restored")
    other = house.set_table(*PLUNDER)
    with house.window(other.seats[0]) as window:
        assert window.turn()["yours"]
    Tables(installed(), house.tables.folder).close()


def test_a_record_of_three_thousand_undos_is_shown_in_short_messages(house: House) -> None:
    head = '{"record": 1, "game": "scramble", "players": 3, "options": {"length": 12}, "seed": 1, '
    head += '"agents": ["human", "random", "random"]}\n'
    move, undo = '{"ply": 0, "seat": 0, "move": "+1"}\n', '{"mark": "undo", "ply": 0, "seat": 0}\n'
    found = house.client.post("/records", content=head + (move + undo) * 3000 + move).json()
    with house.window(found["watch"].removeprefix("/table/")) as window:
        now = window.until("now")
        assert (now["ply"], now["marks"]) == (1, [{"mark": "undo", "ply": 0, "seat": 0}])
        for _ in range(20):
            window.send(type="look", ply=1)
            window.until("frame")
        assert max(map(len, window.texts)) < 10_000


def test_every_undo_of_two_hundred_is_told(house: House) -> None:
    keys = house.set_table("scramble", "human", "random", length=12)
    with house.window(keys.seats[0]) as window:
        now = window.turn()
        for _ in range(200):
            window.play(now)
            while not (now := window.until("now"))["undo"]:
                pass
            window.send(type="undo", ply=now["ply"])
            while (now := window.until("now"))["ply"] != 0:
                pass
        assert max(map(len, window.texts[5:])) < 2000
    (record,) = house.tables.folder.glob("*.jsonl")
    assert len(read_record(record).marks) == 200
