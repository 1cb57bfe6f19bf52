"""The analysis board in a real browser."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from web.browser import PATIENCE, Open, needs_chromium, seat, set_table

import mpsearch
from mpsearch.match import read_record
from mpsearch.web.server import Server

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of four at Quoridor on a small board."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    agents = ("mpmix:td=5,to=5,depth=1", "paranoid:depth=1", "sos:depth=1", "greedy")
    mpsearch.play("quoridor", *agents, seed=2, size=5, walls=2).save(path)
    return path


@pytest.fixture
def path(game: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(game, tmp_path / "game.jsonl"))


def node(page: Page) -> int:
    return int(page.get_attribute("body", "data-node") or -1)


def at(page: Page, number: int) -> None:
    page.wait_for_selector(f"body[data-node='{number}']")


def test_step_try_go_on_and_find_it_again(server: Server, visit: Open, path: Path) -> None:
    record = read_record(path)
    page = visit(f"/table/{server.tables.show_record(path).watch}/analysis#ply=4")
    at(page, 4)
    expect(page.locator("#status")).to_contain_text(
        re.compile(rf"Ply 4 of {len(record.plies)}\. \w+ \(seat 0\) is to move")
    )
    page.keyboard.press("ArrowRight")
    at(page, 5)
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("End")
    at(page, len(record.plies))
    expect(page.locator("#line-up")).to_contain_text("★ wins")
    page.click('[data-node="4"]')
    at(page, 4)
    # Another move than the one of the game, on the board.
    steps = page.locator('#board [data-label^="step"]')
    names = [steps.nth(k).get_attribute("data-move") for k in range(steps.count())]
    other = next(name for name in names if name != record.plies[4]["move"])
    page.click(f'#board [data-move="{other}"]')
    page.wait_for_selector("body[data-tried=true]")
    tried = node(page)
    expect(page.locator("#status")).to_contain_text("Variation, ply 5, from ply 4")
    expect(page.locator(f'.tree li [data-node="{tried}"]')).to_have_attribute(
        "aria-current", "step"
    )
    page.click("#one")
    page.wait_for_function("node => Number(document.body.dataset.node) > node", arg=tried)
    expect(page.locator(".tree li [data-node]")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    at(page, tried)
    page.keyboard.press("ArrowUp")
    at(page, 5)
    page.keyboard.press("ArrowDown")
    at(page, tried)
    page.click("#on")
    page.wait_for_function("() => document.querySelectorAll('.tree li [data-node]').length > 6")
    if page.is_visible("#stop"):
        page.evaluate("document.getElementById('stop').click()")
    expect(page.locator("#kept")).to_have_text("Variations are saved in the record's file.")
    page.reload()
    at(page, 4)
    assert page.locator(".tree li [data-node]").count() > 6
    page.locator(".tree li [data-node]").first.click()
    page.wait_for_selector("body[data-tried=true]")
    page.click("#remove")
    at(page, 4)
    expect(page.locator(".tree li [data-node]")).to_have_count(0)
    assert read_record(path).variations == ()


def test_the_engine_grows_and_changes_with_the_stance(
    server: Server, visit: Open, path: Path
) -> None:
    page = visit(f"/table/{server.tables.show_record(path).watch}/analysis#ply=8")
    at(page, 8)
    page.click("#think")
    expect(page.locator("#lines li").first).to_be_visible()
    page.wait_for_function("() => /depth [3-9]/.test(document.getElementById('found').innerText)")
    expect(page.locator("#lines li")).to_have_count(5)
    expect(page.locator("#found")).to_contain_text("(seat 0)")
    page.locator("#line-up select").first.select_option(label="offensive against seat 2")
    page.wait_for_function(
        "() => /offensive → (?!seat)\\w+/.test(document.getElementById('found').innerText)"
    )
    page.click("#said summary")
    expect(page.locator("#said")).to_contain_text(re.compile(r"works against (?!seat)\w+ alone"))
    page.locator("#lines li").first.hover()
    move = page.locator("#lines li button").first.get_attribute("title")
    page.locator("#lines li button").first.click()
    page.wait_for_function("() => document.body.dataset.node !== '8'")
    expect(page.locator("#status")).to_contain_text(f"{move}. ")
    page.click("#think")
    expect(page.locator("#lines li")).to_have_count(0)


def test_the_graph_leads_to_turning_points(server: Server, visit: Open, path: Path) -> None:
    page = visit(f"/table/{server.tables.show_record(path).watch}/analysis")
    at(page, 0)
    marks = page.locator("#drawn [data-position][role=button]")
    expect(marks.first).to_be_visible()
    wanted = int(marks.first.get_attribute("data-position") or 0)
    marks.first.focus()
    page.keyboard.press("Enter")
    at(page, wanted)
    page.click("#graph summary")
    button = page.locator("#points button").last
    expect(button).to_contain_text("move ")
    button.click()
    at(page, int(button.inner_text().split()[1]))
    # A click at the left edge of the drawing is the start of the game.
    box = page.locator("#drawn svg").bounding_box()
    assert box is not None
    page.locator("#drawn svg").click(position={"x": 2, "y": box["height"] / 2})
    at(page, 0)
    expect(page.locator("#drawn .cursor")).to_have_count(1)


def test_from_the_end_of_a_game_to_its_analysis(server: Server, visit: Open) -> None:
    keys = set_table(server, "scramble", "human", "maxn:depth=1", length=6)
    page = visit(seat(keys))
    page.click("#leave summary")
    expect(page.locator("a.analyse").first).to_be_hidden()
    page.click("#resign")
    page.wait_for_selector("body[data-over=true]")
    page.locator("#ending a.analyse").click()
    page.wait_for_selector("body[data-node]")
    expect(page.locator("#title")).to_contain_text("analysis")
    page.click("#back")
    page.click("#to-table")
    page.wait_for_selector("body[data-shown]")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    ("name", "options"), [("hearts", {"single": True, "preset": "standard"}), ("risk_lite", {})]
)
def test_cards_and_maps_fit_and_can_be_tried(
    server: Server,
    visit: Open,
    tmp_path: Path,
    name: str,
    options: dict[str, Any],
    width: int,
) -> None:
    path = tmp_path / "game.jsonl"
    mpsearch.play(name, "random", seed=3, **options).save(path)
    page = visit(f"/table/{server.tables.show_record(path).watch}/analysis#ply=21", width=width)
    at(page, 21)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    record = read_record(path)
    if record.plies[21]["seat"] is None:
        page.click("#next")
        at(page, 22)
    options_given = page.locator("#legal option")
    legal = [
        options_given.nth(k).get_attribute("value") or "" for k in range(options_given.count())
    ]
    made = record.plies[node(page)]["move"]
    other = next((move for move in legal if move != made), made)
    before = node(page)
    page.fill("#move", other)
    page.press("#move", "Enter")
    page.wait_for_function("node => Number(document.body.dataset.node) !== node", arg=before)
    page.click("#on")
    page.wait_for_function("() => document.querySelectorAll('.tree li [data-node]').length > 3")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["plunder", "scramble"])
def test_lines_from_drawn_worlds_are_said_to_be(
    server: Server, visit: Open, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "game.jsonl"
    mpsearch.play(name, "maxn:depth=1,worlds=2", seed=3).save(path)
    first = next(k for k, ply in enumerate(read_record(path).plies) if ply["seat"] is not None)
    page = visit(f"/table/{server.tables.show_record(path).watch}/analysis#ply={first}")
    at(page, first)
    page.click("#think")
    expect(page.locator("#lines li").first).to_be_visible()
    expect(page.locator("#sampled")).to_be_visible(visible=name == "plunder")


def test_the_page_is_small_and_everything_has_a_name(
    browser: Browser, server: Server, path: Path
) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    token = server.tables.show_record(path).watch
    page.goto(f"{server.address}/table/{token}/analysis")
    at(page, 0)
    page.wait_for_selector("#drawn svg")
    unnamed = """() => [...document.querySelectorAll('button, input, select, a, [role=button]')]
        .filter(e => e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim()
            || e.labels?.length)).map(e => e.outerHTML)"""
    assert page.evaluate(unnamed) == []
    assert page.locator("h1").count() == 1
    context.close()
    assert len(sizes) > 5
    assert sum(sizes) < 300_000


def test_on_a_phone_every_panel_has_a_tab(server: Server, visit: Open, path: Path) -> None:
    address = f"/table/{server.tables.show_record(path).watch}/analysis#ply=4"
    page = visit(address, width=390, touch=True)
    at(page, 4)
    for name, panel in {
        "Engine": "#engine",
        "Moves": "#tree",
        "Seats": "#line-up .meter",
        "Values": "#drawn polyline",
        "Why": "#why-words",
    }.items():
        page.locator("#tabs").get_by_role("tab", name=name).tap()
        expect(page.locator(panel).first).to_be_visible()
        expect(page.locator("[data-tab]:visible").first).to_have_attribute("role", "tabpanel")
