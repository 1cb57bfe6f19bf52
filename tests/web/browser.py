"""A server in a thread, and a real browser whose windows look at it."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web.conftest import setting

from mpsearch.plugins.catalog import installed
from mpsearch.web.keys import Keys
from mpsearch.web.server import Server
from mpsearch.web.tables import Tables

CHROMIUM = os.environ.get("MPSEARCH_CHROMIUM") or shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: apt-get install chromium"
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


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Open]:
    """Opens a window at an address; a script that fails or is forbidden fails the test."""
    contexts, complaints = [], []

    def opened(
        path: str,
        *,
        width: int = 1280,
        touch: bool = False,
        pace: int = 0,
        **settings: Any,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            has_touch=touch,
            is_mobile=touch,
            **settings,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"localStorage.setItem('mpsearch.pace', '{pace}')")
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            # A refused wish is an answer like any other.
            lambda line: (
                complaints.append(line.text)
                if line.type == "error" and "400 (Bad Request)" not in line.text
                else None
            ),
        )
        page.goto(server.lobby if path == "/" else server.address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


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
