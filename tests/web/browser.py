"""A server in a thread, and a real browser whose windows look at it."""

import os
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from support.settings import setting

from mpsearch.plugins.catalog import installed
from mpsearch.web.keys import Keys
from mpsearch.web.server import Server
from mpsearch.web.tables import Tables

#: The headless shell is the same browser without all that is around its pages: a quarter less work.
CHROMIUM = (
    os.environ.get("MPSEARCH_CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: apt-get install chromium-headless-shell"
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: Milliseconds after which something is broken; a busy machine may compile first.
PATIENCE = 120_000


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Tables(installed(), Path(folder))) as serving,
    ):
        ready = threading.Event()
        thread = threading.Thread(target=serving.run, args=(ready.set,), daemon=True)
        thread.start()
        ready.wait()
        yield serving
        serving.stop()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Module scope: while it lives, nothing else in this process can run an event loop.
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


Open = Callable[..., Page]


class Windows:
    """Windows of a browser, each with storage of its own.

    A window that a test has done with is emptied and used again: to open one takes 1.3 seconds of
    processor time, to lead it to another address 0.5 (18 November 2026).
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        #: An address at which a window keeps its process and nothing happens.
        self._nowhere = server.address + "/static/icon.svg"
        #: By what cannot be changed in a window.
        self._free: defaultdict[tuple[bool, bool, int], list[Page]] = defaultdict(list)
        self._used: list[tuple[list[Page], Page]] = []
        #: Failures of scripts, and what was forbidden.
        self.complaints: list[str] = []

    def open(self, *, touch: bool, bypass_csp: bool, pace: int) -> Page:
        free = self._free[touch, bypass_csp, pace]
        page = free.pop() if free else self._new(touch=touch, bypass_csp=bypass_csp, pace=pace)
        self._used.append((free, page))
        return page

    def empty(self) -> list[str]:
        """Take back all windows; what was complained of until then."""
        for _, page in self._used:
            page.evaluate("0")  # whatever was said before is heard before the answer
        complaints = [*self.complaints]
        for free, page in self._used:
            page.goto(self._nowhere)
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            page.context.clear_cookies()
            free.append(page)
        self._used.clear()
        self.complaints.clear()
        return complaints

    def _new(self, *, touch: bool, bypass_csp: bool, pace: int) -> Page:
        context = self._browser.new_context(has_touch=touch, is_mobile=touch, bypass_csp=bypass_csp)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"localStorage.setItem('mpsearch.pace', '{pace}')")
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, line: ConsoleMessage) -> None:
        # A refused wish is an answer like any other, and nowhere there is no icon.
        icon = line.location["url"].endswith("/favicon.ico")
        if line.type == "error" and "400 (Bad Request)" not in line.text and not icon:
            self.complaints.append(line.text)


@pytest.fixture(scope="module")
def windows(browser: Browser, server: Server) -> Windows:
    return Windows(browser, server)


@pytest.fixture
def visit(windows: Windows, server: Server) -> Iterator[Open]:
    """Opens a window at an address; a script that fails or is forbidden fails the test."""

    def opened(
        path: str,
        *,
        width: int = 1280,
        touch: bool = False,
        bypass_csp: bool = False,
        pace: int = 0,
        reduced_motion: Literal["no-preference", "reduce"] = "no-preference",
    ) -> Page:
        page = windows.open(touch=touch, bypass_csp=bypass_csp, pace=pace)
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="light", reduced_motion=reduced_motion)
        page.goto(server.lobby if path == "/" else server.address + path)
        return page

    yield opened
    assert windows.empty() == []


expect.set_options(timeout=PATIENCE)


def set_table(server: Server, *arguments: str, **options: Any) -> Keys:
    return server.tables.set_table(setting(*arguments, **options))


def seat(keys: Keys, number: int = 0) -> str:
    return f"/table/{keys.seats[number]}"


def ply(page: Page) -> int:
    return int(page.get_attribute("body", "data-shown") or 0)


def my_turn(page: Page) -> bool:
    """Wait until it is one's turn, or the game is over; which of them."""
    page.wait_for_selector("body[data-yours=true], body[data-over=true][data-yours=false]")
    return page.get_attribute("body", "data-yours") == "true"


def type_move(page: Page, move: str) -> None:
    """Play a move by its text, wherever the field for it is."""
    before = ply(page)
    page.evaluate(
        """move => {
            document.getElementById("move").value = move;
            document.getElementById("typed").requestSubmit();
        }""",
        move,
    )
    moved(page, before)


def moved(page: Page, before: int) -> None:
    """Wait until the game has gone on."""
    page.wait_for_function("ply => Number(document.body.dataset.shown) > ply", arg=before)
