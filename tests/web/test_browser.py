"""A real browser: games played by clicking, by touch and by keyboard."""

import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Position, expect
from support.settings import setting
from web.browser import PATIENCE, Open, moved, my_turn, needs_chromium, ply, seat, set_table

from mpsearch.plugins.catalog import installed
from mpsearch.web.server import Server
from mpsearch.web.tables import Tables

pytestmark = needs_chromium


def test_a_whole_game_of_quoridor_by_clicking(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "greedy", size=5, walls=2)
    page = visit(seat(keys))
    assert my_turn(page)
    wall = page.locator('[data-move="a4v"]')
    edge = Position(x=10, y=8)
    wall.locator(".hit").hover(position=edge)
    expect(wall.locator(".preview")).to_have_css("opacity", "0.75")
    wall.locator(".hit").click(position=edge)
    moved(page, 0)
    turns = 1
    while my_turn(page):
        before = ply(page)
        steps = page.locator('[data-label^="step"]')
        names = [steps.nth(k).get_attribute("data-move") or "" for k in range(steps.count())]
        page.click(f'[data-move="{max(names, key=lambda name: name[1])}"]')
        moved(page, before)
        turns += 1
        assert turns < 60
    expect(page.locator("#status")).to_contain_text("The game is over")
    expect(page.locator("#seats")).to_contain_text("★ wins")
    expect(page.locator("#log li").first).to_contain_text("a4v")
    with page.expect_download() as download:
        page.click("#record")
    assert download.value.suggested_filename == "quoridor-1.jsonl"


def test_a_deal_of_hearts_by_clicking(server: Server, visit: Open) -> None:
    keys = set_table(server, "hearts", "human", "random", "wrt", "random", single="yes")
    page = visit(seat(keys))
    played = 0
    while my_turn(page):
        before = ply(page)
        cards = page.locator("#board [data-move]")
        cards.first.hover()
        expect(cards.first).not_to_have_css("transform", "none")
        # Only the part of a card that no other card covers can be clicked.
        cards.first.click(position={"x": 8, "y": 12})
        moved(page, before)
        played += 1
    assert played == 13
    expect(page.locator("#status")).to_contain_text("The game is over")
    # Now everything may be known: the deal, with all hands open.
    page.click("#first")
    page.click("#next")
    expect(page.locator("#status")).to_contain_text("Step 1 of")
    expect(page.locator("#board svg text", has_text="Q♠")).to_have_count(1)


def test_ten_turns_of_risk_by_clicking(server: Server, visit: Open) -> None:
    keys = set_table(server, "risk_lite", "human", "random", "random", map="woodland")
    page = visit(seat(keys))
    attacks = 0
    for _ in range(10):
        assert my_turn(page)
        before = ply(page)
        page.locator("[data-part].possible").first.click()
        further = page.locator("[data-part].possible")
        if further.count():
            further.last.click()
            expect(page.locator(".chosen-path path")).to_have_count(1)
            attacks += 1
        text = page.inner_text("#chosen")
        page.click("#go")
        moved(page, before)
        expect(page.locator("#log button", has_text=text[:20]).last).to_be_visible()
    assert attacks > 3


def test_an_illegal_move_is_refused_with_its_reason(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "human", size=5)
    page = visit(seat(keys))
    assert my_turn(page)
    page.fill("#move", "e5")
    page.press("#move", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("'e5' is not legal: ")
    page.fill("#move", "queen")
    page.press("#move", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("move 'queen' is neither a step")
    assert ply(page) == 0
    page.click('[data-move="c2"]')
    moved(page, 0)
    expect(page.locator("#sorry")).to_have_text("")


def test_a_reload_in_mid_game_loses_nothing(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "human", size=5)
    page, other = visit(seat(keys)), visit(seat(keys, 1))
    # Not in the middle of the wall, where one that crosses it could be meant as well.
    edge = Position(x=8, y=10)
    for window, move, where in ((page, "c2", None), (other, "c4", None), (page, "a1h", edge)):
        assert my_turn(window)
        before = ply(window)
        window.locator(f'[data-move="{move}"]').locator(".hit" if where else "xpath=.").click(
            position=where
        )
        moved(window, before)
    log = page.inner_text("#log")
    board = page.inner_html("#board")
    page.reload()
    page.wait_for_selector("body[data-shown='3']")
    assert page.inner_text("#log") == log
    assert page.inner_html("#board") == board


def test_a_move_is_taken_back_and_the_list_says_so(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "maxn:depth=1", size=5)
    page = visit(seat(keys), width=390)
    assert my_turn(page)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_hidden()
    page.click('[data-move="c2"]')
    page.wait_for_selector("body[data-shown='2'][data-yours='true']")
    undo.click()
    page.wait_for_selector("body[data-shown='0'][data-yours='true']")
    expect(page.locator("#log li")).to_have_count(0)
    page.click('[data-move="b1"]')
    page.wait_for_selector("body[data-shown='2'][data-yours='true']")
    expect(page.locator("#log li").first).to_contain_text("b1 you (seat 0) after an undo")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice .hint")).to_have_count(3)
    # Long texts of advisers do not make the page wider than the phone.
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_windows_at_one_table_and_a_third_that_watches(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "human", size=5)
    first, second = visit(seat(keys)), visit(seat(keys, 1))
    watcher = visit(f"/table/{keys.watch}")
    expect(first.locator("#status")).to_have_text("Your move.")
    expect(second.locator("#status")).to_have_text("seat 0 is to move.")
    assert second.locator("[data-move]").count() == 0
    first.click('[data-move="c2"]')
    expect(second.locator("#status")).to_have_text("seat 0: c2. Your move.")
    expect(watcher.locator("#status")).to_have_text("seat 0: c2. seat 1 is to move.")
    assert watcher.locator("[data-move]").count() == 0
    second.click('[data-move="c4"]')
    expect(watcher.locator("#log li")).to_have_count(2)


def test_watching_agents_with_stances_matrix_values_and_why(server: Server, visit: Open) -> None:
    agents = ("mpmix:td=0,to=0,depth=1", "sos:depth=1", "greedy")
    keys = set_table(server, "scramble", *agents, length=6)
    page = visit(f"/table/{keys.watch}", pace=300)
    page.wait_for_selector("body[data-over=true]")
    page.reload()
    expect(page.locator("#status")).to_contain_text("Step 0 of")
    page.click("#run")
    expect(page.locator("#log [aria-current=step]")).to_contain_text(f"{called(page, 0)} (seat 0)")
    page.click("#last")
    expect(page.locator("#seats .stance").nth(1)).to_have_text("sos")
    expect(page.locator("#seats [role=meter]")).to_have_count(3)
    expect(page.locator("#matrix td.care")).to_have_count(9)
    expect(page.locator("#why details")).not_to_have_attribute("open", "")
    expect(page.locator("#why")).to_contain_text("nodes, depth 1")
    page.click("#why-of [aria-label^='seat 1:']")
    expect(page.locator("#why-words")).to_contain_text(f"{called(page, 1)} (SOS) plays for itself")
    page.click("#why-of [aria-label^='seat 0:']")
    expect(page.locator("#why-words")).to_contain_text("MP-Mix")
    page.locator("#matrix select").select_option("1")
    expect(page.locator("#matrix caption")).to_contain_text("(seat 1), sos")


def test_stepping_back_shows_what_was_and_takes_no_move(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "greedy", size=5)
    page = visit(seat(keys))
    assert my_turn(page)
    page.click('[data-move="c2"]')
    moved(page, 0)
    assert my_turn(page)
    latest = ply(page)
    page.click("#back")
    expect(page.locator("#status")).to_contain_text(f"Step {latest - 1} of {latest}")
    assert page.locator("[data-move]").count() == 0
    expect(page.locator("#typed")).to_be_hidden()
    page.locator("#ply").focus()
    page.keyboard.press("Home")
    expect(page.locator("#status")).to_have_text(f"Step 0 of {latest}.")
    page.click("#log li:first-child button")
    expect(page.locator("#status")).to_contain_text(f"Step 1 of {latest}")
    page.click("#last")
    assert my_turn(page)
    assert page.locator("[data-move]").count() > 10


@pytest.mark.parametrize(
    ("game", "options"),
    [("quoridor", {}), ("hearts", {"single": "yes"}), ("risk_lite", {}), ("plunder", {})],
)
def test_a_phone_wide_window_fits_and_asks_before_it_plays(
    server: Server, visit: Open, game: str, options: dict[str, Any]
) -> None:
    count = installed().game_offer(game).default_players
    keys = set_table(server, game, *["human"] * count, **options)
    pages = (visit(seat(keys, k), width=390, touch=True) for k in range(count))
    page = next(p for p in pages if "Your move" in _status(p))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    before = ply(page)
    if game == "plunder":
        page.locator("#all button").first.tap()
    else:
        # Only the part of a card that no other card covers can be touched.
        where = None if game == "risk_lite" else Position(x=6, y=10)
        page.locator("#board .possible").first.tap(position=where)
        expect(page.locator("#chosen")).not_to_be_empty()
        assert ply(page) == before
        page.tap("#go")
    moved(page, before)


def test_the_page_tells_the_rules_and_why_it_waits(
    server: Server, visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mpsearch.web.viewer.compiling_elsewhere", lambda rules: True)
    keys = set_table(server, "quoridor", "maxn:time=9", "human")
    page = visit(seat(keys, 1))
    expect(page.locator("#status")).to_contain_text(
        "is thinking. (The game is still being compiled"
    )
    guide = installed().game_offer("quoridor").read_guide()
    assert guide is not None
    page.click("#rules summary")
    expect(page.locator("#rules pre")).to_be_visible()
    assert page.locator("#rules pre").text_content() == guide.text


def test_a_wide_map_on_a_phone_is_seen_whole_and_closely_where_something_is_chosen(
    server: Server, visit: Open
) -> None:
    agents = ("human", *["sos:depth=1"] * 5)
    keys = set_table(server, "risk_lite", *agents, seed=5)
    page = visit(seat(keys), width=390, touch=True)
    assert my_turn(page)
    hangs_over = "() => { const b = document.getElementById('board');"
    hangs_over += " return b.scrollWidth > b.clientWidth; }"
    drawn = page.locator("[data-part] > circle:first-child").first
    name = page.locator("#board .detail").first
    # All of it, with places that a finger finds, and without names too small to be read.
    assert not page.evaluate(hangs_over)
    assert drawn.evaluate("e => e.getBoundingClientRect().width") > 19
    expect(name).to_be_hidden()
    page.tap("#zoom")
    assert page.evaluate(hangs_over)
    expect(name).to_be_visible()
    page.tap("#zoom")
    assert not page.evaluate(hangs_over)
    parts = page.locator("#parts button")
    source = parts.first.inner_text()
    parts.first.tap()
    expect(page.locator("#chosen")).to_have_text(source)
    seen = page.locator(f'[data-part="{source}"]')
    seen.click(trial=True)  # what is chosen can be seen and touched
    assert page.evaluate(hangs_over)
    target = parts.last.inner_text()
    parts.last.tap()
    expect(page.locator("#chosen")).to_have_text(f"{source}>{target}")
    page.tap("#go")
    # What the dice brought about is told in words, and whose campaign it was.
    expect(page.locator("#log li").nth(2)).to_contain_text(f"{source} > {target}: ")
    assert my_turn(page)
    expect(page.locator("#status")).to_contain_text(f"{called(page, 5)} (seat 5): ")
    # Numbers of a matrix of six stand in one line each.
    assert page.locator("#matrix td.care").count() == 36
    heights = page.locator("#matrix td.care").evaluate_all("all => all.map(e => e.offsetHeight)")
    assert max(heights) < 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_hint_is_seen_at_once_on_a_phone(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "random", size=5)
    page = visit(seat(keys), width=390, touch=True)
    assert my_turn(page)
    page.tap("#hint")
    expect(page.locator("#advice .hint")).to_have_count(3)
    expect(page.locator("#board .hinted")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.9)


def called(page: Page, number: int) -> str:
    """What the agent at a seat is called, without what it is like."""
    return page.inner_text(f'#seats [data-seat="{number}"] .agent').split(" ")[0]


def _status(page: Page) -> str:
    page.wait_for_selector("body[data-shown]")
    page.wait_for_function("!/Chance|connecting/.test(document.getElementById('status').innerText)")
    return page.inner_text("#status")


def test_a_game_by_keyboard_alone(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "human", size=3, walls=1)
    page, other = visit(seat(keys)), visit(seat(keys, 1))
    assert my_turn(page)
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[data-move]')") is not None:
            break
    focused = "document.activeElement.getAttribute('aria-label')"
    seen = {page.evaluate(focused)}
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
        seen.add(page.evaluate(focused))
    assert len(seen) > 2
    assert all(label.startswith(("step to", "wall")) for label in seen)
    page.keyboard.press("Enter")
    moved(page, 0)
    assert my_turn(other)
    other.focus("#move")
    other.keyboard.type("pass")
    other.keyboard.press("Enter")
    expect(other.get_by_role("alert")).to_contain_text("'pass' is not legal")
    other.keyboard.press("Tab")
    other.keyboard.press("h")
    expect(other.locator("#advice")).to_contain_text("would play")
    other.locator("#advice button").first.focus()
    other.keyboard.press("Enter")
    moved(other, 1)


def test_everything_that_can_be_used_has_a_name(server: Server, visit: Open) -> None:
    keys = set_table(server, "hearts", "human", "human", "human", "human", single="yes")
    unnamed = """() => [...document.querySelectorAll('button, input, select, a, [role=button]')]
        .filter(e => e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim()
            || e.labels?.length)).map(e => e.outerHTML)"""
    for page in (visit("/"), next(p for p in (visit(seat(keys, k)) for k in range(4))
                                  if "Your move" in _status(p))):  # fmt: skip
        page.wait_for_selector("#seats li", state="attached")
        assert page.evaluate(unnamed) == []
        assert page.locator("h1").count() == 1
    label = page.locator("[data-move] > [role=button]").first.get_attribute("aria-label")
    assert label == "two of clubs"


def test_a_window_finds_its_game_again_after_the_server_died(
    browser: Browser, tmp_path: Path
) -> None:
    halls = [Tables(installed(), tmp_path)]
    keys = halls[0].set_table(setting("quoridor", "human", "human", size=5))
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    port = 0
    for life in range(2):
        with Server(halls[-1], port=port) as serving:
            port = int(serving.address.rsplit(":", 1)[1])
            ready = threading.Event()
            thread = threading.Thread(target=serving.run, args=(ready.set,), daemon=True)
            thread.start()
            ready.wait()
            if life == 0:
                page.goto(serving.address + seat(keys))
                page.click('[data-move="c2"]')
                moved(page, 0)
            else:
                page.wait_for_selector("body[data-link=open]")
                told = "you (seat 0): c2. seat 1 is to move."
                expect(page.locator("#status")).to_have_text(told)
            serving.stop()
            thread.join()
        page.wait_for_selector("body[data-link=lost]")
        halls.append(Tables(installed(), tmp_path))
    context.close()


def test_a_game_that_is_given_up_ends_with_scores_a_review_and_a_rematch(
    server: Server, visit: Open
) -> None:
    keys = set_table(server, "scramble", "human", "mpmix:td=0,to=0,depth=1", "greedy", length=8)
    page = visit(seat(keys))
    assert my_turn(page)
    expect(page.locator("#ending")).to_be_hidden()
    page.click("#leave summary")
    page.click("#resign")
    page.wait_for_selector("body[data-over=true]")
    expect(page.locator("#result")).to_contain_text("won")
    expect(page.locator("#left")).to_have_text("An agent played on for you (seat 0).")
    expect(page.locator("#scores tr")).to_have_count(4)
    expect(page.locator("#scores tr.made td").first).to_have_text("1")
    expect(page.locator("#leave")).to_be_hidden()
    page.click("#ask-review")
    expect(page.locator("#reviewed polyline")).to_have_count(3)
    expect(page.locator("#reviewed")).to_contain_text("by maxn:depth=2")
    page.locator("#reviewed details summary").click()
    page.locator("#reviewed details td button").nth(2).click()
    page.wait_for_function("() => document.body.dataset.shown === '3'")
    expect(page.locator("#ending")).to_be_hidden()
    page.click("#last")
    before = page.url
    page.click("#rematch")
    page.wait_for_url(lambda address: address != before)
    assert my_turn(page)
    expect(page.locator("#seats li")).to_have_count(3)
    expect(page.locator("#seats .agent").nth(1)).to_have_attribute(
        "title", "mpmix:td=0,to=0,depth=1"
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_a_lost_game_says_so_in_words(server: Server, visit: Open, width: int) -> None:
    keys = set_table(server, "scramble", "human", "greedy", "greedy", length=6)
    page = visit(seat(keys), width=width)
    while my_turn(page):
        before = ply(page)
        if page.locator("#all div button").count() == 0:
            page.click("#all summary")
        page.locator("#all div button", has_text="+1").first.click()
        moved(page, before)
    expect(page.locator("#result")).to_contain_text(" won")
    expect(page.locator("#status")).to_contain_text("The game is over.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hint_is_shown_on_the_board_and_its_scale_is_that_of_the_bars(
    server: Server, visit: Open
) -> None:
    keys = set_table(server, "quoridor", "human", "greedy", size=5, walls=2)
    page = visit(seat(keys))
    assert my_turn(page)
    place = page.locator("#advice").bounding_box()
    page.click("#hint")
    hinted = page.locator("#board [data-move].hinted")
    expect(hinted).to_have_count(1)
    advice = page.locator("#advice .hint").first
    expect(advice.locator("button")).to_have_text(hinted.get_attribute("data-move") or "?")
    expect(hinted.locator(".preview")).to_have_css("opacity", "0.75")
    step = page.locator('#board [data-label="step to c2"]')
    if hinted.get_attribute("data-move") == "c2":
        expect(step.locator(".arrow")).to_have_css("display", "inline")
    now = page.locator("#advice").bounding_box()
    assert place is not None
    assert now is not None
    assert (now["x"], now["y"]) == (place["x"], place["y"])
    expect(page.locator("#advice")).to_contain_text("Values by the evaluator features")
    expect(page.locator("#values-of")).to_contain_text("by the evaluator features")
    page.locator("#advice .hint").nth(2).hover()
    third = page.locator("#advice .hint").nth(2).locator("button").inner_text()
    expect(page.locator("#board .hinted")).to_have_attribute("data-move", third)
    before = ply(page)
    page.locator("#advice .hint").first.locator("button").click()
    moved(page, before)
    my_turn(page)
    expect(page.locator("#board .hinted")).to_have_count(0)


def test_a_hinted_campaign_is_drawn_and_a_hinted_card_rises(server: Server, visit: Open) -> None:
    keys = set_table(server, "risk_lite", "human", "random", "random")
    page = visit(seat(keys))
    assert my_turn(page)
    page.click("#hint")
    expect(page.locator("#advice .hint button").first).to_be_visible()
    parts = (page.locator("#advice .hint button").first.get_attribute("data-move") or "").split(">")
    expect(page.locator("#board [data-part].hinted")).to_have_count(len(parts))
    keys = set_table(server, "hearts", "human", "random", "random", "random", single=True)
    page = visit(seat(keys))
    while my_turn(page) and page.locator("#board .lift").count() < 2:
        before = ply(page)
        page.locator("#board .lift").first.click()
        moved(page, before)
    page.click("#hint")
    expect(page.locator("#board .lift.hinted")).to_have_count(1)
