"""Real servers in processes of their own: killed, resumed, crowded, interrupted."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.processes import START
from support.settings import setting
from websockets.asyncio.client import ClientConnection, connect

from mpsearch.api.game_table import table_of
from mpsearch.match import read_record, replay
from mpsearch.plugins.catalog import installed
from mpsearch.web.tables import Tables

MPSEARCH = [sys.executable, "-c", START]
SERVE = [*MPSEARCH, "serve", "--no-open", "--port"]
#: So long that only a server that hangs reaches it.
PATIENCE = 120


@attrs.define
class Server:
    """A server that was started as users start it."""

    folder: Path
    process: subprocess.Popen[str] = attrs.field(init=False)
    address: str = attrs.field(init=False, default="")
    key: str = attrs.field(init=False, default="")

    def start(self, port: int = 0) -> None:
        command = [*SERVE, str(port), "--folder", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"mpsearch is at (http://[^/]+)/\?key=(\S+)", line)
            if found:
                self.address, self.key = found[1], found[2]
                return
        raise AssertionError(f"the server ended with {self.process.wait()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1])

    @property
    def headers(self) -> dict[str, str]:
        return {"Origin": self.address, "X-Mpsearch-Key": self.key}

    def set_table(self, *agents: str, **fields: Any) -> Any:
        body = json.dumps({"game": "plunder", "agents": agents, "seed": 4, **fields}).encode()
        ask = urllib.request.Request(self.address + "/tables", body, self.headers)
        return json.load(urllib.request.urlopen(ask, timeout=PATIENCE))

    def window(self, path: str) -> connect:
        address = self.address.replace("http", "ws") + path + "/socket"
        return connect(address, origin=self.address, open_timeout=PATIENCE)  # type: ignore[arg-type]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "games")
    started.start()
    yield started
    started.kill()


async def until(window: ClientConnection, kind: str, **fields: Any) -> Any:
    while True:
        message = json.loads(await asyncio.wait_for(window.recv(), PATIENCE))
        if message["type"] == kind and all(message[k] == v for k, v in fields.items()):
            return message


async def play(window: ClientConnection, turns: int) -> Any:
    """Answer so many turns with the first card, or all; how things stand at the next turn."""
    while True:
        now = await until(window, "now")
        if now["over"] or (now["yours"] and turns == 0):
            return now
        if now["yours"]:
            turns -= 1
            move = {"type": "play", "ply": now["ply"], "move": now["moves"][0]}
            await window.send(json.dumps(move))


def test_a_killed_server_takes_its_games_up_again(server: Server) -> None:
    table = server.set_table("human", "maxn:worlds=2", "sos:worlds=2", options={"cards": "6"})
    path, port = table["seats"]["0"], server.port

    async def some_turns() -> Any:
        async with server.window(path) as window:
            return await play(window, 2)

    before = asyncio.run(some_turns())
    server.kill()
    (record,) = server.folder.glob("*.jsonl")
    kept = record.read_text()
    assert kept.count("\n") == before["ply"] + 1
    # Killed once more, and this time in the middle of a line.
    with record.open("a") as file:
        file.write('{"ply": ')
    server.start(port)

    async def the_rest() -> Any:
        async with server.window(path) as window:
            now = await until(window, "now")
            assert (now["ply"], now["yours"], now["moves"]) == (
                before["ply"],
                True,
                before["moves"],
            )
            told = [(e["seat"], e["move"]) for e in now["log"]]
        async with server.window(path) as window:
            return told, await play(window, 100)

    told, over = asyncio.run(the_rest())
    found = read_record(record)
    assert record.read_text().startswith(kept)
    assert len(list(replay(table_of(found.setting).game, found))) == over["ply"] + 1
    assert found.payoff is not None
    assert found.payoff.tolist() == over["payoff"]
    assert len(told) == before["ply"]


def test_a_game_killed_before_its_result_gets_it_from_the_next_server(tmp_path: Path) -> None:
    tables = Tables(installed(), tmp_path)
    keys = tables.set_table(setting("plunder", "random", "random", "random", seed=3))
    (record,) = tmp_path.glob("*.jsonl")
    while "payoff" not in (text := record.read_text()):
        pass
    record.write_text(text[: text.rindex("\n", 0, -1) + 1])
    again = Tables(installed(), tmp_path).place(keys.watch)
    assert again is not None
    while not record.read_text().endswith("}\n") or "payoff" not in record.read_text():
        pass
    assert record.read_text() == text


def test_two_hundred_idle_connections_and_rubbish_change_nothing_for_others(
    server: Server,
) -> None:
    table = server.set_table("human", "random", "random")

    async def crowd() -> Any:
        idle = [await server.window(table["watch"]) for _ in range(200)]
        rubbish = [await server.window(table["seats"]["0"]) for _ in range(5)]
        for window in rubbish:
            for text in ("{", "[]", "\0", b"\xff" * 100, "x" * 5000):
                await window.send(text)
        async with server.window(table["seats"]["0"]) as window:
            over = await play(window, 100)
        for window in idle:
            assert (await until(window, "now", over=True))["payoff"] == over["payoff"]
        for window in (*idle, *rubbish):
            await window.close()
        return over

    assert asyncio.run(crowd())["over"]
    assert server.process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_at_once_though_windows_are_open(
    server: Server, number: signal.Signals
) -> None:
    table = server.set_table("human", "random", "random")

    async def connected() -> None:
        async with server.window(table["seats"]["0"]) as window:
            await until(window, "now")
            server.process.send_signal(number)
            await asyncio.to_thread(server.process.wait, PATIENCE)

    asyncio.run(connected())
    assert server.process.returncode == 128 + number


def test_a_port_that_is_taken_is_said_in_one_line(server: Server, tmp_path: Path) -> None:
    done = subprocess.run(
        [*SERVE, str(server.port), "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"127.0.0.1:{server.port} cannot be bound" in done.stderr


def test_a_server_for_everybody_warns_and_prints_a_key(tmp_path: Path) -> None:
    command = [*SERVE, "0", "--host", "0.0.0.0", "--folder", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "warning: anyone who can reach 0.0.0.0" in process.stderr.readline()
        assert re.search(r"mpsearch is at http://\S+/\?key=[\w-]{32} ", process.stdout.readline())
    finally:
        process.kill()
        process.communicate()
