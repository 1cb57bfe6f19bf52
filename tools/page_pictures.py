"""Retakes the screenshots in README and docs: python tools/page_pictures.py.

Games, seeds and moves are fixed, and agents have limits of depth, so that only the page changes.
Needs the `web` extra and the `test` group (Playwright, Pillow), and a Chromium (`MPSEARCH_CHROMIUM`
or `chromium` in the path).
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import threading
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from mpsearch.match import Setting
from mpsearch.plugins import installed
from mpsearch.web import Server, Tables

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1280, 800)
#: Milliseconds that a game of agents may take.
PATIENCE = 600_000
#: Colours of a picture in its file.
COLOURS = 128


def main() -> None:
    """Take them all."""
    chromium = os.environ.get("MPSEARCH_CHROMIUM") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Tables(installed(), Path(folder))) as server,
        sync_playwright() as playwright,
    ):
        ready = threading.Event()
        thread = threading.Thread(target=server.run, args=(ready.set,), daemon=True)
        thread.start()
        ready.wait()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        width, height = SIZE
        context = browser.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(PATIENCE)
        context.add_init_script("localStorage.setItem('mpsearch.pace', '0')")
        for take in (quoridor, hearts, risk):
            keep(take(server, context.new_page()), take.__name__)
        browser.close()
        server.stop()
        thread.join()


def quoridor(server: Server, page: Page) -> Page:
    """Four agents: the first attack, and its explanation."""
    agent = "mpmix:td=5,to=5,depth=2,branching=near"
    sit_down(server, page, "quoridor", *[agent] * 4, seed=3)
    page.wait_for_selector("body[data-over=true]")
    turned = page.locator("#log li", has_text="offensive")
    # Not the first of all: by then there is something to be seen on the board.
    turned.nth(min(3, turned.count() - 1)).locator("button").click()
    page.wait_for_selector("#why details")
    return page


def hearts(server: Server, page: Page) -> Page:
    """A hint in the fourth trick."""
    agents = ("human", "mpmix:td=20,to=20,depth=2,worlds=10", "paranoid:depth=2,worlds=10", "wrt")
    sit_down(server, page, "hearts", *agents, seed=11, preset="standard")
    for _ in range(7):
        play(page, -1)
    my_turn(page)
    page.click("#hint")
    page.wait_for_selector("#advice .hint")
    return page


def risk(server: Server, page: Page) -> Page:
    """A campaign being chosen."""
    agents = ("human", "mpmix:td=20,to=20,depth=1", "evil_pixie", "sos:depth=1")
    sit_down(server, page, "risk_lite", *agents, seed=5)
    for _ in range(3):
        play(page, 1)
    my_turn(page)
    for _ in range(3):
        page.locator("#board .possible").last.click()
    return page


def sit_down(
    server: Server, page: Page, game: str, *agents: str, seed: int, **options: str
) -> None:
    """Open a table at its first seat, or to watch."""
    offer = installed().game_offer(game)
    setting = Setting(
        game=game, players=len(agents), options=offer.settle(options), agents=agents, seed=seed
    )
    keys = server.tables.set_table(setting)
    page.goto(f"{server.address}/table/{keys.seats.get(0, keys.watch)}")


def my_turn(page: Page) -> None:
    page.wait_for_selector("body[data-yours=true]")


def play(page: Page, number: int) -> None:
    """Play the legal move of that number."""
    my_turn(page)
    before = page.get_attribute("body", "data-shown")
    moves = page.locator("#legal option").evaluate_all("all => all.map(o => o.value)")
    page.fill("#move", moves[min(number, len(moves) - 1)])
    page.press("#move", "Enter")
    page.wait_for_selector(f"body:not([data-shown='{before}'])")


def keep(page: Page, name: str) -> None:
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)  # until nothing moves any more
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    taken.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"{FOLDER / name}.png")


if __name__ == "__main__":
    main()
