"""People who leave: an agent plays on, nothing hidden is told before the end; reviews."""

import json
from pathlib import Path

import pytest
from support.settings import setting
from web.conftest import House

from mpsearch.match import read_record, standing_marks
from mpsearch.plugins.catalog import installed
from mpsearch.web.keys import Keys
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.tables import Tables


@pytest.mark.parametrize(("resign", "mark"), [(True, "resign"), (False, "takeover")])
def test_an_agent_plays_on_for_who_has_left(house: House, resign: bool, mark: str) -> None:
    keys = house.set_table("scramble", "human", "greedy", "random", length=6)
    with house.window(keys.seats[0]) as window:
        window.turn()
        window.send(type="leave", resign=resign)
        over = window.until("now", over=True)
        window.send(type="leave", resign=resign)
        assert window.until("sorry")["text"] == "the game is over"
    assert over["left"] == [0]
    assert not over["yours"]
    place = house.tables.place(keys.watch)
    assert place is not None
    place.session.join()
    record = read_record(next(house.tables.folder.glob("*.jsonl")))
    assert record.payoff is not None
    assert (mark, 0) in [(m["mark"], m["seat"]) for m in standing_marks(record.lines)]


def test_a_seat_that_was_left_is_told_nothing_more_before_the_end(house: House) -> None:
    keys = house.set_table("plunder", "human", "human", "maxn:depth=1,worlds=2")
    with house.window(keys.seats[0]) as window, house.window(keys.seats[1]) as other:
        window.turn()
        window.send(type="leave", resign=True)
        now = other.turn()
        latest = window.at(now["ply"])
        assert not latest["open"]
        assert not latest["record"]
        assert all("value" not in entry for entry in latest["log"])
        window.send(type="why", ply=0)
        assert "after the game" in window.until("sorry")["text"]
        window.send(type="play", ply=latest["ply"], move="any")
        assert window.until("sorry")["text"] == "it is not your turn"
        window.send(type="leave", resign=False)
        assert window.until("sorry")["text"] == "an agent already plays for you"
    answer = house.client.get(f"/table/{keys.seats[0]}/review")
    assert (answer.status_code, answer.json()["error"]) == (
        403,
        "a game can be reviewed after it is over",
    )


def test_who_watches_leaves_no_seat(house: House) -> None:
    keys = house.set_table("scramble", "human", "greedy", length=6)
    with house.window(keys.watch) as watcher:
        watcher.send(type="leave", resign=True)
        assert watcher.until("sorry")["text"] == "you are only watching"
        watcher.send(type="leave", resign="yes")
        assert "not true or false" in watcher.until("sorry")["text"]


def test_a_table_that_woke_up_remembers_who_has_left(tmp_path: Path) -> None:
    tables = Tables(installed(), tmp_path, limits=RateLimit())
    keys: Keys = tables.set_table(setting("scramble", "human", "human", "greedy", length=6))
    place = tables.place(keys.seats[0])
    assert place is not None
    place.session.leave(0, resign=False)
    tables.put_to_sleep(0)
    tables.close()
    again = Tables(installed(), tmp_path, limits=RateLimit())
    woken = again.place(keys.seats[0])
    assert woken is not None
    assert woken.session.left == {0}
    again.close()


def test_a_rematch_is_one_table_with_a_seat_for_each_of_them(house: House) -> None:
    keys = house.set_table("scramble", "human", "human", "greedy", length=6)
    path = f"/table/{keys.seats[0]}/rematch"
    early = house.client.post(path)
    assert (early.status_code, early.json()["error"]) == (
        400,
        "a rematch is possible after the game",
    )
    with house.window(keys.seats[0]) as window, house.window(keys.seats[1]) as other:
        window.send(type="leave", resign=False)
        other.send(type="leave", resign=False)
        window.until("now", over=True)
        other.until("now", over=True)
    tokens = [*keys.seats.values(), keys.watch]
    found = [house.client.post(f"/table/{token}/rematch").json()["table"] for token in tokens]
    assert len({*found}) == 3
    assert house.client.post(path).json()["table"] == found[0]
    first, second = (house.tables.place(path.rsplit("/", 1)[1]) for path in found[:2])
    assert first is not None
    assert second is not None
    assert (first.session, first.seat, second.seat) == (second.session, 0, 1)
    before, after = keys, first.session.live.setting
    assert after.agents == ("human", "human", "greedy")
    assert house.tables.place(before.watch).session.live.setting.seed != after.seed  # type: ignore[union-attr]
    assert house.client.post("/table/nonsense/rematch").status_code == 404


def test_a_finished_game_is_reviewed_for_whoever_has_its_address(house: House) -> None:
    keys = house.set_table("plunder", "mpmix:td=0,to=0,depth=1,worlds=2", "random", "random")
    with house.window(keys.watch) as watcher:
        watcher.until("now", over=True)
    found = house.client.get(f"/table/{keys.watch}/review")
    assert found.status_code == 200
    document = found.json()
    assert document["svg"].startswith("<svg ")
    assert [table["title"] for table in document["tables"]] == ["Seats", "Every decision"]
    again = house.client.get(f"/table/{keys.watch}/review")
    assert json.loads(again.text) == document
    assert house.client.get("/table/nonsense/review").status_code == 404
