"""The table in a real browser: motion, keys, layers, reasons on the board, tabs on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web.browser import Open, moved, my_turn, needs_chromium, ply, seat, set_table, type_move

from mpsearch.web.server import Server

pytestmark = needs_chromium

#: Counts animations of the board's pieces from now on, by how they begin.
WATCH_MOTION = """() => {
    window.motions = [];
    const before = Element.prototype.animate;
    Element.prototype.animate = function (frames, ...rest) {
        window.motions.push([this.dataset.piece, Object.keys(frames)[0]]);
        return before.call(this, frames, ...rest);
    };
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pawns_walk_and_walls_appear_unless_motion_is_unwanted(
    server: Server, visit: Open, motion: str
) -> None:
    keys = set_table(server, "quoridor", "human", "human", size=5)
    page, other = visit(seat(keys), reduced_motion=motion), visit(seat(keys, 1))
    assert my_turn(page)
    page.evaluate(WATCH_MOTION)
    page.click('[data-move="c2"]')
    moved(page, 0)
    assert my_turn(other)
    type_move(other, "a1h")
    moved(page, 1)
    found = page.evaluate("window.motions")
    walked, built = ["pawn 0", "transform"], ["wall 0 0 0", "opacity"]
    assert found == ([walked, built] if motion == "no-preference" else [])


def test_a_card_slides_from_its_hand_and_can_be_clicked_meanwhile(
    server: Server, visit: Open
) -> None:
    keys = set_table(server, "hearts", "human", "random", "random", "random", single="yes")
    # Step by step: at once, a trick may be taken before it is seen.
    page = visit(seat(keys), reduced_motion="no-preference", pace=300)
    assert my_turn(page)
    page.evaluate(WATCH_MOTION)
    played = []
    for _ in range(3):
        before = ply(page)
        card = page.locator("#board [data-move]").first
        played.append(card.get_attribute("data-move"))
        card.dispatch_event("click")
        moved(page, before)
        assert my_turn(page)
    found = page.evaluate("window.motions")
    assert {*played[:2]} <= {piece for piece, _ in found}
    # What lies in the hand and can be played does not move away under the finger.
    there = page.evaluate(
        """() => [...document.querySelectorAll('#board [data-move]')]
            .map(e => e.getAnimations().filter(a => !(a instanceof CSSTransition)).length)"""
    )
    assert set(there) == {0}


def after_a_move(server: Server, visit: Open, agent: str) -> Page:
    """A board after the person's first move and the agent's."""
    page = visit(seat(set_table(server, "quoridor", "human", agent, size=5)))
    assert my_turn(page)
    page.click('[data-move="c2"]')
    page.wait_for_selector("body[data-shown='2'][data-yours='true']")
    return page


def test_keys_step_hint_take_back_and_help(server: Server, visit: Open) -> None:
    page = after_a_move(server, visit, "maxn:depth=1")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("body[data-shown='1']")
    page.keyboard.press("Home")
    page.wait_for_selector("body[data-shown='0']")
    page.keyboard.press("ArrowLeft")  # nothing is before the start
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("body[data-shown='1']")
    page.keyboard.press("End")
    page.wait_for_selector("body[data-shown='2'][data-yours='true']")
    page.keyboard.press("h")
    expect(page.locator("#advice .hint")).to_have_count(3)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("u")  # nothing happens behind the list of keys
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("u")
    page.wait_for_selector("body[data-shown='0'][data-yours='true']")
    # In a field letters are letters, and on the board arrows go from mark to mark.
    page.focus("#move")
    page.keyboard.type("hu?")
    assert page.input_value("#move") == "hu?"
    page.locator("#board [data-move] > [tabindex='0']").focus()
    focused = "document.activeElement.parentElement.dataset.move"
    mark = page.evaluate(focused)
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) not in (mark, None)
    assert ply(page) == 0


def test_goals_are_coloured_and_shortest_paths_come_on_request(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "human", size=5)
    page = visit(seat(keys))
    assert my_turn(page)
    expect(page.locator("#board .goal")).to_have_count(2)
    paths = page.locator("#board [data-layer]")
    expect(paths).to_be_hidden()
    button = page.get_by_role("button", name="shortest paths")
    button.click()
    expect(paths).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.click('[data-move="c2"]')
    moved(page, 0)
    expect(page.locator("#board [data-layer]")).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator("#board [data-layer]")).to_be_hidden()


def test_a_row_of_why_shows_its_move_where_it_was_decided(server: Server, visit: Open) -> None:
    page = after_a_move(server, visit, "maxn:depth=1,ties=first")
    page.click("#why details summary")
    rows = page.locator("#why tr:has(button)")
    assert rows.count() > 2
    glance = page.locator("#glance")
    expect(glance).to_be_hidden()
    for number in (0, 2):
        rows.nth(number).hover()
        expect(glance).to_be_visible()
        move = rows.nth(number).locator("button").inner_text()
        expect(glance.locator(".hinted")).to_have_attribute("data-move", move)
    # It is the position before the move, in which seat 1 stood at its start.
    pawn = "[data-piece='pawn 1'] circle"
    was = glance.locator(pawn).get_attribute("cy")
    assert was != page.locator(f"#board {pawn}").get_attribute("cy")
    page.hover("#seats")
    expect(glance).to_be_hidden()
    rows.nth(1).locator("button").focus()
    expect(glance).to_be_visible()
    assert my_turn(page)


def test_why_of_a_campaign_shows_its_way_and_dice_are_drawn(server: Server, visit: Open) -> None:
    keys = set_table(server, "risk_lite", "human", "maxn:depth=1", "maxn:depth=1", seed=3)
    page = visit(seat(keys))
    assert my_turn(page)
    moves = page.locator("#legal option").evaluate_all("all => all.map(o => o.value)")
    type_move(page, next(move for move in moves if ">" in move))
    page.wait_for_selector("#board .dice, body[data-yours=true]")
    assert my_turn(page)
    told = re.compile(r"\d+ against \d+, \d+% to arrive; (arrived with|stalled)")
    expect(page.locator("#log li").nth(2)).to_contain_text(told)
    # Whose decision is explained at one's turn is the last one's, whatever dice fell since.
    expect(page.locator("#why-words")).to_contain_text("(seat 2)")
    page.click("#why details summary")
    rows = page.locator("#why tr:has(button)")
    rows.first.hover()
    expect(page.locator("#glance .hinted").first).to_be_visible()
    page.click("#first")
    for step in range(1, 4):
        page.click("#next")
        page.wait_for_selector(f"body[data-shown='{step}']")
        shown = page.locator("#board .dice")
        if step == 2:
            expect(shown).to_have_attribute("aria-label", re.compile(r"dice: \d+% to arrive"))
    expect(shown).to_have_attribute("aria-label", re.compile("dice: (arrived with|stalled)"))


def test_hearts_shows_the_last_trick_and_what_was_taken(server: Server, visit: Open) -> None:
    keys = set_table(server, "hearts", "human", "random", "random", "random", single="yes", seed=4)
    page = visit(seat(keys))
    assert my_turn(page)
    expect(page.locator("#board [aria-label^='last trick']")).to_have_count(0)
    while my_turn(page):
        tricks = page.locator("#log section").count()
        if page.locator("#board text", has_text=re.compile("^took ")).count():
            break
        type_move(page, page.locator("#legal option").first.get_attribute("value") or "")
    expect(page.locator("#board [aria-label^='last trick, taken by']")).to_have_count(1)
    headings = page.locator("#log h3").all_inner_texts()
    assert headings[0].lower() == "deal 1"
    assert [text.lower() for text in headings[1:]] == [
        f"deal 1, trick {number}" for number in range(1, tricks)
    ]
    expect(page.locator("#log section").nth(1).locator("li")).to_have_count(4)


@pytest.mark.parametrize("game", ["quoridor", "scramble"])
def test_moves_stand_under_their_round(server: Server, visit: Open, game: str) -> None:
    options: dict[str, Any] = {"size": 5} if game == "quoridor" else {"length": 6}
    keys = set_table(server, game, "greedy", "greedy", "greedy", **options)
    page = visit(f"/table/{keys.watch}")
    page.wait_for_selector("body[data-over=true]")
    page.keyboard.press("End")
    sections = page.locator("#log section")
    latest = int(page.get_attribute("#ply", "max") or 0)
    expect(sections).to_have_count(-(-latest // 3))
    expect(sections.first.locator("li")).to_have_count(3)
    assert sections.nth(1).get_attribute("aria-label") == "round 2"


PHONE = [("quoridor", {}), ("hearts", {"preset": "standard"}), ("risk_lite", {})]


@pytest.mark.parametrize(("game", "options"), PHONE)
def test_on_a_phone_status_and_play_are_always_visible_and_panels_are_tabs(
    server: Server, visit: Open, game: str, options: dict[str, Any]
) -> None:
    others = ["maxn:depth=1,worlds=2"] * 3 if game == "hearts" else ["maxn:depth=1"] * 3
    keys = set_table(server, game, "human", *others, **options)
    page = visit(seat(keys), width=390, touch=True)
    assert my_turn(page)
    type_move(page, page.locator("#legal option").first.get_attribute("value") or "")
    assert my_turn(page)
    for tab in page.locator("#tabs [role=tab]:not([hidden])").all():
        tab.tap()
        expect(tab).to_have_attribute("aria-selected", "true")
        shown = page.locator("[role=tabpanel].shown:visible")
        assert shown.count() >= 1
        names = {panel.get_attribute("data-tab") for panel in shown.all()}
        assert names == {tab.get_attribute("data-shows")}
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(page.locator("#status")).to_be_in_viewport(ratio=0.9)
        expect(page.locator("#go")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.evaluate("scrollTo(0, 0)")
    assert page.locator("#tabs").get_by_role("tab", name="Why").is_visible() == (game != "hearts")


def pinch(page: Page) -> None:
    """Two fingers that part."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *fingers: int) -> None:
        points = [{"x": x, "y": 300, "id": number} for number, x in enumerate(fingers)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 185)
    touch("touchStart", 185, 205)
    for apart in range(5, 100, 5):
        touch("touchMove", 185 - apart, 205 + apart)
        page.wait_for_timeout(20)
    touch("touchEnd")


def test_two_fingers_make_the_board_larger(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "human")
    page = visit(seat(keys), width=390, touch=True)
    assert my_turn(page)
    assert page.evaluate("visualViewport.scale") == 1
    pinch(page)
    page.wait_for_function("() => visualViewport.scale > 1.5")


def test_the_hint_has_a_place_of_its_own(server: Server, visit: Open) -> None:
    keys = set_table(server, "quoridor", "human", "greedy", size=5)
    page = visit(seat(keys))
    assert my_turn(page)
    where = """() => [...document.querySelectorAll('#advice, aside .panel')]
        .map(e => e.getBoundingClientRect()).map(b => [b.x, b.y])"""
    place = page.evaluate(where)[:2]
    page.click("#hint")
    expect(page.locator("#advice .hint")).to_have_count(3)
    assert page.evaluate(where)[:2] == place
    said = page.locator("#advice .said")
    first = said.inner_text()
    page.locator("#advice .hint").nth(1).hover()
    expect(said).not_to_have_text(first)
    page.locator("#advice .hint button").first.click()
    moved(page, 0)
    assert page.evaluate(where)[:2] == place
