"""The lobby in a real browser: pictures, strengths, seats, games to be resumed."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web.browser import Open, moved, my_turn, needs_chromium, seat, set_table

from mpsearch.agents import GENERAL
from mpsearch.api import MIXED, STRENGTHS
from mpsearch.plugins.catalog import installed
from mpsearch.web.server import Server

pytestmark = needs_chromium


def choose(page: Page, name: str, value: str) -> None:
    """Choose a game, a strength or a number of players."""
    choice = page.locator(f'input[name="{name}"][value="{value}"]')
    choice.wait_for(state="attached")  # before that the page would close the fold again
    if not choice.is_visible():
        page.click("#more-games summary")
    choice.check()


def open_advanced(page: Page) -> None:
    page.click("#advanced summary")


@pytest.mark.parametrize("width", [1280, 390])
def test_games_have_a_picture_and_a_sentence(visit: Open, width: int) -> None:
    page = visit("/", width=width)
    cards = page.locator("#games label")
    expect(cards).to_have_count(3)
    expect(cards.nth(1)).to_contain_text("Quoridor")
    expect(cards.nth(1)).to_contain_text("Race across the board")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#games img')].every(i => i.naturalWidth > 99)"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The others are there, each with a picture that is fetched when it is looked at.
    page.click("#more-games summary")
    names = page.locator("#others .name")
    assert names.count() == len(installed().games) - 3
    page.wait_for_function(
        "() => document.querySelector('#others img[src$=scramble]').naturalWidth > 99"
    )


def test_strengths_are_buttons_and_fill_the_seats(visit: Open) -> None:
    page = visit("/", width=390)
    choose(page, "game", "quoridor")
    buttons = page.locator("#strength label")
    assert [text.lower() for text in buttons.all_inner_texts()] == [*STRENGTHS, MIXED]
    choose(page, "players", "3")
    # Agents' texts are there for who looks for them.
    seats = page.locator("#seats input")
    expect(seats.first).to_be_hidden()
    open_advanced(page)
    expect(seats.first).to_be_visible()
    seats.nth(1).fill("another person")
    choose(page, "strength", "hard")
    expect(seats).to_have_count(3)
    assert [seats.nth(k).input_value() for k in range(3)] == ["you", "another person", "hard"]
    assert "hard" in {preset.name for preset in GENERAL}
    expect(page.locator("#strength-summary")).not_to_be_empty()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_game_is_begun_by_keyboard_alone(visit: Open) -> None:
    page = visit("/")
    expect(page.locator("#games label")).to_have_count(3)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "hearts"
    ring = page.locator("#games label").first
    assert ring.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chosen-game")).to_have_text("Quoridor")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    assert my_turn(page)


def test_the_lobby_sets_a_table_and_opens_a_record(
    server: Server, visit: Open, tmp_path: Path
) -> None:
    page = visit("/")
    choose(page, "game", "plunder")
    open_advanced(page)
    seats = page.locator("#seats input")
    seats.nth(1).fill("another person")
    seats.nth(2).fill("randum")
    page.click("button[type=submit]")
    expect(page.locator("#sorry")).to_contain_text("unknown agent for plunder 'randum'")
    seats.nth(2).fill("random")
    page.click("button[type=submit]")
    expect(page.locator("#links li")).to_have_count(3)
    expect(page.locator("#links")).to_contain_text("seat 0 (you)")
    for number in range(3):
        seats.nth(number).fill("random")
    page.click("button[type=submit]")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("body[data-over=true]")
    with page.expect_download() as download:
        page.click("#record")
    download.value.save_as(tmp_path / "game.jsonl")
    page.goto(server.address)
    page.set_input_files("#record", tmp_path / "game.jsonl")
    page.wait_for_url("**/table/*")
    expect(page.locator("#status")).to_contain_text("Step 0 of")
    expect(page.locator("#log li").first).to_contain_text("chance")


def test_the_lobby_deals_the_game_people_know_and_the_page_says_which(visit: Open) -> None:
    page = visit("/")
    choose(page, "game", "quoridor")
    expect(page.locator("#seats li")).to_have_count(4)
    expect(page.locator("#variant")).to_be_empty()
    choose(page, "game", "hearts")
    expect(page.locator("#variant")).to_have_text("Played as hearts (preset=standard).")
    choose(page, "strength", "easy")
    page.click("button[type=submit]")
    assert my_turn(page)
    expect(page.locator("#title")).to_have_text("hearts (preset=standard)")


def test_games_are_resumed_from_the_lobby_and_past_ones_looked_at(
    server: Server, visit: Open
) -> None:
    mine = set_table(server, "quoridor", "human", "greedy", size=5)
    others = set_table(server, "quoridor", "human", "human", size=5)
    page = visit(seat(mine))
    assert my_turn(page)
    page.click('[data-move="c2"]')
    moved(page, 0)
    page.goto(server.lobby)
    games = page.locator("#running li")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("quoridor (size=5)")
    expect(games).to_contain_text(re.compile(r"against \w+ the hasty"))
    # Of games whose address this browser never had, nothing is said.
    assert others.seats[0] not in page.content()
    games.get_by_role("link", name="Resume").click()
    page.wait_for_url(f"**{seat(mine)}")
    my_turn(page)
    page.click("#leave summary")
    page.click("#resign")
    page.wait_for_selector("body[data-over=true]")
    page.goto(server.lobby)
    past = page.locator("#past li")
    expect(past).to_have_count(1)
    expect(past).to_contain_text(re.compile("you (won|lost)"))
    past.get_by_role("button").click()
    expect(past).to_have_count(0)
    page.reload()
    expect(page.locator("#games label")).to_have_count(3)
    assert json.loads(page.evaluate("localStorage.getItem('mpsearch.games')")) == []
    expect(page.locator("#mine")).to_be_hidden()
