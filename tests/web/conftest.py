"""A server in this process, and windows that talk to it as a browser does."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from support.settings import setting
from web.browser import browser, server, visit, windows

from mpsearch.plugins.catalog import installed
from mpsearch.web.app import make_site
from mpsearch.web.keys import Keys
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.tables import Tables

#: Fixtures of every file here.
__all__ = ["browser", "server", "visit", "windows"]
HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"
#: Seconds after which a server that says nothing will say nothing any more.
PATIENCE = 120


@attrs.define
class Window:
    """A browser window: keeps every text that the server ever sent to it."""

    socket: WebSocketTestSession
    texts: list[str] = attrs.field(factory=list)
    #: How things stood when it was last told.
    now: dict[str, Any] = attrs.field(factory=lambda: {"ply": -1})
    patience: float = PATIENCE
    #: Where what is sent is waited for: a wait that takes too long ends with the connection.
    _ear: ThreadPoolExecutor = attrs.field(factory=lambda: ThreadPoolExecutor(1), init=False)

    def send(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        heard = self._ear.submit(self.socket.receive_text)
        try:
            self.texts.append(heard.result(timeout=self.patience))
        except TimeoutError:
            last = self.texts[-1][:200] if self.texts else "nothing at all"
            pytest.fail(f"nothing was said for {self.patience} s; the last was {last}")
        found: dict[str, Any] = json.loads(self.texts[-1])
        if found["type"] == "now":
            self.now = found
        return found

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of a kind in which the given fields have the given values."""
        while True:
            message = self.receive()
            if message["type"] == kind and all(message[k] == v for k, v in fields.items()):
                return message

    def at(self, ply: int) -> dict[str, Any]:
        """How things stand after so many plies, which have been played."""
        while self.now["ply"] < ply:
            self.receive()
        return self.now

    def turn(self) -> dict[str, Any]:
        """The next time that it is this window's turn, or the end of the game."""
        while True:
            now = self.until("now")
            if now["yours"] or now["over"] or now["trouble"]:
                return now

    def play(self, now: dict[str, Any], choice: int = 0) -> None:
        moves = now["moves"]
        self.send(type="play", ply=now["ply"], move=moves[choice % len(moves)])


@attrs.define
class House:
    """Tables, and a client of the application around them."""

    tables: Tables
    client: TestClient

    def window(self, token: str) -> Any:
        """A connected window, as a context."""
        return _Opened(self.client, f"ws://{HOST}/table/{token}/socket")

    def analysis(self, token: str, seat: int | None = None) -> Any:
        """A connected window of the analysis board, as a context."""
        asked = "" if seat is None else f"?seat={seat}"
        return _Opened(self.client, f"ws://{HOST}/table/{token}/analysis/socket{asked}")

    def set_table(self, *arguments: Any, **options: Any) -> Keys:
        return self.tables.set_table(setting(*arguments, **options))


class _Opened:
    def __init__(self, client: TestClient, path: str) -> None:
        self._session = client.websocket_connect(path, headers={"origin": ORIGIN})

    def __enter__(self) -> Window:
        return Window(self._session.__enter__())

    def __exit__(self, *error: Any) -> None:
        self._session.__exit__(*error)


@pytest.fixture
def limits() -> RateLimit:
    """Tests of one limit override this."""
    return RateLimit(rate=1e6, burst=10**6)


@pytest.fixture
def house(tmp_path: Path, limits: RateLimit) -> Iterator[House]:
    tables = Tables(installed(), tmp_path / "games", limits=limits)
    with TestClient(make_site(tables), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        yield House(tables, client)
