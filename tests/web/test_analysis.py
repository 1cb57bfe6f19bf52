"""The analysis board's connection: positions, moves that are tried, searches that grow."""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect
from web.conftest import House, Window

import mpsearch
from mpsearch.api import table_of
from mpsearch.match import read_record, recalled, rerun
from mpsearch.web.inbound import ANALYSIS
from mpsearch.web.rate_limit import RateLimit


def recorded(
    folder: Path, game: str, *agents: str, seed: int = 1, cut: int = 0, **options: Any
) -> Path:
    """A record of a game; `cut` leaves out so many of its last plies, and the result."""
    path = folder / f"{game}-{seed}.jsonl"
    mpsearch.play(game, *agents, seed=seed, players=len(agents), **options).save(path)
    if cut:
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[: -1 - cut]))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    agents = ("mpmix:td=0,to=0,depth=1", "sos:depth=1", "greedy")
    return recorded(tmp_path, "scramble", *agents, length=8)


def begun(window: Window) -> dict[str, Any]:
    """What a window is told at first."""
    hello = window.until("hello")
    window.until("tree")
    return hello


def look(window: Window, node: int) -> dict[str, Any]:
    window.send(type="look", node=node)
    return window.until("frame", node=node)


def attempt(window: Window, node: int, move: str) -> int:
    window.send(type="try", node=node, move=move)
    return int(window.until("went")["node"])


def test_every_position_of_a_record_can_be_looked_at(house: House, path: Path) -> None:
    record = read_record(path)
    game = table_of(record.setting).game
    plies = list(recalled(game, record))
    with house.analysis(house.tables.show_record(path).watch) as window:
        hello = begun(window)
        assert hello["plies"] == len(plies)
        assert [entry["move"] for entry in hello["log"]] == [e["move"] for e in record.plies]
        for node, ply in enumerate(plies):
            frame = look(window, node)
            assert frame["mover"] == (ply.seat if ply.seat >= 0 else None)
            legal = [game.write_in(ply.before, move) for move in game.moves(ply.before)]
            assert frame["moves"] == (legal if ply.seat >= 0 else [])
        last = look(window, len(plies))
        assert last["over"]
        assert record.payoff is not None
        assert last["payoff"] == record.payoff.tolist()
        window.send(type="look", node=10**6)
        assert "there is no position 1000000" in window.until("sorry")["text"]


def test_a_move_is_tried_agents_go_on_and_all_is_saved_in_the_file(
    house: House, path: Path
) -> None:
    record = read_record(path)
    token = house.tables.show_record(path).watch
    with house.analysis(token) as window, house.analysis(token) as other:
        begun(window)
        begun(other)
        frame = look(window, 4)
        move = next(m for m in frame["moves"] if m != record.plies[4]["move"])
        node = attempt(window, 4, move)
        assert node > len(record.plies)
        assert look(window, node)["mover"] is not None
        # Those who look at the same game see it too.
        assert [n["move"] for n in other.until("tree")["nodes"]] == [move]
        window.send(type="go_on", node=node, plies=300)
        window.until("ended")
        nodes = _latest(window)["nodes"]
        assert [n["parent"] for n in nodes[:3]] == [4, node, node + 1]
        assert all(n["agent"] and n["stance"] for n in nodes[1:] if n["seat"] is not None)
        assert look(window, nodes[-1]["node"])["over"]
        # The same move again, or the one of the game, is no new variation.
        assert attempt(window, 4, move) == node
        assert attempt(window, 4, record.plies[4]["move"]) == 5
        window.send(type="try", node=4, move="+99")
        assert "+99" in window.until("sorry")["text"]
    again = read_record(path)
    assert again.lines == record.lines
    assert [entry["move"] for entry in again.variations] == [n["move"] for n in nodes]
    place = table_of(again.setting)
    rerun(place.game, place.seat(again.setting), again)
    with house.analysis(house.tables.show_record(path).watch) as window:
        begun(window)
        assert [n["move"] for n in _latest(window)["nodes"]] == [n["move"] for n in nodes]
        first = _latest(window)["nodes"][0]["node"]
        window.send(type="remove", node=first)
        while window.until("tree")["nodes"]:
            pass
        window.send(type="remove", node=2)
        assert "the moves of the game itself stay" in window.until("sorry")["text"]
    assert read_record(path).variations == ()


def _latest(window: Window) -> dict[str, Any]:
    found: dict[str, Any] = next(
        message for message in map(json.loads, reversed(window.texts)) if message["type"] == "tree"
    )
    return found


def test_lines_grow_and_are_what_a_search_finds(house: House, path: Path) -> None:
    record = read_record(path)
    place = table_of(record.setting)
    ply = next(p for p in recalled(place.game, record) if p.number >= 4 and p.seat >= 0)
    with house.analysis(house.tables.show_record(path).watch) as window:
        names = [name.partition(" ")[0] for name in begun(window)["names"]]
        for agent in ("maxn:depth=1", f"offensive:target={(ply.seat + 1) % 3},depth=1"):
            window.send(type="seat", seat=ply.seat, agent=agent)
            assert window.until("tree")["agents"][ply.seat] == agent
            window.send(type="think", node=ply.number)
            found = [window.until("lines") for _ in range(3)]
            window.send(type="stop")
            assert [message["depth"] for message in found] == [1, 2, 3]
            assert found[0]["nodes"] < found[1]["nodes"] < found[2]["nodes"]
            for message in found:
                # An explanation at that depth, which is made elsewhere.
                text = agent.replace("depth=1", f"depth={message['depth']}")
                expected = place.search(ply.before, text).document()
                values = {entry["move"]: entry["value"] for entry in expected["moves"]}
                assert message["stance"] == expected["stance"]["label"]
                assert message["target"] == expected["stance"]["target"]
                for line in message["lines"]:
                    assert line["value"] == pytest.approx(values[line["line"][0]], abs=0.006)
                row = np.array(message["matrix"])[ply.seat]
                worth = [float(row @ np.array(line["value"])) for line in message["lines"]]
                assert worth == sorted(worth, reverse=True)
                assert message["words"][0].startswith(names[ply.seat])


def test_a_small_tree_is_searched_to_its_end(house: House, path: Path) -> None:
    plies = len(read_record(path).plies)
    with house.analysis(house.tables.show_record(path).watch) as window:
        begun(window)
        window.send(type="think", node=plies - 1)
        while "finished" not in window.until("thinking")["text"]:
            pass
        window.send(type="think", node=plies)
        assert "the game is over here" in window.until("sorry")["text"]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("maxn:depth=50", "depth=50 is more than this server allows"),
        ("human", "cannot be used here"),
        ("program:true", "cannot be used here"),
        ("maxn:evaluator=/etc/passwd.npz", "names a file on the server"),
        ("nobody", "unknown agent"),
    ],
)
def test_agents_that_a_browser_may_not_have_are_refused(
    house: House, path: Path, agent: str, words: str
) -> None:
    with house.analysis(house.tables.show_record(path).watch) as window:
        begun(window)
        window.send(type="seat", seat=0, agent=agent)
        assert words in window.until("sorry")["text"]


def test_agents_of_a_record_that_may_not_be_asked_are_replaced(house: House, path: Path) -> None:
    head, _, rest = path.read_text().partition("\n")
    entry = json.loads(head)
    entry["agents"] = ["program:rm -rf /", "maxn:evaluator=/etc/x.npz", "maxn:depth=99"]
    path.write_text(f"{json.dumps(entry)}\n{rest}")
    with house.analysis(house.tables.show_record(path).watch) as window:
        begun(window)
        assert [text.partition(":")[0] for text in _latest(window)["agents"]] == ["maxn"] * 3
        window.send(type="go_on", node=4, plies=2)
        window.until("ended")


def test_a_game_is_analysed_after_its_end_by_those_who_played(house: House) -> None:
    keys = house.set_table("scramble", "human", "greedy", length=6)
    with house.window(keys.seats[0]) as window:
        for token in (keys.seats[0], keys.watch):
            with house.analysis(token) as refused, pytest.raises(WebSocketDisconnect) as closed:
                refused.socket.receive_text()
            assert closed.value.reason == "a game can be analysed after it is over"
        while not (now := window.turn())["over"]:
            window.play(now)
    with house.analysis(keys.seats[0]) as mine:
        hello = begun(mine)
        assert (hello["you"], hello["try"], hello["all"]) == (0, True, True)
        move = next(m for m in look(mine, 0)["moves"] if m != hello["log"][0]["move"])
        attempt(mine, 0, move)
        mine.until("tree")
    with house.analysis(keys.watch) as watcher:
        assert begun(watcher)["try"] is False
        assert look(watcher, 0)["moves"] == []
        watcher.send(type="try", node=0, move="+1")
        assert "only those who played" in watcher.until("sorry")["text"]
    downloaded = house.client.get(f"/table/{keys.seats[0]}/record").text
    assert [e["move"] for e in json.loads(downloaded.splitlines()[0])["variations"]] == [move]


def test_variations_of_a_table_survive_its_sleep(house: House) -> None:
    keys = house.set_table("scramble", "greedy", "greedy", length=6)
    with house.window(keys.watch) as window:
        while not window.now.get("over"):
            window.receive()
    with house.analysis(keys.watch) as window:
        hello = begun(window)
        move = next(m for m in look(window, 0)["moves"] if m != hello["log"][0]["move"])
        attempt(window, 0, move)
        window.until("tree")
        look(window, 0)  # whatever was asked before has been done
    assert house.tables.put_to_sleep(-1) == 1
    with house.analysis(keys.watch) as window:
        begun(window)
        assert [n["move"] for n in _latest(window)["nodes"]] == [move]


def test_an_unfinished_record_is_not_written_to_but_can_be_downloaded(
    house: House, tmp_path: Path
) -> None:
    path = recorded(tmp_path, "scramble", "greedy", "random", cut=3)
    before = path.read_bytes()
    token = house.tables.show_record(path).watch
    with house.analysis(token) as window:
        begun(window)
        assert _latest(window)["saved"] is False
        for move in look(window, 2)["moves"]:
            attempt(window, 2, move)
    assert path.read_bytes() == before
    head = json.loads(house.client.get(f"/table/{token}/record").text.splitlines()[0])
    assert len(head["variations"]) >= 1
    # What was uploaded is the server's own copy.
    sent = house.client.post("/records", content=path.read_bytes()).json()["watch"]
    with house.analysis(sent.removeprefix("/table/")) as window:
        begun(window)
        assert _latest(window)["saved"] is True


def test_a_variation_against_the_rules_is_said_and_the_game_is_shown(
    house: House, path: Path
) -> None:
    head, _, rest = path.read_text().partition("\n")
    odd = [{"after": None, "ply": 0, "seat": 0, "move": "+77"}]
    path.write_text(f"{json.dumps(json.loads(head) | {'variations': odd})}\n{rest}")
    token = house.tables.show_record(path).watch
    with house.analysis(token) as window, pytest.raises(WebSocketDisconnect) as closed:
        window.socket.receive_text()
    assert "variations[0], ply 0" in closed.value.reason
    with house.window(token) as window:
        assert window.until("now")["ply"] > 5


def test_why_of_the_game_and_of_a_variation(house: House, path: Path) -> None:
    with house.analysis(house.tables.show_record(path).watch) as window:
        name = begun(window)["names"][0].partition(" ")[0]
        window.send(type="why", node=4)
        assert window.until("why", node=4)["words"]
        window.send(type="go_on", node=2, plies=3)
        window.until("ended")
        window.send(type="seat", seat=0, agent="paranoid:depth=2")
        window.until("tree")
        frame = look(window, 0)
        node = attempt(window, 0, frame["moves"][-1])
        window.send(type="go_on", node=node, plies=6)
        window.until("ended")
        nodes = _latest(window)["nodes"]
        last = next(n for n in nodes if n.get("agent") == "paranoid:depth=2")
        window.send(type="why", node=last["node"])
        told = window.until("why", node=last["node"])
        assert told["words"][0] == (
            f"{name} (Paranoid) plays for itself and expects all others to work against it."
        )
        assert told["moves"]
        window.send(type="why", node=0)
        assert "nothing was played" in window.until("sorry")["text"]


def test_the_graph_leads_to_positions(house: House, path: Path) -> None:
    with house.analysis(house.tables.show_record(path).watch) as window:
        plies = begun(window)["plies"]
        window.send(type="graph")
        graph = window.until("graph")
        assert graph["svg"].count("<polyline") == 3
        assert 'data-position="' in graph["svg"]
        assert f'data-last="{plies - 1}"' in graph["svg"]
        assert "Turning points" in [part["title"] for part in graph["told"]]


def test_nonsense_is_answered(house: House, path: Path) -> None:
    with house.analysis(house.tables.show_record(path).watch) as window:
        begun(window)
        for message in (
            {"type": "look"}, {"type": "look", "node": -1}, {"type": "look", "node": True},
            {"type": "try", "node": 0, "move": ""}, {"type": "try", "node": 0, "move": "x" * 1001},
            {"type": "go_on", "node": 0, "plies": 0}, {"type": "go_on", "node": 0, "plies": 301},
            {"type": "seat", "seat": 9, "agent": "maxn"}, {"type": "play", "ply": 0, "move": "+1"},
            {"type": "remove", "node": 999}, {"type": "why", "node": 999}, {"type": "stop", "x": 1},
            {"type": "think", "node": 999}, {"type": "go_on", "node": 999, "plies": 1},
        ):  # fmt: skip
            window.send(**message)
            assert window.until("sorry")["text"]
        assert look(window, 0)["node"] == 0
    with (
        house.analysis(house.tables.show_record(path).watch, 77) as window,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        window.socket.receive_text()
    assert closed.value.reason == "seat 77: seats are 0 to 2"
    assert set(ANALYSIS) == {
        "look", "try", "go_on", "remove", "seat", "think", "why", "stop", "graph",
    }  # fmt: skip


class TestBudget:
    """What analyses may use of the processor."""

    @pytest.fixture
    def limits(self) -> RateLimit:
        return RateLimit(rate=1e6, burst=10**6, analysis_seconds=0.05, position_seconds=30)

    def test_a_client_that_has_used_its_time_waits(self, house: House, tmp_path: Path) -> None:
        path = recorded(tmp_path, "quoridor", "greedy", "greedy", "greedy", "greedy", size=5)
        with house.analysis(house.tables.show_record(path).watch) as window:
            begun(window)
            window.send(type="seat", seat=0, agent="maxn:depth=1")
            window.send(type="think", node=0)
            texts = [window.until("thinking")["text"]]
            while texts[-1].startswith("waiting"):
                texts.append(window.until("thinking")["text"])
            assert "used up" in texts[-1]
            house.tables._engines.analyses.add("testclient", 1000, time.monotonic())
            window.send(type="go_on", node=0, plies=5)
            assert "used up" in window.until("sorry")["text"]
