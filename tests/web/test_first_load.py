"""What a window fetches before it can be used, in bytes."""

import pytest
from playwright.sync_api import expect
from web.browser import Open, my_turn, needs_chromium, seat, set_table

from mpsearch.web.server import Server

pytestmark = needs_chromium

MOST_BYTES = 300_000
#: Bytes of bodies, as they are sent: nothing is compressed.
FETCHED = """() => performance.getEntries().filter(e => e.encodedBodySize !== undefined)
    .reduce((sum, e) => sum + e.encodedBodySize, 0)"""


def test_the_lobby_with_its_pictures(visit: Open) -> None:
    page = visit("/")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#games img')].filter(i => i.naturalWidth).length > 2"
    )
    assert 50_000 < page.evaluate(FETCHED) < MOST_BYTES


@pytest.mark.parametrize("game", ["quoridor", "hearts", "risk_lite"])
def test_a_table_and_all_that_is_told_before_the_first_move(
    server: Server, visit: Open, game: str
) -> None:
    keys = set_table(server, game, *["human"] * 4)
    page = visit("/")
    told: list[int] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda text: told.append(len(text))),
    )
    page.goto(server.address + seat(keys))
    expect(page.locator("#board svg")).to_be_visible()
    my_turn(page) if game != "hearts" else page.wait_for_selector("body[data-shown='1']")
    assert sum(told) > 1000
    assert 50_000 < page.evaluate(FETCHED) + sum(told) < MOST_BYTES
