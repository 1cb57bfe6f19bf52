"""Accessibility: the rules of axe-core, in a real browser, on every page."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect
from web.browser import Open, my_turn, needs_chromium, seat, set_table

import mpsearch
from mpsearch.web.server import Server

pytestmark = needs_chromium

#: Findings of these kinds keep people from using a page.
GRAVE = ["serious", "critical"]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GAMES: dict[str, dict[str, Any]] = {
    "quoridor": {},
    "hearts": {"preset": "standard"},
    "risk_lite": {},
    "scramble": {},
    "plunder": {},
}


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, from npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm: axe-core cannot be had")
    folder = tmp_path_factory.mktemp("axe")
    wish = [npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "axe-core"]
    try:
        subprocess.run(wish, cwd=folder, check=True, capture_output=True, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot fetch axe-core: {(error.stderr or b'')[-200:]!r}")
    return Path(folder / "node_modules/axe-core/axe.min.js").read_text()


#: The rules of axe-core in one colour scheme.
RUN = """async grave => {
    const found = await axe.run(document, {resultTypes: ["violations"]});
    const violations = found.violations.filter(entry => grave.includes(entry.impact));
    return [found.passes.length, violations];
}"""


def findings(page: Page, axe: str) -> list[str]:
    """What axe-core finds that is serious or critical, each with where it is, in light and dark."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    texts = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert dark == (scheme == "dark")
        passes, violations = page.evaluate(RUN, GRAVE)
        assert passes > 5, "the rules were applied"
        texts += [
            f"{scheme}: {entry['impact']} {entry['id']}: {node['html'][:160]}"
            f" {json.dumps(node['any'])[:200]}"
            for entry in violations
            for node in entry["nodes"]
        ]
    return texts


def test_axe_finds_what_is_wrong(visit: Open, axe: str) -> None:
    page = visit("/", bypass_csp=True)
    page.evaluate("document.body.append(document.createElement('button'))")
    found = [text.split(": ")[:2] for text in findings(page, axe)]
    assert found == [[scheme, "critical button-name"] for scheme in SCHEMES]


def test_axe_finds_what_is_wrong_in_one_scheme(visit: Open, axe: str) -> None:
    page = visit("/", bypass_csp=True)
    style = "@media (prefers-color-scheme: dark) { h1 { color: #333 !important } }"
    page.add_style_tag(content=style)
    found = [text.split(": ")[:2] for text in findings(page, axe)]
    assert found == [["dark", "serious color-contrast"]]


def test_the_lobby(server: Server, visit: Open, axe: str) -> None:
    keys = set_table(server, "quoridor", "human", "greedy", size=3)
    page = visit(seat(keys), bypass_csp=True)
    assert my_turn(page)
    page.goto(server.lobby)
    expect(page.locator("#running li")).to_have_count(1)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.reload()
        assert findings(page, axe) == []
        page.click("#advanced summary")
        page.click("#more-games summary")
        assert findings(page, axe) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_table(server: Server, visit: Open, axe: str, game: str) -> None:
    agents = {"hearts": "maxn:depth=1,worlds=2", "plunder": "maxn:depth=1,worlds=2"}
    others = [agents.get(game, "maxn:depth=1")] * 3
    keys = set_table(server, game, "human", *others, **GAMES[game])
    for width in (1280, 390):
        page = visit(seat(keys), width=width, touch=width == 390, bypass_csp=True)
        assert my_turn(page)
        page.evaluate("document.getElementById('hint').click()")
        expect(page.locator("#advice .hint")).to_have_count(3)
        for tab in page.locator("#tabs [role=tab]:not([hidden])").all():
            if width == 390:
                tab.tap()
            assert findings(page, axe) == []
            if width != 390:
                break


def test_the_end_and_the_review(server: Server, visit: Open, axe: str) -> None:
    keys = set_table(server, "scramble", "human", "mpmix:td=0,to=0,depth=1", "greedy", length=8)
    page = visit(seat(keys), bypass_csp=True)
    assert my_turn(page)
    page.evaluate("document.getElementById('resign').click()")
    page.wait_for_selector("body[data-over=true]")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.reload()
        expect(page.locator("#ending")).to_be_visible()
        assert findings(page, axe) == []
        page.click("#ask-review")
        expect(page.locator("#reviewed polyline")).to_have_count(3)
        page.locator("#reviewed details summary").click()
        assert findings(page, axe) == []
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        assert findings(page, axe) == []


@pytest.mark.parametrize("game", ["quoridor", "hearts"])
def test_the_analysis(server: Server, visit: Open, axe: str, tmp_path: Path, game: str) -> None:
    path = tmp_path / "game.jsonl"
    options: dict[str, Any] = {"quoridor": {"size": 5, "walls": 2}}.get(game, {})
    agents = ("mpmix:td=0,to=0,depth=1", "greedy", "greedy", "greedy")
    mpsearch.play(game, *agents, seed=2, **options).save(path)
    for width in (1280, 390):
        address = f"/table/{server.tables.show_record(path).watch}/analysis#ply=5"
        page = visit(address, width=width, touch=width == 390, bypass_csp=True)
        page.wait_for_selector("#drawn polyline", state="attached")  # on a phone, in a tab
        page.fill("#move", page.locator("#legal option").last.get_attribute("value") or "")
        page.press("#move", "Enter")
        page.wait_for_selector("body[data-tried=true]")
        page.evaluate("document.getElementById('think').click()")
        page.wait_for_selector("#lines li", state="attached")
        for details in page.locator("details:visible > summary").all():
            details.click()
        assert findings(page, axe) == []
