"""A table as windows see it: turns, moves, steps, advice, records."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from web.conftest import House, Window

from mpsearch.api import STRENGTHS
from mpsearch.api.game_table import table_of
from mpsearch.match import read_record, replay, rerun
from mpsearch.plugins.catalog import installed


def test_a_whole_game_is_played_and_its_record_is_legal(house: House, tmp_path: Path) -> None:
    keys = house.set_table("plunder", "human", "maxn:worlds=2", "random")
    with house.window(keys.seats[0]) as window:
        hello = window.until("hello")
        assert (hello["game"], hello["you"], hello["agents"][2]) == ("plunder", 0, "random")
        while not (now := window.turn())["over"]:
            window.play(now)
    assert now["winners"] == [s for s, p in enumerate(now["payoff"]) if p == max(now["payoff"])]
    answer = house.client.get(f"/table/{keys.seats[0]}/record")
    (tmp_path / "game.jsonl").write_bytes(answer.content)
    record = read_record(tmp_path / "game.jsonl")
    assert len(record.plies) == now["ply"]
    assert len(list(replay(table_of(record.setting).game, record))) == now["ply"] + 1
    assert record.payoff is not None
    assert record.payoff.tolist() == now["payoff"]
    (kept,) = house.tables.folder.glob("*.jsonl")
    assert kept.read_bytes() == answer.content


def test_wrong_moves_are_refused_and_change_nothing(house: House) -> None:
    keys = house.set_table("plunder", "human", "random", "random")
    with house.window(keys.seats[0]) as window, house.window(keys.watch) as watcher:
        now = window.turn()
        ply, moves = now["ply"], now["moves"]
        for move, why in (
            ("queen", "move 'queen' is not the number of a card"),
            ("999", f"'999' is not legal: the hand is {' '.join(moves)}"),
        ):
            window.send(type="play", ply=ply, move=move)
            assert window.until("sorry")["text"] == why
        window.send(type="play", ply=ply + 1, move=moves[0])
        assert window.until("sorry")["text"] == "the game has moved on since then"
        watcher.send(type="play", ply=ply, move=moves[0])
        assert watcher.until("sorry")["text"] == "you are only watching"
        window.play(now)
        # A message tells what is new since the one before; others may have moved by the next turn.
        assert window.until("now")["log"][0]["move"] == moves[0]


def test_it_is_not_your_turn(house: House) -> None:
    keys = house.set_table("plunder", "human", "human", "random")
    with house.window(keys.seats[0]) as first, house.window(keys.seats[1]) as second:
        now = first.turn()
        second.send(type="play", ply=now["ply"], move="1")
        assert second.until("sorry")["text"] == "it is not your turn"


def test_two_windows_may_hold_one_seat_but_answer_a_turn_once(house: House) -> None:
    keys = house.set_table("plunder", "human", "human", "random")
    with house.window(keys.seats[0]) as one, house.window(keys.seats[0]) as other:
        now = one.turn()
        other.turn()
        one.play(now)
        other.play(now, 1)
        played = one.at(now["ply"] + 1)["log"][-1]["move"]
        # Which of them the server hears first is not determined.
        assert played in now["moves"][:2]
        refused = other if played == now["moves"][0] else one
        told = [json.loads(text) for text in refused.texts]
        sorry = [m for m in told if m["type"] == "sorry"] or [refused.until("sorry")]
        assert [m["text"] for m in sorry] in (
            ["the game has moved on since then"],
            ["it is not your turn"],
        )


def test_a_frame_is_the_picture_of_the_view_and_marked_only_for_the_mover(house: House) -> None:
    keys = house.set_table("quoridor", "human", "human", size=3)
    with house.window(keys.seats[0]) as window, house.window(keys.seats[1]) as other:
        now = window.turn()
        for viewer, marked in ((window, True), (other, False)):
            viewer.send(type="look", ply=0)
            frame = viewer.until("frame")
            assert frame["marked"] is marked
            assert ('data-move="b2"' in frame["svg"]) is marked
            assert len(frame["values"]) == 2
        window.play(now)
        other.turn()
        other.send(type="look", ply=0)
        assert other.until("frame")["marked"] is False
        other.send(type="look", ply=99)
        assert other.until("sorry")["text"] == "ply 99: 1 have been played"


def test_a_game_without_a_drawing_is_shown_as_text(house: House) -> None:
    keys = house.set_table("plunder", "human", "random", "random")
    with house.window(keys.seats[0]) as window:
        now = window.turn()
        window.send(type="look", ply=now["ply"])
        frame = window.until("frame")
    assert frame["svg"] is None
    assert "on the table" in frame["text"]


def test_hints_name_a_legal_move_of_each_adviser(house: House) -> None:
    keys = house.set_table("plunder", "human", "random", "random")
    with house.window(keys.seats[0]) as window, house.window(keys.watch) as watcher:
        now = window.turn()
        window.send(type="hint")
        hint = window.until("hint")
        assert [a["agent"].split(":")[0] for a in hint["advice"]] == ["maxn", "paranoid", "mpmix"]
        assert all(a["move"] in now["moves"] and len(a["value"]) == 3 for a in hint["advice"])
        watcher.send(type="hint")
        assert watcher.until("sorry")["text"] == "only the seat to move gets a hint"


def told(window: Window, **fields: object) -> dict[str, Any]:
    """How things stand once the fields have these values, as was told or will be."""
    while any(window.now.get(key) != value for key, value in fields.items()):
        window.receive()
    return window.now


def test_moves_are_taken_back_and_the_record_says_so(house: House, tmp_path: Path) -> None:
    keys = house.set_table("scramble", "human", "maxn:depth=1", "random", length=12)
    with house.window(keys.seats[0]) as window, house.window(keys.watch) as watcher:
        now = window.turn()
        assert not now["undo"]
        window.send(type="undo", ply=now["ply"])
        assert window.until("sorry")["text"] == "you have not moved yet"
        window.play(now)
        now = told(window, yours=True, ply=3)
        assert now["undo"]
        window.send(type="hint")
        window.until("hint")
        told(window, marks=[{"mark": "hint", "ply": 3, "seat": 0}])
        for _ in range(2):  # one click too many
            window.send(type="undo", ply=now["ply"])
        assert "the game has moved on since then" in window.until("sorry")["text"]
        undone = [{"mark": "undo", "ply": 0, "seat": 0}]
        for viewer in (watcher, window):
            fresh = told(viewer, ply=0, marks=undone)
            assert (fresh["from"], fresh["log"]) == (0, [])
        window.play(fresh, choice=1)
        told(window, yours=True, ply=3, marks=undone)
        window.send(type="look", ply=9)
        assert window.until("sorry")["text"] == "ply 9: 3 have been played"
    (kept,) = house.tables.folder.glob("*.jsonl")
    record = read_record(kept)
    assert [mark["mark"] for mark in record.marks] == ["hint", "undo"]
    assert len(record.lines) == 3 + 2 + 3
    assert record.plies[0]["move"] == fresh["moves"][1]
    place = table_of(record.setting)
    rerun(place.game, [None, *map(place.agent, record.setting.agents[1:])], record)


def test_nobody_takes_back_what_another_person_or_a_card_has_answered(house: House) -> None:
    keys = house.set_table("scramble", "human", "human", "random", length=12)
    with house.window(keys.seats[0]) as first, house.window(keys.seats[1]) as second:
        first.play(first.turn())
        second.play(second.turn())
        now = told(first, yours=True, ply=3)
        assert not now["undo"]
        first.send(type="undo", ply=3)
        assert "another person has moved since" in first.until("sorry")["text"]
        second.send(type="undo", ply=3)
        assert second.until("sorry")["text"] == "it is not your turn"
    hidden = house.set_table("plunder", "human", "random", "random")
    with house.window(hidden.seats[0]) as window, house.window(hidden.watch) as watcher:
        window.play(window.turn())
        now = window.turn()
        window.send(type="undo", ply=now["ply"])
        assert "hidden cards" in window.until("sorry")["text"]
        watcher.send(type="undo", ply=now["ply"])
        assert watcher.until("sorry")["text"] == "you are only watching"


def test_why_explains_an_agents_move_where_nothing_is_hidden(house: House) -> None:
    keys = house.set_table("scramble", "maxn:depth=2", "human", length=6)
    with house.window(keys.seats[1]) as window:
        name = window.until("hello")["names"][0].partition(" ")[0]
        now = window.turn()
        made = now["log"][0] if now["log"] else None
        window.send(type="why", ply=0)
        why = window.until("why")
    assert why["stance"] == "maxn"
    assert why["move"] in [entry["move"] for entry in why["moves"]]
    assert why["matrix"] == [[1.0, 0.0], [0.0, 1.0]]
    stance, effect = why["words"]
    assert stance == f"{name} (MaxN) plays for itself and expects everybody else to do so too."
    assert effect.startswith(("Compared with ", f"{name} expects "))
    assert made is None or made["stance"] == "maxn"


def test_a_watcher_of_agents_sees_every_card_and_thought(house: House) -> None:
    keys = house.set_table("plunder", "maxn:worlds=2", "sos:worlds=2", "random")
    with house.window(keys.watch) as watcher:
        over = watcher.until("now", over=True)
        watcher.send(type="look", ply=1)
        assert "?" not in watcher.until("frame")["text"]
    assert keys.seats == {}
    assert over["open"]
    assert over["record"]


def test_an_opened_record_is_shown_with_all_of_it(house: House, tmp_path: Path) -> None:
    keys = house.set_table("plunder", "maxn:worlds=2", "sos:worlds=2", "random")
    with house.window(keys.watch) as watcher:
        watcher.until("now", over=True)
    content = house.client.get(f"/table/{keys.watch}/record").content
    answer = house.client.post("/records", content=content)
    path = answer.json()["watch"]
    with house.window(path.removeprefix("/table/")) as window:
        now = window.until("now")
        assert now["over"]
        assert now["log"][0]["move"].count("|") == 2
        assert {e.get("stance") for e in now["log"]} == {None, "maxn", "sos", "random"}
        window.send(type="look", ply=3)
        assert window.until("frame")["ply"] == 3
    assert house.client.get(f"{path}/record").content == content


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file"),
        (b"nonsense\n", "line 1"),
        (b'{"record": 1}\n', "the file"),
        (b"\xff\xfe", "the file"),
    ],
)
def test_what_is_no_record_is_refused_with_a_reason(house: House, content: bytes, why: str) -> None:
    answer = house.client.post("/records", content=content)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert "/tmp" not in answer.json()["error"]


def test_the_lobby_sets_tables_from_what_the_catalog_offers(house: House) -> None:
    games = {g["name"]: g for g in house.client.get("/catalog").json()["games"]}
    assert set(games) == set(installed().games)
    # Games that are a plugin of their own come before the core's and other collections.
    assert next(iter(games)) == "hearts"
    assert {"wrt", "hard"} < set(games["hearts"]["agents"])
    company = {entry["name"]: entry["company"] for entry in games["plunder"]["strengths"]}
    assert company == {strength: [strength] * 4 for strength in STRENGTHS} | {
        "mixed": ["mpmix:td=20,to=20", "paranoid", "maxn", "mpmix:td=20,to=20"]
    }
    assert all(entry["summary"] for entry in games["plunder"]["strengths"])
    assert [name for name, game in games.items() if game["featured"]] == [*games][:3]
    wish = {"game": "plunder", "agents": ["human", "human", "random"], "options": {"cards": "3"}}
    found = house.client.post("/tables", content=json.dumps(wish)).json()
    assert sorted(found["seats"]) == ["0", "1"]
    page = house.client.get(found["seats"]["0"])
    assert page.status_code == 200
    assert '<script type="module" src="/static/table.js">' in page.text
    with house.window(found["seats"]["1"].removeprefix("/table/")) as window:
        assert window.until("hello")["options"] == {"cards": 3}


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ("[]", "this is not a JSON object"),
        ("{", "this is not JSON"),
        ('{"game": "plunder"}', "a table needs a game and an agent's text for each seat"),
        ('{"game": "plundr", "agents": ["random", "random"]}', "unknown game 'plundr'"),
        ('{"game": "plunder", "agents": ["random", "random"]}', "the game is for 3 to 5"),
        ('{"game": "plunder", "agents": ["random", "x", "random"]}', "'x'"),
        ('{"game": "plunder", "agents": ["random"], "players": 3}', "1 agents at a table for 3"),
        ('{"game": "plunder", "agents": [], "extra": 1}', "a table has no extra"),
        ('{"game": "plunder", "agents": ["a"], "options": {"cards": 3}}', "options are texts"),
        ('{"game": "plunder", "agents": ["a", "b", "c"], "seed": -1}', "table: seed=-1 is not"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused_with_a_reason(
    house: House, wish: str, why: str
) -> None:
    answer = house.client.post("/tables", content=wish)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert list(house.tables.folder.glob("*")) == []


def test_a_browser_names_no_file_of_this_machine(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mpsearch_risk_lite")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "world.toml").write_text("secret = 1")
    wish = {"game": "risk_lite", "agents": ["random"] * 3, "options": {"map": "world.toml"}}
    answer = house.client.post("/tables", content=json.dumps(wish))
    refused = "risk_lite: map=world.toml is not one of classic, straits, woodland"
    assert answer.json() == {"error": refused}
    (game,) = (g for g in house.client.get("/catalog").json()["games"] if g["name"] == "risk_lite")
    assert game["options"][0]["choices"] == ["classic", "straits", "woodland"]
    head = {"record": 1, "game": "risk_lite", "players": 2, "options": {"map": "world.toml"}}
    record = json.dumps(head | {"agents": ["random"] * 2, "seed": 1}) + "\n"
    assert house.client.post("/records", content=record).json() == {"error": refused}


def test_trouble_in_a_game_is_told_and_leaves_other_tables_alone(house: House) -> None:
    keys, other = (house.set_table("plunder", "human", "random", "random") for _ in range(2))
    place = house.tables.place(keys.seats[0])
    assert place is not None

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a plugin's mistake")

    with house.window(keys.seats[0]) as window:
        now = window.turn()  # the cards are dealt
        place.session.live.game.play = broken  # type: ignore[method-assign, assignment]
        window.play(now)
        trouble = window.until("now", yours=False)["trouble"]
    assert trouble == "unexpected ZeroDivisionError: a plugin's mistake"
    with house.window(other.seats[0]) as window:
        window.play(window.turn())
        assert window.turn()["yours"]


def test_a_window_does_not_wait_for_ever(house: House) -> None:
    keys = house.set_table("scramble", "human", "random", length=8)
    with house.window(keys.seats[0]) as window:
        window.turn()
        window.patience = 0.05
        with pytest.raises(pytest.fail.Exception, match=r"nothing was said for 0.05 s; the last"):
            window.until("frame")


@pytest.mark.parametrize("name", sorted(installed().games))
def test_every_game_has_a_picture(house: House, name: str) -> None:
    answer = house.client.get(f"/picture/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    drawn = ET.fromstring(answer.text)
    assert len(list(drawn.iter())) > 2
    assert "viewBox" in drawn.attrib


def test_of_what_is_no_game_there_is_no_picture(house: House) -> None:
    answer = house.client.get("/picture/chess")
    assert answer.status_code == 404
    assert "unknown game 'chess'" in answer.text
