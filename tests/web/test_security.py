"""Who may ask for what, how much, and how often."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from web.conftest import HOST, ORIGIN, House

from mpsearch.plugins.catalog import installed
from mpsearch.web.app import STATIC, make_site
from mpsearch.web.rate_limit import Bucket, RateLimit
from mpsearch.web.server import Server
from mpsearch.web.tables import Tables

TABLE = {"game": "plunder", "agents": ["human", "random", "random"]}


def closing(house: House, token: str, *texts: str, **headers: str) -> tuple[int, str]:
    """The code and reason with which a connection that sends these texts is closed."""
    path = f"ws://{HOST}/table/{token}/socket"
    sent = {"origin": ORIGIN, **headers}
    try:
        with house.client.websocket_connect(path, headers=sent) as socket:
            for text in texts:
                socket.send_text(text)
            while True:
                socket.receive_text()
    except WebSocketDisconnect as closed:
        return closed.code, closed.reason or ""


def test_a_foreign_origin_cannot_open_a_socket_nor_set_a_table(house: House) -> None:
    keys = house.set_table("plunder", "human", "random", "random")
    for origin in (
        "http://evil.example",
        "null",
        "",
        f"http://{HOST}:81",
        f"{ORIGIN}.evil.example",
    ):
        why = closing(house, keys.seats[0], origin=origin)
        assert why == (1008, "this request comes from another site")
        answer = house.client.post("/tables", json=TABLE, headers={"origin": origin})
        assert answer.status_code == 403
    assert len(list(house.tables.folder.glob("*.jsonl"))) == 1


def test_a_foreign_host_gets_nothing(house: House) -> None:
    """A name of somebody else that points here (DNS rebinding) is not ours."""
    keys = house.set_table("plunder", "human", "random", "random")
    for host in (
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "[",
        "10.0.0.7",
        "evil@127.0.0.1",
        "evil.example:80@127.0.0.1",
        "127.0.0.1/evil",
        "127.0.0.1:80:80",
        "[::1",
        "127.0.0.1#",
    ):
        same = {"host": host, "origin": f"http://{host}"}
        assert house.client.get("/", headers=same).status_code == 403
        assert closing(house, keys.seats[0], **same)[0] == 1008
    for host in ("localhost:8765", "127.0.0.1", "[::1]:99"):
        assert house.client.get("/", headers={"host": host}).status_code == 200


def test_a_server_for_everybody_goes_by_addresses_and_given_names(tmp_path: Path) -> None:
    app = make_site(Tables(installed(), tmp_path), host="0.0.0.0", names=["games.example"])
    with TestClient(app) as client:
        answers = {
            host: client.get("/", headers={"host": host}).status_code
            for host in ("10.0.0.7:80", "games.example", "[fe80::1]", "evil.example")
        }
    assert list(answers.values()) == [200, 200, 200, 403]


@pytest.mark.parametrize("path", ["/", "/static/table.js", "/catalog", "/table/none", "/none"])
def test_every_answer_carries_the_headers(house: House, path: str) -> None:
    headers = house.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_pages_have_no_inline_script_or_style_and_no_outside_address() -> None:
    files = sorted(STATIC.iterdir())
    assert {path.suffix for path in files} == {".html", ".js", ".css", ".svg"}
    for path in files:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", text), path
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=", text), path
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text), (
            path
        )


def test_a_token_is_long_random_and_the_only_way_in(house: House) -> None:
    tables = [house.set_table("plunder", "human", "human", "random") for _ in range(3)]
    tokens = [token for keys in tables for token in (*keys.seats.values(), keys.watch)]
    assert len(set(tokens)) == 9
    assert all(len(token) == 32 for token in tokens)
    for wrong in (tokens[0][:-1], tokens[0].lower(), tokens[0] + "A", "0", "None"):
        assert house.client.get(f"/table/{wrong}").status_code == 404
        assert house.client.get(f"/table/{wrong}/record").status_code == 404
        assert closing(house, wrong) == (1008, "there is no such table")
    (*files,) = house.tables.folder.glob("*.seats.json")
    assert len(files) == 3
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)


def test_files_outside_the_page_are_not_served(house: House) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/"):
        assert house.client.get(path).status_code == 404


def test_behind_a_proxy_tables_are_set_by_who_has_the_key(tmp_path: Path) -> None:
    tables = Tables(installed(), tmp_path)
    with Server(tables) as alone:
        assert (alone.lobbies, alone.exposed) == ([], False)
        assert alone.lobby == f"{alone.address}/?key={alone.key}"
    with Server(tables, names=["games.example"]) as proxied:
        assert proxied.lobbies == [f"https://games.example/?key={proxied.key}"]
        assert proxied.key != alone.key
        assert not proxied.exposed


def test_with_a_key_only_who_has_it_sets_tables(tmp_path: Path) -> None:
    app = make_site(Tables(installed(), tmp_path), key="the key")
    with TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        for key, status in (("", 403), ("the kex", 403), ("the key", 200)):
            headers = {"x-mpsearch-key": key}
            assert client.post("/tables", json=TABLE, headers=headers).status_code == status


def test_the_printed_address_hands_the_key_to_the_browser_which_keeps_a_cookie(
    tmp_path: Path,
) -> None:
    app = make_site(Tables(installed(), tmp_path), key="the-key")
    with TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        for path in ("/", "/?key=wrong", "/?key=%ED%A0%80", "/catalog"):
            answer = client.get(path)
            assert answer.status_code == 403
            assert "the full address that" in answer.text
        for path in ("/tables", "/records"):
            assert client.post(path, json=TABLE).status_code == 403
        answer = client.get("/?key=the-key", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert client.get("/").status_code == 200
        assert client.get("/catalog").status_code == 200
        made = client.post("/tables", json=TABLE)
        assert made.status_code == 200
        client.cookies.clear()
        # A seat is held by its own address: other people have no key.
        assert client.get(made.json()["seats"]["0"]).status_code == 200


def test_half_of_a_surrogate_pair_is_refused_and_breaks_nothing(house: House) -> None:
    for wish in (
        r'{"game": "\ud800", "agents": ["human", "random", "random"]}',
        r'{"game": "plunder", "agents": ["\ud800", "random", "random"]}',
        r'{"game": "plunder", "agents": ["human", "random", "random"], "\udfff": 1}',
    ):
        answer = house.client.post("/tables", content=wish)
        assert (answer.status_code, "surrogate" in answer.json()["error"]) == (400, True)
    keys = house.set_table("scramble", "human", "random", length=8)
    with house.window(keys.seats[0]) as window:
        now = window.turn()
        window.socket.send_text(f'{{"type": "play", "ply": {now["ply"]}, "move": "\\ud800"}}')
        assert "surrogate" in window.until("sorry")["text"]
        window.play(now)
        assert window.turn()["yours"]
    head = r'{"record": 1, "game": "plunder", "players": 3, "options": {}, "seed": 1, '
    head += r'"agents": ["\ud800", "random", "random"]}' + "\n"
    answer = house.client.post("/records", content=head)
    assert answer.status_code == 200
    with house.window(answer.json()["watch"].removeprefix("/table/")) as window:
        assert window.until("hello")["agents"][0] == "\ud800"
    assert r"\ud800" in house.client.get(f"{answer.json()['watch']}/record").text
    wrong = head.replace("plunder", r"\ud800")
    answer = house.client.post("/records", content=wrong)
    assert (answer.status_code, "unknown game" in answer.json()["error"]) == (400, True)


def test_a_browser_names_no_file_of_weights(house: House) -> None:
    agent = "maxn:depth=1,evaluator=/etc/secret.npz"
    table = {"game": "plunder", "players": 3, "agents": ["human", agent, "random"]}
    answer = house.client.post("/tables", json=table)
    error = f"agent '{agent}' names a file on the server, which is not allowed"
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    head = {"record": 1, "game": "plunder", "players": 3, "options": {}, "seed": 1}
    record = json.dumps({**head, "agents": [agent, "random", "random"]}) + "\n"
    answer = house.client.post("/records", content=record)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


def test_nobody_else_can_read_a_record(house: House) -> None:
    house.set_table("plunder", "human", "random", "random")
    house.set_table("plunder", "random", "random", "random")
    records = list(house.tables.folder.glob("*.jsonl"))
    assert [path.stat().st_mode & 0o777 for path in records] == [0o600] * 2


class TestLimits:
    @pytest.fixture
    def limits(self) -> RateLimit:
        return RateLimit(
            message_bytes=200, record_bytes=1000, rate=1e-9, burst=30, nonsense=5,
            table_connections=3, tables=2,
        )  # fmt: skip

    def test_a_long_message_closes_the_connection(self, house: House) -> None:
        keys = house.set_table("plunder", "human", "random", "random")
        assert closing(house, keys.seats[0], " " * 201) == (1009, "the message is too long")

    def test_too_many_messages_close_the_connection(self, house: House) -> None:
        keys = house.set_table("plunder", "human", "random", "random")
        look = json.dumps({"type": "look", "ply": 0})
        assert closing(house, keys.seats[0], *[look] * 31) == (1008, "too many messages")

    def test_nonsense_closes_the_connection_after_a_while(self, house: House) -> None:
        keys = house.set_table("plunder", "human", "random", "random")
        why = (1008, "too many malformed messages")
        assert closing(house, keys.seats[0], *["nonsense"] * 6) == why

    def test_connections_to_a_table_are_counted(self, house: House) -> None:
        keys = house.set_table("plunder", "human", "random", "random")
        for _ in range(2):  # those that are closed make room again
            with (
                house.window(keys.watch) as a,
                house.window(keys.watch) as b,
                house.window(keys.seats[0]) as c,
            ):
                for window in (a, b, c):
                    window.until("now")
                assert closing(house, keys.watch) == (1013, "too many connections")

    def test_tables_are_counted_while_people_sit_at_them(self, house: House) -> None:
        tables = [house.client.post("/tables", json=TABLE).json()["seats"]["0"] for _ in range(2)]
        with (
            house.window(tables[0].removeprefix("/table/")) as one,
            house.window(tables[1].removeprefix("/table/")) as other,
        ):
            one.turn()
            other.turn()
            answer = house.client.post("/tables", json=TABLE)
            error = "the server is full: people sit at 2 tables"
            assert (answer.status_code, answer.json()["error"]) == (503, error)
        assert house.client.post("/tables", json=TABLE).status_code == 200

    def test_a_record_that_is_too_long_is_not_read(self, house: House) -> None:
        answer = house.client.post("/records", content=b"x" * 1001)
        assert (answer.status_code, answer.json()["error"]) == (
            413,
            "too long: at most 1000 bytes are allowed",
        )


def test_a_bucket_fills_with_time() -> None:
    bucket = Bucket(RateLimit(rate=2, burst=3), now=10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(11.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(99.0) for _ in range(4)] == [True, True, True, False]


def test_binary_messages_do_no_harm(house: House) -> None:
    keys = house.set_table("plunder", "human", "random", "random")
    with house.window(keys.seats[0]) as rubbish, house.window(keys.seats[0]) as window:
        rubbish.socket.send_bytes(b"\x00\xff")
        now: Any = window.turn()
        window.play(now)
        assert window.turn()["yours"]
