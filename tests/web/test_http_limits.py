"""Clients that send half a request, or none, or rubbish: they cost little and stop nobody."""

import asyncio
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.processes import START

from mpsearch.plugins.catalog import installed
from mpsearch.web.http_limits import LimitedProtocol
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.server import Server
from mpsearch.web.tables import Tables

#: So long that only a server that waits for ever reaches it.
PATIENCE = 30
LIMITS = RateLimit(header_seconds=0.3, request_seconds=0.6, idle_seconds=0.3, http_connections=8)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    ready = threading.Event()
    with Server(Tables(installed(), tmp_path, limits=LIMITS)) as server:
        thread = threading.Thread(target=server.run, args=(ready.set,))
        thread.start()
        assert ready.wait(PATIENCE)
        try:
            yield server
        finally:
            server.stop()
            thread.join()


def connected(address: str, text: str = "") -> socket.socket:
    host, _, port = address.removeprefix("http://").rpartition(":")
    client = socket.create_connection((host, int(port)), timeout=PATIENCE)
    client.sendall(text.encode())
    return client


def rest(client: socket.socket) -> bytes:
    """What a client is sent until the server closes the connection."""
    found = b""
    with client:
        try:
            while data := client.recv(4096):
                found += data
        except ConnectionError:
            pass
    return found


def answers(address: str, key: str) -> bool:
    asked = urllib.request.Request(address, headers={"X-Mpsearch-Key": key})
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        return bool(answer.status == 200)


def test_short_messages_are_sent_at_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """With Nagle's algorithm the second waits until the first is acknowledged, up to 40 ms."""
    delayed: list[int] = []
    made = LimitedProtocol.connection_made

    def noted(self: LimitedProtocol, transport: asyncio.Transport) -> None:
        found = transport.get_extra_info("socket")
        delayed.append(not found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)

    monkeypatch.setattr(LimitedProtocol, "connection_made", noted)
    assert answers(server.address, server.key)
    assert delayed == [False]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    ],
)
def test_a_request_that_never_ends_is_closed(server: Server, text: str) -> None:
    assert b"200 OK" not in rest(connected(server.address, text))


def test_a_body_that_never_ends_is_closed(server: Server) -> None:
    head = "POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
    head += f"X-Mpsearch-Key: {server.key}\r\nContent-Length: 99\r\n\r\n"
    assert rest(connected(server.address, head + "{")) == b""


def test_a_head_that_comes_byte_by_byte_has_no_more_time(server: Server) -> None:
    client = connected(server.address, "GET / HTTP/1.1\r\n")
    pause = threading.Event()

    def trickle() -> None:
        for _ in range(20 * PATIENCE):
            client.sendall(b"x: y\r\n")
            pause.wait(0.05)

    with client, pytest.raises(ConnectionError):
        trickle()


def test_a_connection_kept_for_nothing_is_closed(server: Server) -> None:
    host = server.address.removeprefix("http://")
    client = connected(server.address, f"GET /static/table.js HTTP/1.1\r\nHost: {host}\r\n\r\n")
    assert rest(client).startswith(b"HTTP/1.1 200 OK")


def test_many_half_requests_make_room_for_a_whole_one(tmp_path: Path) -> None:
    limits = RateLimit(header_seconds=1000, http_connections=8)
    ready = threading.Event()
    with Server(Tables(installed(), tmp_path, limits=limits)) as server:
        thread = threading.Thread(target=server.run, args=(ready.set,))
        thread.start()
        assert ready.wait(PATIENCE)
        try:
            slow = [connected(server.address, "GET / HTTP/1.1\r\n") for _ in range(30)]
            assert answers(server.address, server.key)
            # The oldest were closed.
            assert [rest(client) for client in slow[:20]] == [b""] * 20
            for client in slow:
                client.close()
        finally:
            server.stop()
            thread.join()


@pytest.mark.skipif(sys.platform == "win32", reason="connections are no files there")
def test_more_half_requests_than_files_neither_stop_the_server_nor_fill_its_log(
    tmp_path: Path,
) -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))\n" + START
    command = [sys.executable, "-c", code, "serve", "--no-open", "--port", "0", "--folder"]
    log = tmp_path / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*command, str(tmp_path / "games")], stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        assert process.stdout is not None
        found = re.search(r"(http://[^/]+)/\?key=(\S+)", process.stdout.readline())
        assert found is not None
        address, key = found.groups()
        half = [connected(address, "GET / HTTP/1.1\r\n") for _ in range(500)]
        broken = [connected(address, "\x16\x03 \0\0\r\n\r\n") for _ in range(100)]
        assert answers(address, key)
        for client in (*half, *broken):
            client.close()
        assert answers(address, key)
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
    assert "Traceback" not in log.read_text()
    assert len(log.read_text().splitlines()) < 5


def test_connections_and_tables_stay_below_the_files_of_the_process() -> None:
    for files in (300, 1024, 4096, 1 << 16):
        limits = RateLimit().within(files)
        used = limits.http_connections + limits.connections + limits.tables
        assert used < files
        assert min(limits.http_connections, limits.connections, limits.tables) > 0
